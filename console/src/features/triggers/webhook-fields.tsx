import { JsonInput, MultiSelect, NumberInput, PasswordInput, Select, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { VERIFICATIONS } from './trigger-texts';
import type { TriggerValues } from './trigger-values';

const METHODS = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'];
const REPLIES = [
  { value: 'ACCEPTED', label: 'At once, with the id of the run' },
  { value: 'RESULT', label: 'With the result of the run' },
];
/** Verifications whose signatures contain a time. */
const TIMED_VERIFICATIONS = ['STRIPE', 'SLACK', 'STANDARD_WEBHOOKS'];

/** Fields for the calls of a webhook and their answers. */
export function WebhookFields({ form, isNew }: { form: UseFormReturnType<TriggerValues>; isNew: boolean }) {
  const { verification, reply } = form.values.webhook;
  return (
    <>
      <Select
        label="Proof of the sender"
        data={VERIFICATIONS}
        allowDeselect={false}
        {...form.getInputProps('webhook.verification')}
      />
      {verification === 'HEADER' && (
        <TextInput label="Header" required maxLength={64} {...form.getInputProps('webhook.headerName')} />
      )}
      {verification !== 'NONE' && (
        <PasswordInput
          label="Secret"
          description={secretHint(verification, isNew)}
          required={isNew}
          maxLength={1024}
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': 'Show the secret' }}
          {...form.getInputProps('webhook.secret')}
        />
      )}
      {TIMED_VERIFICATIONS.includes(verification) && (
        <NumberInput
          label="Maximum age of signatures"
          suffix=" s"
          min={1}
          max={3600}
          {...form.getInputProps('webhook.toleranceSeconds')}
        />
      )}
      <MultiSelect label="Methods" required data={METHODS} {...form.getInputProps('webhook.methods')} />
      <Select label="Answer" data={REPLIES} allowDeselect={false} {...form.getInputProps('webhook.reply')} />
      {reply === 'RESULT' && (
        <NumberInput
          label="Wait for the result at most"
          description="After this time the call is answered with the id of the run"
          suffix=" s"
          min={1}
          max={60}
          {...form.getInputProps('webhook.waitSeconds')}
        />
      )}
      <JsonInput
        label="Mapping"
        description="Input of the run, a JSON object with placeholders. Empty: body, headers, query and method"
        placeholder={'{"title": "{{ input.body.issue.title }}"}'}
        autosize
        minRows={2}
        maxRows={8}
        {...form.getInputProps('webhook.mapping')}
      />
    </>
  );
}

function secretHint(verification: string, isNew: boolean): string {
  const format = verification === 'BASIC' ? 'User and password as user:password. ' : '';
  return format + (isNew ? 'Stored encrypted and never shown again' : 'Empty: the stored secret is kept');
}
