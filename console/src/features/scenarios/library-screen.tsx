import type { TypedDocumentNode } from '@apollo/client';
import { Button } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { IconPlus } from '@/icons';
import { EmptyState, type EmptyStateProps } from '@/shared/layout/empty-state';
import { PageHeader } from '@/shared/layout/page-header';
import type { Column } from '@/shared/lists/data-table';
import { type ListSearch, useSetSearch } from '@/shared/lists/list-search';
import { SearchedList } from '@/shared/lists/searched-list';
import { DeleteButton } from './delete-button';
import { ScenarioTabs } from './scenario-tabs';

export interface LibrarySearch extends ListSearch {
  /** Whether the dialog of a new item is open. */
  create?: boolean;
  /** The id of the item whose dialog is open. */
  edit?: number;
}

interface LibraryItem {
  id: number;
  key: string;
}

export interface LibraryScreenProps<Item extends LibraryItem> {
  /** For example "Prompts". */
  title: string;
  /** One of the items, for example "prompt". */
  unit: string;
  columns: readonly Column<Item>[];
  /** Undefined while it loads. */
  list: { items: readonly Item[]; total: number } | undefined;
  error: unknown;
  onRetry: () => void;
  canEdit: boolean;
  /** Before the first item. */
  empty: Pick<EmptyStateProps, 'icon' | 'title' | 'children'>;
  /** The dialog of an item. `open`: "new", the id of an item, or null while the dialog is closed. */
  dialog: (open: 'new' | number | null, onClose: () => void) => ReactNode;
}

/** The prompts or the variables of the project: a searched list and the dialog of an item. The address keeps which dialog is open. */
export function LibraryScreen<Item extends LibraryItem>(props: LibraryScreenProps<Item>) {
  const { title, unit, columns, list, error, onRetry, canEdit, empty, dialog } = props;
  const search = useSearch({ strict: false }) as LibrarySearch;
  const { page = 1, create, edit } = search;
  const setSearch = useSetSearch<LibrarySearch>();
  const createButton = canEdit && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setSearch({ create: true, page })}>
      New {unit}
    </Button>
  );
  return (
    <>
      <PageHeader title={title} actions={createButton} />
      <ScenarioTabs />
      <SearchedList
        label={title}
        unit={unit}
        search={search}
        columns={columns}
        list={list}
        error={error}
        onRetry={onRetry}
        keyOf={({ id }) => id}
        onOpen={({ id }) => setSearch({ edit: id, page })}
        empty={<EmptyState {...empty} action={createButton} />}
      />
      {dialog(create && canEdit ? 'new' : (edit ?? null), () =>
        setSearch({ create: undefined, edit: undefined, page }),
      )}
    </>
  );
}

/** Opens the dialog of an item. */
export function EditLink({ id, ...props }: { id: number }) {
  return <Link {...props} to="." search={(previous: object) => ({ ...previous, edit: id }) as never} />;
}

interface Deletion {
  /** For example "prompt". */
  noun: string;
  /** The effect of the deletion. */
  note: string;
  mutation: TypedDocumentNode<object, { id: number }>;
  /** The name of the query of the list. */
  query: string;
}

/** The column of the buttons that delete items. It is empty for viewers. */
export function deleteColumn<Item extends LibraryItem>(canEdit: boolean, deletion: Deletion): Column<Item> {
  const { query, ...button } = deletion;
  return {
    id: 'delete',
    header: '',
    width: '3rem',
    align: 'end',
    cell: ({ id, key }) =>
      canEdit && <DeleteButton {...button} name={key} variables={{ id }} refetchQueries={[query]} />,
  };
}
