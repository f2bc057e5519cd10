import { Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconApi, IconPencil, IconTrash } from '@/icons';
import { useAction } from '@/shared/forms/use-action';
import type { Column } from '@/shared/lists/data-table';
import { RowMenu } from '@/shared/lists/row-menu';
import { RelativeTime } from '@/shared/time';
import { PagedSection } from '../paged-section';
import { ApiDialog } from './api-dialog';
import { type ApiDetailFragment, DeleteApiDocument, ProjectApisDocument } from './apis.generated';

/** The imported OpenAPI documents of the project. */
export function ApisSection() {
  return (
    <PagedSection
      document={ProjectApisDocument}
      listOf={data => data.apiDefinitions}
      title="APIs"
      description="Operations of imported OpenAPI documents become tools of agents and fill HTTP nodes."
      columnsOf={columnsOf}
      empty={{
        icon: IconApi,
        title: 'No APIs',
        children: 'Import an OpenAPI document to use its operations in agents and HTTP nodes.',
      }}
      createLabel="Import API"
      dialog={onClose => <ApiDialog api={null} onClose={onClose} />}
    />
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
            confirmation: {
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
