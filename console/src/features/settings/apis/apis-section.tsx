import { useQuery } from '@apollo/client/react';
import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useSearch } from '@tanstack/react-router';
import { IconApi, IconPencil, IconPlus, IconTrash } from '@/icons';
import type { Column } from '@/shared/data-table';
import { DataTable } from '@/shared/data-table';
import { EmptyState } from '@/shared/empty-state';
import { listSearch, useSetSearch } from '@/shared/list-search';
import { ProblemPanel } from '@/shared/problem-panel';
import { RowMenu } from '@/shared/row-menu';
import { Section } from '@/shared/section';
import { RelativeTime } from '@/shared/time';
import { useAction } from '@/shared/use-action';
import { useProjectId } from '@/shared/use-project';
import { useProjectRole } from '@/shared/use-role';
import { ApiDialog } from './api-dialog';
import { type ApiDetailFragment, DeleteApiDocument, ProjectApisDocument } from './apis.generated';

const SIZE = 20;

/** The imported OpenAPI documents of the project. */
export function ApisSection() {
  const projectId = useProjectId();
  const { page = 1 } = listSearch(useSearch({ strict: false }) as Record<string, unknown>);
  const setSearch = useSetSearch<{ page?: number }>();
  const { isEditor } = useProjectRole();
  const [isOpen, dialog] = useDisclosure(false);
  const variables = { projectId, page, size: SIZE };
  const { data, previousData, error, refetch } = useQuery(ProjectApisDocument, { variables });
  const list = (data ?? previousData)?.apiDefinitions;
  const create = isEditor ? (
    <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
      Import API
    </Button>
  ) : undefined;
  return (
    <Section
      isPlain
      title="APIs"
      description="Operations of imported OpenAPI documents become tools of agents and fill HTTP nodes."
      actions={list && list.total > 0 ? create : undefined}
    >
      {error && !list ? (
        <ProblemPanel error={error} onRetry={() => void refetch().catch(() => undefined)} />
      ) : (
        <DataTable
          label="APIs"
          columns={columnsOf(isEditor)}
          rows={list?.items}
          keyOf={({ id }) => id}
          empty={
            <EmptyState icon={IconApi} title="No APIs" action={create}>
              Import an OpenAPI document to use its operations in agents and HTTP nodes.
            </EmptyState>
          }
          pages={{ page, size: SIZE, total: list?.total ?? 0, onPage: next => setSearch({ page: next }) }}
        />
      )}
      {isOpen && <ApiDialog api={null} onClose={dialog.close} />}
    </Section>
  );
}

const columnsOf = (isEditor: boolean): Column<ApiDetailFragment>[] => [
  {
    id: 'name',
    header: 'API',
    cell: ({ name, title, version, baseUrl }) => (
      <>
        <Text fw={500}>{name}</Text>
        <Text fz="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {[`${title} ${version}`.trim(), baseUrl || 'base URL of the connection'].filter(Boolean).join(' · ')}
        </Text>
      </>
    ),
  },
  {
    id: 'operations',
    header: 'Operations',
    cell: ({ operationsCount, skippedOperations }) => (
      <>
        <Text fz="sm">{operationsCount}</Text>
        {skippedOperations.length > 0 && (
          <Text fz="xs" c="dimmed" title={skippedOperations.join('\n')}>
            {skippedOperations.length} not usable
          </Text>
        )}
      </>
    ),
  },
  { id: 'changed', header: 'Changed', isWide: true, cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
  ...(isEditor
    ? [
        {
          id: 'menu',
          header: '',
          width: '3rem',
          align: 'end',
          cell: api => <ApiMenu api={api} />,
        } satisfies Column<ApiDetailFragment>,
      ]
    : []),
];

function ApiMenu({ api }: { api: ApiDetailFragment }) {
  const { id, name } = api;
  const [isEditing, edition] = useDisclosure(false);
  const remove = useAction(DeleteApiDocument, {
    failure: 'Not deleted',
    success: `“${name}” is deleted.`,
    refetchQueries: ['ProjectApis'],
  });
  return (
    <>
      <RowMenu
        label={`Actions for ${name}`}
        actions={[
          { label: 'Edit', icon: IconPencil, onClick: edition.open },
          {
            label: 'Delete',
            icon: IconTrash,
            question: {
              title: `Delete “${name}”?`,
              text: 'Nodes and tools that were filled from it keep working. This cannot be undone.',
              confirmLabel: 'Delete API',
              onConfirm: () => remove.runOrThrow({ id }),
            },
          },
        ]}
      />
      {isEditing && <ApiDialog api={api} onClose={edition.close} />}
    </>
  );
}
