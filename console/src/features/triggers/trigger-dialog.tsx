import { JsonInput, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { focusFirstError } from '@/shared/forms/focus-first-error';
import { FormDialog } from '@/shared/forms/form-dialog';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { MAX_OPTIONS } from '@/shared/lists/whole-list';
import { notifySuccess } from '@/shared/notify';
import { EnvironmentSelect } from '@/shared/project/environment-select';
import { useWorkflowChoices } from '@/shared/project/use-choices';
import { ChatFields } from './chat-fields';
import { EventFields, FailureFields } from './event-fields';
import { FormFields } from './form-fields';
import { ScheduleFields } from './schedule-fields';
import { formatTime, NOUNS } from './trigger-texts';
import { checkValues, type TriggerKind, toInput, toValues } from './trigger-values';
import { CreateTriggerDocument, type TriggerDetailFragment, UpdateTriggerDocument } from './triggers.generated';
import { WebhookFields } from './webhook-fields';

interface TriggerDialogProps {
  kind: TriggerKind;
  /** Absent: a new trigger. */
  trigger?: TriggerDetailFragment;
  /** The workflow of a new trigger. Absent: the dialog asks for it. */
  workflowId?: number;
  onClose: () => void;
  onCreated?: (id: number) => void;
}

/** Creates or changes a trigger. */
export function TriggerDialog({ kind, trigger, workflowId, onClose, onCreated }: TriggerDialogProps) {
  const form = useForm({
    initialValues: toValues(trigger ?? null, trigger?.workflowId ?? workflowId ?? null),
    validate: checkValues,
  });
  const finish = (saved: TriggerDetailFragment | null | undefined) => {
    const next = saved?.nextAt ? ` Next run: ${formatTime(saved.nextAt)}.` : '';
    notifySuccess(`“${form.values.name.trim()}” is saved.${next}`);
    onClose();
    if (!trigger && saved) onCreated?.(saved.id);
  };
  const creation = useFormMutation(CreateTriggerDocument, {
    form,
    refetchQueries: ['Triggers'],
    onDone: data => finish(data.workflowTriggerCreate?.workflowTrigger),
  });
  const change = useFormMutation(UpdateTriggerDocument, {
    form,
    onDone: data => finish(data.workflowTriggerUpdate?.workflowTrigger),
  });
  const noun = NOUNS[kind];
  const submit = (values: typeof form.values) => {
    const input = toInput(kind, values);
    return trigger
      ? change.submit({ id: trigger.id, input })
      : creation.submit({ input: { ...input, workflowId: Number(values.workflowId) } });
  };
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={trigger ? `Edit ${noun}` : `New ${noun}`}
      submitLabel={trigger ? 'Save' : `Create ${noun}`}
      isBusy={creation.isBusy || change.isBusy}
      problem={creation.problem ?? change.problem}
      onSubmit={form.onSubmit(submit, focusFirstError)}
    >
      <TextInput label="Name" required data-autofocus maxLength={255} {...form.getInputProps('name')} />
      {!trigger && workflowId === undefined && <WorkflowSelect {...form.getInputProps('workflowId')} />}
      {kind === 'SCHEDULE' && <ScheduleFields form={form} />}
      {kind === 'WEBHOOK' && <WebhookFields form={form} isNew={!trigger} />}
      {kind === 'EVENT' && <EventFields form={form} />}
      {kind === 'FORM' && <FormFields form={form} />}
      {kind === 'CHAT' && <ChatFields form={form} />}
      {kind === 'FAILURE' && <FailureFields form={form} />}
      <JsonInput
        label="Input"
        description="Fixed values of the input fields by their id, a JSON object"
        autosize
        minRows={2}
        maxRows={8}
        {...form.getInputProps('input')}
      />
      <EnvironmentSelect
        value={form.values.environment}
        error={form.errors.environment as string | undefined}
        onChange={value => form.setFieldValue('environment', value)}
      />
    </FormDialog>
  );
}

function WorkflowSelect(props: object) {
  const options = useWorkflowChoices().map(({ id, title }) => ({ value: String(id), label: title }));
  return (
    <Select label="Workflow" required searchable limit={MAX_OPTIONS} allowDeselect={false} data={options} {...props} />
  );
}
