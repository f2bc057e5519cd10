import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { IconPlus, IconVariable } from '@/icons';
import { EmptyState } from '@/shared/layout/empty-state';
import { type Column, DataTable } from '@/shared/lists/data-table';
import type { ScenarioView } from './scenario-query';
import { VariableDialog } from './variables/variable-dialog';
import { summaryOf } from './variables/variables-screen';

type Variable = ScenarioView['variables'][number];

/** The variables that the scenario refers to. */
export function ScenarioVariables({ scenario }: { scenario: ScenarioView }) {
  const [open, setOpen] = useState<'new' | number | null>(null);
  const columns: Column<Variable>[] = [
    {
      id: 'key',
      header: 'Variable',
      cell: ({ id, key }) => (
        <Button variant="transparent" size="compact-sm" px={0} c="inherit" fw={500} onClick={() => setOpen(id)}>
          {key}
        </Button>
      ),
    },
    {
      id: 'values',
      header: 'Values',
      cell: ({ variableNames }) => (
        <Text fz="sm" c="dimmed" lineClamp={1}>
          {summaryOf(variableNames)}
        </Text>
      ),
    },
    {
      id: 'count',
      header: 'Active',
      align: 'end',
      isWide: true,
      cell: ({ variableNames }) => (
        <span className="tabular">
          {variableNames.filter(({ isActive }) => isActive).length} of {variableNames.length}
        </span>
      ),
    },
  ];
  const create = scenario.canEdit && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen('new')}>
      New variable
    </Button>
  );
  return (
    <>
      {scenario.variables.length > 0 && (
        <Group justify="space-between" mb="sm">
          <Text fz="sm" c="dimmed">
            Those that prompts, conditions and loops refer to, and the global ones.
          </Text>
          {create}
        </Group>
      )}
      <DataTable
        label="Variables"
        columns={columns}
        rows={scenario.variables}
        keyOf={({ id }) => id}
        onOpen={({ id }) => setOpen(id)}
        empty={
          <EmptyState icon={IconVariable} title="The scenario uses no variables" action={create}>
            Create one, then insert it into a prompt or let a message loop over its values.
          </EmptyState>
        }
      />
      <VariableDialog
        open={open}
        onClose={() => setOpen(null)}
        isReadOnly={!scenario.canEdit}
        refetchQueries={['ScenarioEditor', 'NamedVariables']}
      />
    </>
  );
}
