import { JsonInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { focusFirstError } from '@/shared/forms/focus-first-error';
import { FormDialog } from '@/shared/forms/form-dialog';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { useIdempotencyKey } from '@/shared/forms/use-idempotency-key';
import { notifySuccess } from '@/shared/notify';
import { useProjectId } from '@/shared/project/use-project';
import { SendEventDocument } from './send-event.generated';

export interface SendEventDialogProps {
  /** The event that a run waits for. Absent: the fields are empty. */
  event?: { name: string; correlationKey: string };
  onClose: () => void;
}

/** Sends an event to the runs of the project that wait for it. */
export function SendEventDialog({ event, onClose }: SendEventDialogProps) {
  const projectId = useProjectId();
  const idempotencyKeyOf = useIdempotencyKey();
  const form = useForm({
    initialValues: { name: event?.name ?? '', correlationKey: event?.correlationKey ?? '', payload: '' },
    validate: { payload: text => (text.trim() === '' || isJson(text) ? null : 'must be JSON') },
  });
  const { submit, isBusy, problem } = useFormMutation(SendEventDocument, {
    form,
    onDone: (_, { name }) => {
      notifySuccess(`The event “${name}” was sent.`);
      onClose();
    },
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Send event"
      submitLabel="Send event"
      isBusy={isBusy}
      problem={problem}
      onSubmit={form.onSubmit(({ name, correlationKey, payload: text }) => {
        const payload = text.trim() === '' ? null : JSON.parse(text);
        const input = { projectId, name: name.trim(), correlationKey, payload };
        return submit({ ...input, idempotencyKey: idempotencyKeyOf(input) });
      }, focusFirstError)}
    >
      <Text fz="sm" c="dimmed">
        Every run with a node “Wait for event” for this name and this correlation key continues with the payload.
      </Text>
      <TextInput
        label="Name"
        placeholder="payment-received"
        required
        maxLength={200}
        data-autofocus={event === undefined || undefined}
        {...form.getInputProps('name')}
      />
      <TextInput
        label="Correlation key"
        description="Selects the runs, for example by the id of an order. Empty: runs that wait without a key."
        maxLength={500}
        {...form.getInputProps('correlationKey')}
      />
      <JsonInput
        label="Payload"
        description="Any JSON value, which becomes the content of the node. Empty: null."
        placeholder={'{ "amount": 20 }'}
        autosize
        minRows={3}
        maxRows={12}
        formatOnBlur
        data-autofocus={event !== undefined || undefined}
        {...form.getInputProps('payload')}
      />
    </FormDialog>
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
