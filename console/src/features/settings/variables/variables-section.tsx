import { useQuery } from '@apollo/client/react';
import { Badge, Button, Code, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useSearch } from '@tanstack/react-router';
import { IconPlus, IconVariable } from '@/icons';
import { ConfirmDialog } from '@/shared/confirm-dialog';
import { type Column, DataTable } from '@/shared/data-table';
import { EmptyState } from '@/shared/empty-state';
import { listSearch, useSetSearch } from '@/shared/list-search';
import { ProblemPanel } from '@/shared/problem-panel';
import { Section } from '@/shared/section';
import { RelativeTime } from '@/shared/time';
import { useAction } from '@/shared/use-action';
import { useProjectId } from '@/shared/use-project';
import { useProjectRole } from '@/shared/use-role';
import { VariableDialog } from './variable-dialog';
import {
  DeleteProjectVariableDocument,
  ProjectVariablesDocument,
  type ProjectVariablesQuery,
} from './variables.generated';

export type VariableRow = ProjectVariablesQuery['projectVariables']['items'][number];

const SIZE = 20;

const columnsOf = (isEditor: boolean): Column<VariableRow>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: ({ name, isSecret }) => (
      <Group gap="xs">
        <Code>{name}</Code>
        {isSecret && (
          <Badge size="sm" variant="light">
            Secret
          </Badge>
        )}
      </Group>
    ),
  },
  {
    id: 'value',
    header: 'Value',
    cell: ({ value, allowedHosts }) => (
      <>
        <Text fz="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          {value}
        </Text>
        {allowedHosts.length > 0 && (
          <Text fz="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            Only to {allowedHosts.join(', ')}
          </Text>
        )}
      </>
    ),
  },
  { id: 'changed', header: 'Changed', isWide: true, cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
  ...(isEditor
    ? [
        {
          id: 'actions',
          header: '',
          align: 'end',
          cell: row => <VariableActions row={row} />,
        } satisfies Column<VariableRow>,
      ]
    : []),
];

/** Values that the workflows of the project use as `{{ env.NAME }}`. */
export function VariablesSection() {
  const projectId = useProjectId();
  const { page = 1 } = listSearch(useSearch({ strict: false }) as Record<string, unknown>);
  const setSearch = useSetSearch();
  const { isEditor } = useProjectRole();
  const [isOpen, dialog] = useDisclosure(false);
  const variables = { projectId, page, size: SIZE };
  const { data, previousData, error, refetch } = useQuery(ProjectVariablesDocument, { variables });
  const shown = (data ?? previousData)?.projectVariables;
  if (error && !shown) return <ProblemPanel error={error} onRetry={() => void refetch()} />;
  const create = isEditor ? (
    <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
      New variable
    </Button>
  ) : undefined;
  return (
    <Section
      isPlain
      title="Variables"
      description="Workflows of this project use a variable as {{ env.NAME }}. A run keeps the values that it was started with."
      actions={shown && shown.total > 0 ? create : undefined}
    >
      <DataTable
        label="Variables"
        columns={columnsOf(isEditor)}
        rows={shown?.items}
        keyOf={({ id }) => id}
        pages={{ page, size: SIZE, total: shown?.total ?? 0, onPage: next => setSearch({ page: next }) }}
        empty={
          <EmptyState icon={IconVariable} title="No variables" action={create}>
            Store addresses, names and credentials here once, instead of in each workflow.
          </EmptyState>
        }
      />
      {isOpen && <VariableDialog variable={null} onClose={dialog.close} />}
    </Section>
  );
}

function VariableActions({ row }: { row: VariableRow }) {
  const { id, name } = row;
  const [isEditing, editor] = useDisclosure(false);
  const [isDeleting, dialog] = useDisclosure(false);
  const remove = useAction(DeleteProjectVariableDocument, {
    failure: 'Not deleted',
    refetchQueries: ['ProjectVariables'],
  });
  return (
    <Group gap="xs" justify="flex-end" wrap="wrap">
      <Button size="compact-sm" variant="default" aria-label={`Edit ${name}`} onClick={editor.open}>
        Edit
      </Button>
      <Button size="compact-sm" variant="default" aria-label={`Delete ${name}`} onClick={dialog.open}>
        Delete
      </Button>
      {isEditing && <VariableDialog variable={row} onClose={editor.close} />}
      <ConfirmDialog
        isOpen={isDeleting}
        onClose={dialog.close}
        title={`Delete “${name}”?`}
        confirmLabel="Delete variable"
        onConfirm={() => remove.runOrThrow({ id })}
      >
        Workflows that use it cannot start until it exists again.
      </ConfirmDialog>
    </Group>
  );
}
