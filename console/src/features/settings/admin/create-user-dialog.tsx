import { Checkbox, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormDialog } from '@/shared/forms/form-dialog';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { notifySuccess } from '@/shared/notify';
import { CreateUserDocument } from './admin.generated';

const EMPTY = { email: '', name: '', password: '', isAdmin: false, isApiAllowed: true };

/** Creates a user, with or without a password. */
export function CreateUserDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const form = useForm({ initialValues: EMPTY });
  const { submit, isBusy, problem } = useFormMutation(CreateUserDocument, {
    form,
    refetchQueries: ['Users'],
    onDone: (_, { input }) => {
      notifySuccess(`${input.email} is created.`);
      form.reset();
      onClose();
    },
  });
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="New user"
      submitLabel="Create user"
      isBusy={isBusy}
      problem={problem}
      onSubmit={form.onSubmit(({ password, ...input }) =>
        submit({ input: { ...input, email: input.email.trim(), ...(password === '' ? {} : { password }) } }),
      )}
    >
      <TextInput label="Email" type="email" required data-autofocus maxLength={254} {...form.getInputProps('email')} />
      <TextInput label="Name" maxLength={255} {...form.getInputProps('name')} />
      <PasswordInput
        label="Password"
        description="8 characters or more. Empty: the user signs in by a link."
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
        {...form.getInputProps('password')}
      />
      <Checkbox label="May create API keys" {...form.getInputProps('isApiAllowed', { type: 'checkbox' })} />
      <Checkbox label="Administrator of the service" {...form.getInputProps('isAdmin', { type: 'checkbox' })} />
    </FormDialog>
  );
}
