import { Box, Group, SimpleGrid, Skeleton, TextInput } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { IconSearch } from '@/icons';
import { EmptyState } from '@/shared/layout/empty-state';
import { ProblemPanel } from '@/shared/layout/problem-panel';
import { type Column, DataTable, ListPages, type ListPagesProps, usePastEnd } from './data-table';
import { type ListSearch, useSearchText, useSetSearch } from './list-search';

/** Items per page of a list that has no other size. */
export const LIST_SIZE = 20;

export interface SearchedListProps<T> {
  /** Accessible name of the list, for example "Prompts". */
  label: string;
  /** One of its items, for example "prompt". */
  unit: string;
  /** The search finds items by how they begin. */
  isPrefix?: boolean;
  /** The page and the search text, from the address. */
  search: ListSearch;
  /** The columns of the table. Not used with `card`. */
  columns?: readonly Column<T>[];
  /** Draws an item as a card. Absent: the items are rows of a table. */
  card?: (item: T) => ReactNode;
  /** Items per page. Default: `LIST_SIZE`. */
  size?: number;
  /** Whether a filter is set in addition to the search text. */
  isFiltered?: boolean;
  /** Undefined while it loads. */
  list: { items: readonly T[]; total: number } | undefined;
  error: unknown;
  onRetry: () => void;
  keyOf: (row: T) => string | number;
  onOpen?: (row: T) => void;
  /** Instead of the list while there are no items and no filters. */
  empty: ReactNode;
  /** More filters, next to the search. */
  filters?: ReactNode;
}

/** A list with a search and pages, which are kept in the address. */
export function SearchedList<T>(props: SearchedListProps<T>) {
  const { label, unit, isPrefix = false, search, columns = [], card, size = LIST_SIZE, isFiltered = false } = props;
  const { list, error, onRetry, keyOf, onOpen, empty, filters } = props;
  const { page = 1, q } = search;
  const text = useSearchText(q);
  const setSearch = useSetSearch<ListSearch>();
  const nothingFound = (
    <EmptyState
      icon={IconSearch}
      title={q === undefined ? `No ${unit} matches` : `No ${unit} ${isPrefix ? 'begins with' : 'contains'} “${q}”`}
    >
      {q === undefined ? 'Change the filters.' : 'Try another word.'}
    </EmptyState>
  );
  const listProps = {
    label,
    rows: list?.items,
    keyOf,
    empty: q === undefined && !isFiltered ? empty : nothingFound,
    pages: { page, size, total: list?.total ?? 0, onPage: (next: number) => setSearch({ page: next }) },
  };
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
      ) : card ? (
        <Cards {...listProps} card={card} />
      ) : (
        <DataTable {...listProps} columns={columns} {...(onOpen ? { onOpen } : {})} />
      )}
    </>
  );
}

interface CardsProps<T> {
  label: string;
  rows: readonly T[] | undefined;
  keyOf: (row: T) => string | number;
  empty: ReactNode;
  pages: ListPagesProps;
  card: (item: T) => ReactNode;
}

const COLUMNS = { base: 1, sm: 2, lg: 3 };
const SKELETONS = ['1', '2', '3', '4', '5', '6'];

function Cards<T>({ label, rows, keyOf, empty, pages, card }: CardsProps<T>) {
  const isPastEnd = usePastEnd(pages, rows?.length);
  if (rows === undefined || isPastEnd)
    return (
      <SimpleGrid cols={COLUMNS} spacing="md" aria-busy="true" aria-label="Loading">
        {SKELETONS.map(key => (
          <Skeleton key={key} height={150} radius="md" />
        ))}
      </SimpleGrid>
    );
  if (rows.length === 0) return empty;
  return (
    <Box component="section" aria-label={label}>
      <SimpleGrid cols={COLUMNS} spacing="md">
        {rows.map(row => (
          <Fragment key={keyOf(row)}>{card(row)}</Fragment>
        ))}
      </SimpleGrid>
      <ListPages {...pages} />
    </Box>
  );
}
