import { Button, Group, MultiSelect, Select, TagsInput, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { IconSearch, IconX } from '@/icons';
import { useSetSearch } from '@/shared/lists/list-search';
import { MAX_OPTIONS } from '@/shared/lists/whole-list';
import { useWorkflowChoices } from '@/shared/project/use-choices';
import { labelOfState } from '@/shared/status-badge';
import { COSTS, isFiltered, MAX_TAG, MAX_TAGS, MAX_TEXT, NO_FILTERS, RUN_STATES, type RunsSearch } from './run-filter';

const PERIOD_LABELS = [
  { value: '1h', label: 'Last hour' },
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
];
const STATE_LABELS = RUN_STATES.map(state => ({ value: state, label: labelOfState(state) }));

/** The width of a filter on a phone: two in a row. */
const HALF = 'calc(50% - var(--mantine-spacing-xs) / 2)';

interface RunFiltersProps {
  search: RunsSearch;
  /** Tags to offer. */
  knownTags: readonly string[];
}

/** The filters of the list. They are kept in the address. */
export function RunFilters({ search, knownTags }: RunFiltersProps) {
  const setSearch = useSetSearch<RunsSearch & { page?: number }>();
  const workflows = useWorkflowChoices().map(({ id, title }) => ({ value: String(id), label: title }));
  return (
    <Group gap="xs" mb="md" align="flex-start">
      <Select
        aria-label="Workflow"
        placeholder="All workflows"
        data={workflows}
        value={search.workflow === undefined ? null : String(search.workflow)}
        onChange={id => setSearch({ workflow: id === null ? undefined : Number(id) })}
        searchable
        limit={MAX_OPTIONS}
        clearable
        w={{ base: HALF, xs: 220 }}
        clearButtonProps={{ 'aria-label': 'All workflows' }}
      />
      <MultiSelect
        aria-label="State"
        placeholder={search.states === undefined ? 'Any state' : undefined}
        data={STATE_LABELS}
        value={search.states ?? []}
        onChange={states => setSearch({ states: states.length === 0 ? undefined : (states as RunsSearch['states']) })}
        clearable
        w={{ base: HALF, xs: 'auto' }}
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
        w={{ base: HALF, xs: 170 }}
        clearButtonProps={{ 'aria-label': 'Any time' }}
      />
      <Select
        aria-label="Cost"
        placeholder="Any cost"
        data={COSTS.map(cost => ({ value: cost, label: `At least $${cost}` }))}
        value={search.cost ?? null}
        onChange={cost => setSearch({ cost: (cost ?? undefined) as RunsSearch['cost'] })}
        clearable
        w={{ base: HALF, xs: 160 }}
        clearButtonProps={{ 'aria-label': 'Any cost' }}
      />
      <TagsInput
        aria-label="Tags"
        placeholder={search.tags === undefined ? 'Any tag' : undefined}
        data={[...knownTags]}
        value={search.tags ?? []}
        onChange={tags => setSearch({ tags: tags.length === 0 ? undefined : tags.map(tag => tag.slice(0, MAX_TAG)) })}
        maxTags={MAX_TAGS}
        w={{ base: HALF, xs: 'auto' }}
        miw={{ xs: 160 }}
        maw={{ xs: 360 }}
      />
      <TextFilter text={search.text ?? ''} onChange={text => setSearch({ text: text === '' ? undefined : text })} />
      {isFiltered(search) && (
        <Button variant="subtle" color="gray" leftSection={<IconX size={15} />} onClick={() => setSearch(NO_FILTERS)}>
          Clear
        </Button>
      )}
    </Group>
  );
}

const DEBOUNCE_MS = 400;

/** Changes the address when the user pauses. */
function TextFilter({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  const change = useDebouncedCallback(onChange, DEBOUNCE_MS);
  return (
    <TextInput
      aria-label="Text"
      placeholder="Text or id"
      title="Text of the input or the result, or the start or the end of the id. Searches the newest 10,000 runs that match the other filters."
      leftSection={<IconSearch size={15} />}
      value={typed}
      maxLength={MAX_TEXT}
      onChange={event => {
        setTyped(event.currentTarget.value);
        change(event.currentTarget.value);
      }}
      w={{ base: HALF, xs: 200 }}
    />
  );
}
