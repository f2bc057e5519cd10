import { useQuery } from '@apollo/client/react';
import { Button, Group, MultiSelect, Select } from '@mantine/core';
import { IconX } from '@/icons';
import { useSetSearch } from '@/shared/list-search';
import { labelOfState } from '@/shared/status-badge';
import { COSTS, isFiltered, RUN_STATES, type RunsSearch } from './run-filter';
import { RunListChoicesDocument } from './runs.generated';

const PERIOD_LABELS = [
  { value: '1h', label: 'Last hour' },
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
];
const STATE_LABELS = RUN_STATES.map(state => ({ value: state, label: labelOfState(state) }));

/** The filters of the list. They are kept in the address. */
export function RunFilters({ projectId, search }: { projectId: number; search: RunsSearch }) {
  const setSearch = useSetSearch<RunsSearch & { page?: number }>();
  const { data } = useQuery(RunListChoicesDocument, { variables: { projectId } });
  const workflows = data?.workflows.items.map(({ id, title }) => ({ value: String(id), label: title })) ?? [];
  return (
    <Group gap="xs" mb="md" align="flex-start">
      <Select
        aria-label="Workflow"
        placeholder="All workflows"
        data={workflows}
        value={search.workflow === undefined ? null : String(search.workflow)}
        onChange={id => setSearch({ workflow: id === null ? undefined : Number(id) })}
        searchable
        clearable
        w={{ base: '100%', xs: 220 }}
        clearButtonProps={{ 'aria-label': 'All workflows' }}
      />
      <MultiSelect
        aria-label="State"
        placeholder={search.states === undefined ? 'Any state' : undefined}
        data={STATE_LABELS}
        value={search.states ?? []}
        onChange={states => setSearch({ states: states.length === 0 ? undefined : (states as RunsSearch['states']) })}
        clearable
        w={{ base: '100%', xs: 'auto' }}
        miw={{ xs: 200 }}
        maw={{ xs: 420 }}
        clearButtonProps={{ 'aria-label': 'Any state' }}
      />
      <Select
        aria-label="Period"
        placeholder="Any time"
        data={PERIOD_LABELS}
        value={search.period ?? null}
        onChange={period => setSearch({ period: (period ?? undefined) as RunsSearch['period'] })}
        clearable
        w={{ base: '100%', xs: 170 }}
        clearButtonProps={{ 'aria-label': 'Any time' }}
      />
      <Select
        aria-label="Cost"
        placeholder="Any cost"
        data={COSTS.map(cost => ({ value: cost, label: `At least $${cost}` }))}
        value={search.cost ?? null}
        onChange={cost => setSearch({ cost: (cost ?? undefined) as RunsSearch['cost'] })}
        clearable
        w={{ base: '100%', xs: 160 }}
        clearButtonProps={{ 'aria-label': 'Any cost' }}
      />
      {isFiltered(search) && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconX size={15} />}
          onClick={() => setSearch({ workflow: undefined, states: undefined, period: undefined, cost: undefined })}
        >
          Clear
        </Button>
      )}
    </Group>
  );
}
