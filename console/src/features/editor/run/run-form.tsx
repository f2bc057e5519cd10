import {
  Alert,
  Button,
  Group,
  JsonInput,
  MultiSelect,
  NumberInput,
  PasswordInput,
  Select,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { IconPlayerPlay } from '@/icons';
import { focusFirstError } from '@/shared/forms/focus-first-error';
import { EnvironmentSelect } from '@/shared/project/environment-select';
import {
  type FormValues,
  formFaults,
  hasSecretDefault,
  type InputField,
  initialValues,
  inputOf,
  loadRememberedValues,
  rememberValues,
} from '../model/input-fields';
import { CopyRequestMenu } from './copy-request-menu';
import { FileElement } from './file-element';

export interface RunFormProps {
  /** The workflow of the remembered values and of the copied requests. */
  workflowId: number;
  fields: readonly InputField[];
  isBusy: boolean;
  /** Why the last start was refused. */
  problem: ReactNode;
  submitLabel?: string;
  /** Whether the person can start runs by requests. */
  showsRequests?: boolean;
  /** Whether the person can select the environment of the project. */
  hasEnvironments?: boolean;
  onRun: (input: Record<string, unknown>, environment?: string) => void;
}

/** Asks for the input of a run. Values are remembered in this browser, except secrets. */
export function RunForm({
  workflowId,
  fields,
  isBusy,
  problem,
  submitLabel = 'Run',
  showsRequests = true,
  hasEnvironments = true,
  onRun,
}: RunFormProps) {
  const [environment, setEnvironment] = useState<string | null>(null);
  const form = useForm<FormValues>({
    initialValues: initialValues(fields, loadRememberedValues(workflowId)),
    validate: values => formFaults(fields, values),
  });
  const submit = (values: FormValues) => {
    rememberValues(workflowId, fields, values);
    onRun(inputOf(fields, values), environment ?? undefined);
  };
  return (
    <form onSubmit={form.onSubmit(submit, focusFirstError)} aria-label="Input of the run" noValidate>
      <Stack gap="md">
        {fields.length === 0 && (
          <Text fz="sm" c="dimmed">
            This workflow needs no input. To ask for values, add input fields to its trigger.
          </Text>
        )}
        {fields.map(field => (
          <InputElement
            key={field.key}
            field={field}
            value={form.values[field.key] ?? ''}
            error={Object.hasOwn(form.errors, field.key) ? form.errors[field.key] : null}
            onChange={value => form.setFieldValue(field.key, value)}
          />
        ))}
        {hasEnvironments && <EnvironmentSelect value={environment} onChange={setEnvironment} />}
        {problem !== null && (
          <Alert color="red" role="alert" title="The run was not started">
            {problem}
          </Alert>
        )}
        <Group justify={showsRequests ? 'space-between' : 'flex-end'} gap="xs">
          {showsRequests && <CopyRequestMenu workflowId={workflowId} inputOf={() => inputOf(fields, form.values)} />}
          <Button type="submit" loading={isBusy} leftSection={<IconPlayerPlay size={16} />}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface InputElementProps {
  field: InputField;
  value: FormValues[string];
  error: ReactNode;
  onChange: (value: FormValues[string]) => void;
}

function InputElement({ field, value, error, onChange }: InputElementProps) {
  const { title, element, isRequired, placeholder, tooltip, options, isInteger } = field;
  const common = {
    label: title,
    description: tooltip || undefined,
    required: isRequired && !hasSecretDefault(field),
    placeholder,
    error,
  };
  const text = typeof value === 'string' ? value : '';
  const data = options.map(option => ({ value: option.value, label: option.title }));
  switch (element) {
    case 'switch':
      return (
        <Switch
          label={title}
          description={tooltip}
          error={error}
          checked={value === true}
          onChange={event => onChange(event.currentTarget.checked)}
        />
      );
    case 'number':
      return (
        <NumberInput
          {...common}
          value={text}
          onChange={next => onChange(String(next))}
          allowDecimal={!isInteger}
          clampBehavior="none"
        />
      );
    case 'select':
      return (
        <Select
          {...common}
          data={data}
          value={text === '' ? null : text}
          onChange={next => onChange(next ?? '')}
          clearable={!isRequired}
          clearButtonProps={{ 'aria-label': `Clear ${title}` }}
          searchable={data.length > 8}
        />
      );
    case 'multiselect':
      return <MultiSelect {...common} data={data} value={Array.isArray(value) ? value : []} onChange={onChange} />;
    case 'secret':
      return (
        <PasswordInput
          {...common}
          placeholder={hasSecretDefault(field) ? 'The stored value' : placeholder}
          value={text}
          onChange={event => onChange(event.currentTarget.value)}
          autoComplete="off"
        />
      );
    case 'textarea':
      return (
        <Textarea
          {...common}
          autosize
          minRows={3}
          maxRows={14}
          value={text}
          onChange={event => onChange(event.currentTarget.value)}
        />
      );
    case 'json':
      return <JsonInput {...common} autosize minRows={4} maxRows={16} formatOnBlur value={text} onChange={onChange} />;
    case 'file':
      return <FileElement {...common} value={text} onChange={onChange} />;
    case 'text':
      return (
        <Textarea
          {...common}
          autosize
          minRows={1}
          maxRows={10}
          value={text}
          onChange={event => onChange(event.currentTarget.value)}
        />
      );
    default:
      return (
        <TextInput
          {...common}
          type={HTML_TYPES[element] ?? 'text'}
          value={text}
          onChange={event => onChange(event.currentTarget.value)}
        />
      );
  }
}

const HTML_TYPES: Record<string, string> = { email: 'email', url: 'url', date: 'date', datetime: 'datetime-local' };
