import { PasswordInput, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormDialog } from '@/shared/forms/form-dialog';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { notifySuccess } from '@/shared/notify';
import { useProjectId } from '@/shared/project/use-project';
import { CreateProjectVariableDocument, UpdateProjectVariableDocument } from './variables.generated';
import type { VariableRow } from './variables-section';

/** Creates a variable (`variable` null) or changes one. The value of a secret is kept while its field is empty. */
export function VariableDialog({ variable, onClose }: { variable: VariableRow | null; onClose: () => void }) {
  const projectId = useProjectId();
  const form = useForm({
    initialValues: {
      name: variable?.name ?? '',
      value: variable && !variable.isSecret ? variable.value : '',
      isSecret: variable?.isSecret ?? false,
      allowedHosts: variable?.allowedHosts ?? [],
    },
  });
  const options = {
    form,
    refetchQueries: ['ProjectVariables'],
    onDone: () => {
      notifySuccess(`“${form.values.name.trim()}” is saved.`);
      onClose();
    },
  };
  const creation = useFormMutation(CreateProjectVariableDocument, options);
  const change = useFormMutation(UpdateProjectVariableDocument, options);
  const { isSecret } = form.values;
  const keepsValue = variable?.isSecret === true && form.values.value === '';
  const submit = ({ name, value, allowedHosts }: typeof form.values) => {
    const input = { name: name.trim(), isSecret, allowedHosts: isSecret ? allowedHosts : [] };
    return variable
      ? change.submit({ id: variable.id, input: { ...input, ...(keepsValue ? {} : { value }) } })
      : creation.submit({ input: { ...input, projectId, value } });
  };
  const valueField = {
    label: 'Value',
    description: variable?.isSecret ? 'Empty: the stored value is kept' : 'At most 16 KB',
    ...form.getInputProps('value'),
  };
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={variable ? 'Edit variable' : 'New variable'}
      submitLabel={variable ? 'Save' : 'Create variable'}
      isBusy={creation.isBusy || change.isBusy}
      problem={creation.problem ?? change.problem}
      onSubmit={form.onSubmit(submit)}
    >
      <TextInput
        label="Name"
        description="Letters, digits and underscores"
        placeholder="API_TOKEN"
        required
        maxLength={64}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Switch
        label="Secret"
        description="Stored encrypted, never shown again, and masked in runs"
        {...form.getInputProps('isSecret', { type: 'checkbox' })}
      />
      {isSecret ? (
        <PasswordInput
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': 'Show the value' }}
          {...valueField}
        />
      ) : (
        <Textarea autosize minRows={1} maxRows={10} {...valueField} />
      )}
      {isSecret && (
        <TagsInput
          label="Allowed hosts"
          description="The secret is sent only to these hosts. Empty: any host"
          placeholder="api.example.com"
          {...form.getInputProps('allowedHosts')}
        />
      )}
    </FormDialog>
  );
}
