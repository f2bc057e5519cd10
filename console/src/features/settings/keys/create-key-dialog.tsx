import { Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormDialog } from '@/shared/forms/form-dialog';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { CreateApiKeyDocument } from './keys.generated';

const DAY_MS = 86_400_000;
/** By days. Empty: no end. */
const LIFETIMES = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: '', label: 'Never' },
];

interface CreateKeyDialogProps {
  isOpen: boolean;
  onClose: () => void;
  isAdmin: boolean;
  /** Receives the key, which the service shows only now. */
  onCreated: (key: string | null) => void;
}

/** Creates an API key. `isAdmin`: whether the viewer is an administrator of the service, who may set a request limit. */
export function CreateKeyDialog({ isOpen, onClose, isAdmin, onCreated }: CreateKeyDialogProps) {
  const form = useForm({ initialValues: { name: '', expiresAt: '90', rateLimit: '' } });
  const { submit, isBusy, problem } = useFormMutation(CreateApiKeyDocument, {
    form,
    refetchQueries: ['ApiKeys'],
    onDone: ({ apiKeyCreate }) => {
      form.reset();
      onClose();
      onCreated(apiKeyCreate?.apiKey?.key ?? null);
    },
  });
  const toInput = ({ name, expiresAt, rateLimit }: typeof form.values) => ({
    name: name.trim(),
    ...(expiresAt === '' ? {} : { expiresAt: new Date(Date.now() + Number(expiresAt) * DAY_MS).toISOString() }),
    ...(rateLimit.trim() === '' ? {} : { rateLimit: Number(rateLimit) }),
  });
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="New API key"
      submitLabel="Create key"
      isBusy={isBusy}
      problem={problem}
      onSubmit={form.onSubmit(values => submit({ input: toInput(values) }))}
    >
      <TextInput
        label="Name"
        description="Where it is used, for example “CI pipeline”"
        required
        data-autofocus
        maxLength={255}
        {...form.getInputProps('name')}
      />
      <Select label="Expires after" data={LIFETIMES} allowDeselect={false} {...form.getInputProps('expiresAt')} />
      {isAdmin && (
        <TextInput
          label="Requests per minute"
          description="Empty: the limit of the service. 0: unlimited."
          inputMode="numeric"
          pattern="[0-9]*"
          {...form.getInputProps('rateLimit')}
        />
      )}
    </FormDialog>
  );
}
