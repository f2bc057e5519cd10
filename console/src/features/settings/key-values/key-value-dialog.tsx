import { NumberInput, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { focusFirstError } from '@/shared/forms/focus-first-error';
import { FormDialog } from '@/shared/forms/form-dialog';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { MONOSPACE_INPUT } from '@/shared/forms/monospace-input';
import { notifySuccess } from '@/shared/notify';
import { useProjectId } from '@/shared/project/use-project';
import { SetKeyValueEntryDocument } from './key-values.generated';
import type { KeyValueRow } from './key-values-section';

/** Creates an entry (`entry` null) or writes its value, unless a run has written it since it was shown. */
export function KeyValueDialog({ entry, onClose }: { entry: KeyValueRow | null; onClose: () => void }) {
  const projectId = useProjectId();
  const form = useForm({
    initialValues: {
      key: entry?.key ?? '',
      value: entry ? JSON.stringify(entry.value, null, 2) : '',
      ttlSeconds: '' as number | '',
    },
    validate: { value: text => (parse(text) === undefined ? 'Enter JSON, such as 5, "text" or {"a": 1}' : null) },
  });
  const { submit, isBusy, problem } = useFormMutation(SetKeyValueEntryDocument, {
    form,
    refetchQueries: ['KeyValueEntries'],
    onDone: () => {
      notifySuccess(`“${form.values.key}” is saved.`);
      onClose();
    },
  });
  const write = ({ key, value, ttlSeconds }: typeof form.values) =>
    submit({
      input: {
        projectId,
        key,
        value: parse(value)?.value,
        ttlSeconds: ttlSeconds === '' ? null : ttlSeconds,
        // An empty version: the key must not exist yet.
        expectedVersion: entry?.version ?? '',
      },
    });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={entry ? 'Edit entry' : 'New entry'}
      submitLabel={entry ? 'Save' : 'Create entry'}
      isBusy={isBusy}
      problem={problem}
      onSubmit={form.onSubmit(write, focusFirstError)}
    >
      <TextInput
        label="Key"
        placeholder="invoice-number"
        required
        maxLength={256}
        disabled={entry !== null}
        data-autofocus={entry === null || undefined}
        {...form.getInputProps('key')}
      />
      <Textarea
        label="Value"
        description="JSON, at most 64 KB"
        required
        autosize
        minRows={2}
        maxRows={14}
        styles={MONOSPACE_INPUT}
        data-autofocus={entry !== null || undefined}
        {...form.getInputProps('value')}
      />
      <NumberInput
        label="Lifetime in seconds"
        description="Empty: the entry stays"
        min={1}
        max={315_360_000}
        allowDecimal={false}
        {...form.getInputProps('ttlSeconds')}
      />
    </FormDialog>
  );
}

/** The parsed text; undefined: it is not JSON. */
function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
