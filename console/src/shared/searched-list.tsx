import { Group, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconSearch } from '@/icons';
import { type Column, DataTable } from './data-table';
import { EmptyState } from './empty-state';
import { type ListSearch, useSearchText, useSetSearch } from './list-search';
import { ProblemPanel } from './problem-panel';

export const LIST_SIZE = 20;

export interface SearchedListProps<T> {
  /** What screen readers call the list, for example "Prompts". */
  label: string;
  /** One of its items, for example "prompt". */
  unit: string;
  /** The search finds items by how they begin. */
  isPrefix?: boolean;
  /** The search of the address. */
  search: ListSearch;
  columns: readonly Column<T>[];
  /** Undefined while it loads. */
  list: { items: readonly T[]; total: number } | undefined;
  error: unknown;
  onRetry: () => void;
  keyOf: (row: T) => string | number;
  onOpen?: (row: T) => void;
  /** Before the first item. */
  empty: ReactNode;
  /** More filters, next to the search. */
  filters?: ReactNode;
}

/** A list with a search and pages, which are kept in the address. */
export function SearchedList<T>(props: SearchedListProps<T>) {
  const { label, unit, isPrefix = false, search, columns, list, error, onRetry, keyOf, onOpen, empty, filters } = props;
  const { page = 1, q } = search;
  const text = useSearchText(q);
  const setSearch = useSetSearch<ListSearch>();
  const nothingFound = (
    <EmptyState icon={IconSearch} title={isPrefix ? `No ${unit} begins with “${q}”` : `No ${unit} contains “${q}”`}>
      Try another word.
    </EmptyState>
  );
  return (
    <>
      <Group mb="md" gap="sm">
        <TextInput
          value={text.value}
          onChange={event => text.onChange(event.currentTarget.value)}
          aria-label={`Search ${label.toLowerCase()}`}
          placeholder="Search"
          leftSection={<IconSearch size={16} />}
          style={{ flex: '1 1 12rem' }}
          maw={320}
        />
        {filters}
      </Group>
      {error && !list ? (
        <ProblemPanel error={error} onRetry={onRetry} />
      ) : (
        <DataTable
          label={label}
          columns={columns}
          rows={list?.items}
          keyOf={keyOf}
          empty={q === undefined ? empty : nothingFound}
          {...(onOpen ? { onOpen } : {})}
          pages={{ page, size: LIST_SIZE, total: list?.total ?? 0, onPage: next => setSearch({ page: next }) }}
        />
      )}
    </>
  );
}
