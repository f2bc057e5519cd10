import { useQuery } from '@apollo/client/react';
import { Badge, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconVariable } from '@/icons';
import { ConfirmDialog } from '@/shared/forms/confirm-dialog';
import { useAction } from '@/shared/forms/use-action';
import type { Column } from '@/shared/lists/data-table';
import { ProjectEnvironmentsDocument } from '@/shared/project/environments.generated';
import { useProjectId } from '@/shared/project/use-project';
import { RelativeTime } from '@/shared/time';
import { PagedSection } from '../paged-section';
import { EnvironmentsSection } from './environments-section';
import { VariableDialog } from './variable-dialog';
import { VariableValuesDialog } from './variable-values-dialog';
import {
  DeleteProjectVariableDocument,
  ProjectVariablesDocument,
  type ProjectVariablesQuery,
} from './variables.generated';

export type VariableRow = ProjectVariablesQuery['projectVariables']['items'][number];

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
    cell: ({ value, allowedHosts, values }) => (
      <>
        <Text fz="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          {value}
        </Text>
        {values.length > 0 && (
          <Text fz="xs" c="dimmed">
            Another value in {values.map(({ environment }) => environment).join(', ')}
          </Text>
        )}
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
  return (
    <Stack gap="xl">
      <PagedSection
        document={ProjectVariablesDocument}
        listOf={data => data.projectVariables}
        title="Variables"
        description="Workflows of this project use a variable as {{ env.NAME }}. A run keeps the values that it was started with."
        columnsOf={columnsOf}
        empty={{
          icon: IconVariable,
          title: 'No variables',
          children: 'Store addresses, names and credentials here once, instead of in each workflow.',
        }}
        createLabel="New variable"
        dialog={onClose => <VariableDialog variable={null} onClose={onClose} />}
      />
      <EnvironmentsSection />
    </Stack>
  );
}

function VariableActions({ row }: { row: VariableRow }) {
  const { id, name } = row;
  const [isEditing, editor] = useDisclosure(false);
  const [isDeleting, dialog] = useDisclosure(false);
  const [isOpen, values] = useDisclosure(false);
  const { data } = useQuery(ProjectEnvironmentsDocument, { variables: { projectId: useProjectId() } });
  const hasEnvironments = (data?.projectEnvironments.length ?? 0) > 0;
  const remove = useAction(DeleteProjectVariableDocument, {
    failure: 'Not deleted',
    refetchQueries: ['ProjectVariables'],
  });
  return (
    <Group gap="xs" justify="flex-end" wrap="wrap">
      <Button size="compact-sm" variant="default" aria-label={`Edit ${name}`} onClick={editor.open}>
        Edit
      </Button>
      {hasEnvironments && (
        <Button size="compact-sm" variant="default" aria-label={`Values of ${name}`} onClick={values.open}>
          Values
        </Button>
      )}
      <Button size="compact-sm" variant="default" aria-label={`Delete ${name}`} onClick={dialog.open}>
        Delete
      </Button>
      {isEditing && <VariableDialog variable={row} onClose={editor.close} />}
      {isOpen && <VariableValuesDialog variable={row} onClose={values.close} />}
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
