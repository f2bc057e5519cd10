import { JsonInput, MultiSelect, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { MAX_OPTIONS } from '@/shared/lists/whole-list';
import { useWorkflowChoices } from '@/shared/project/use-choices';
import type { TriggerValues } from './trigger-values';

type Form = UseFormReturnType<TriggerValues>;

/** Fields for the events that start runs. */
export function EventFields({ form }: { form: Form }) {
  return (
    <>
      <TextInput
        label="Name of the event"
        placeholder="order-paid"
        required
        maxLength={200}
        {...form.getInputProps('event.name')}
      />
      <TextInput
        label="Correlation key"
        description="Empty: events with any key"
        maxLength={500}
        {...form.getInputProps('event.correlationKey')}
      />
      <JsonInput
        label="Mapping"
        description="Input of the run, for example {&quot;topic&quot;: &quot;{{ input.payload.title }}&quot;}. Empty: the whole event"
        autosize
        minRows={2}
        maxRows={8}
        {...form.getInputProps('event.mapping')}
      />
    </>
  );
}

/** Fields for the workflows whose failures start runs. */
export function FailureFields({ form }: { form: Form }) {
  const own = form.values.workflowId;
  const options = useWorkflowChoices()
    .map(({ id, title }) => ({ value: String(id), label: title }))
    .filter(({ value }) => value !== own);
  return (
    <MultiSelect
      label="Workflows"
      description="Failed runs of these workflows start a run. None: all other workflows of the project"
      searchable
      limit={MAX_OPTIONS}
      clearable
      data={options}
      {...form.getInputProps('failure.workflowIds')}
    />
  );
}
