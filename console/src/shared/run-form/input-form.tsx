import { Alert, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { focusFirstError } from '@/shared/forms/focus-first-error';
import { InputElement } from './input-element';
import { type FormValues, formFaults, type InputField } from './input-fields';

export interface InputFormProps {
  fields: readonly InputField[];
  initialValues: FormValues;
  /** Why the last start was refused. */
  problem: ReactNode;
  /** Shown below the fields. */
  children?: ReactNode;
  /** The buttons. `validate` shows the faults of the values and returns whether there are none. `isDirty`: whether a value was changed. */
  actions: (form: { values: FormValues; validate: () => boolean; isDirty: () => boolean }) => ReactNode;
  onChange?: () => void;
  /** Called only with valid values. */
  onSubmit: (values: FormValues) => void;
}

/** The form of the input of a run: of a new one, and of an earlier one whose input is edited. */
export function InputForm(props: InputFormProps) {
  const { fields, initialValues, problem, children, actions, onChange, onSubmit } = props;
  const form = useForm<FormValues>({ initialValues, validate: values => formFaults(fields, values) });
  return (
    <form onSubmit={form.onSubmit(onSubmit, focusFirstError)} aria-label="Input of the run" noValidate>
      <Stack gap="md">
        {fields.map(field => (
          <InputElement
            key={field.key}
            field={field}
            value={form.values[field.key] ?? ''}
            error={Object.hasOwn(form.errors, field.key) ? form.errors[field.key] : null}
            onChange={value => {
              form.setFieldValue(field.key, value);
              onChange?.();
            }}
          />
        ))}
        {children}
        {problem !== null && (
          <Alert color="red" role="alert" title="The run was not started">
            {problem}
          </Alert>
        )}
        <Group justify="flex-end" gap="xs">
          {actions({
            values: form.values,
            validate: () => !form.validate().hasErrors,
            isDirty: () => form.isDirty(),
          })}
        </Group>
      </Stack>
    </form>
  );
}
