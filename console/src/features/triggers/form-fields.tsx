import { NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { PAGE_ACCESS } from './trigger-texts';
import type { TriggerValues } from './trigger-values';

/** Fields for the page of a form. The fields of the page itself are the input fields of the workflow. */
export function FormFields({ form }: { form: UseFormReturnType<TriggerValues> }) {
  return (
    <>
      <Select
        label="Who can submit it"
        data={PAGE_ACCESS}
        allowDeselect={false}
        {...form.getInputProps('form.access')}
      />
      <TextInput
        label="Title of the page"
        description="Empty: the name"
        maxLength={255}
        {...form.getInputProps('form.title')}
      />
      <Textarea
        label="Text above the fields"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={2000}
        {...form.getInputProps('form.description')}
      />
      <TextInput label="Button" required maxLength={60} {...form.getInputProps('form.submitLabel')} />
      <TextInput label="Text after the submission" required maxLength={2000} {...form.getInputProps('form.thanks')} />
      <Switch label="Show the result of the run" {...form.getInputProps('form.showsResult', { type: 'checkbox' })} />
      {form.values.form.showsResult && (
        <NumberInput
          label="Wait for the result at most"
          suffix=" s"
          min={1}
          max={60}
          {...form.getInputProps('form.waitSeconds')}
        />
      )}
    </>
  );
}
