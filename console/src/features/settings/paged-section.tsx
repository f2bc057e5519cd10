import type { TypedDocumentNode } from '@apollo/client';
import { useQuery } from '@apollo/client/react';
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { IconPlus } from '@/icons';
import { EmptyState, type EmptyStateProps } from '@/shared/layout/empty-state';
import { Section } from '@/shared/layout/section';
import { type Column, DataTable } from '@/shared/lists/data-table';
import { listSearch, useSetSearch } from '@/shared/lists/list-search';
import { shownData } from '@/shared/lists/shown-data';
import { useProjectId } from '@/shared/project/use-project';
import { useProjectRole } from '@/shared/project/use-role';

const SIZE = 20;

export interface PagedSectionProps<Data, Row> {
  document: TypedDocumentNode<Data, { projectId: number; page: number; size: number }>;
  listOf: (data: Data) => { items: readonly Row[]; total: number } | null | undefined;
  title: string;
  description: string;
  columnsOf: (isEditor: boolean) => readonly Column<Row>[];
  empty: Pick<EmptyStateProps, 'icon' | 'title' | 'children'>;
  /** The label of the button that opens `dialog`. Only editors see it. */
  createLabel: string;
  dialog: (onClose: () => void) => ReactNode;
}

/** A section with the objects of one kind in the project: a list with pages, and a dialog that creates one. */
export function PagedSection<Data, Row extends { id: string | number }>(props: PagedSectionProps<Data, Row>) {
  const { document, listOf, title, description, columnsOf, empty, createLabel, dialog } = props;
  const projectId = useProjectId();
  const { page = 1 } = listSearch(useSearch({ strict: false }) as Record<string, unknown>);
  const setSearch = useSetSearch<{ page?: number }>();
  const { isEditor } = useProjectRole();
  const [isOpen, creation] = useDisclosure(false);
  const variables = { projectId, page, size: SIZE };
  const { data, previousData, error, refetch } = useQuery(document, { variables });
  const shown = shownData({ data, previousData, error });
  const list = shown === undefined ? undefined : listOf(shown as Data);
  const create = isEditor ? (
    <Button leftSection={<IconPlus size={16} />} onClick={creation.open}>
      {createLabel}
    </Button>
  ) : undefined;
  return (
    <Section isPlain title={title} description={description} actions={list && list.total > 0 ? create : undefined}>
      <DataTable
        query={{ error, refetch }}
        label={title}
        columns={columnsOf(isEditor)}
        rows={list?.items}
        keyOf={({ id }) => id}
        empty={<EmptyState {...empty} action={create} />}
        pages={{ page, size: SIZE, total: list?.total ?? 0, onPage: next => setSearch({ page: next }) }}
      />
      {isOpen && dialog(creation.close)}
    </Section>
  );
}
