import { JsonInput, NumberInput, Select, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { PAGE_ACCESS } from './trigger-texts';
import type { TriggerValues } from './trigger-values';

/** Fields for the page of a chat, and for the input of its runs. */
export function ChatFields({ form }: { form: UseFormReturnType<TriggerValues> }) {
  return (
    <>
      <Select label="Who can write" data={PAGE_ACCESS} allowDeselect={false} {...form.getInputProps('chat.access')} />
      <TextInput
        label="Title of the page"
        description="Empty: the name"
        maxLength={255}
        {...form.getInputProps('chat.title')}
      />
      <Textarea
        label="Greeting"
        description="First text of the conversation"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={2000}
        {...form.getInputProps('chat.greeting')}
      />
      {form.values.chat.access === 'PUBLIC' && (
        <TagsInput
          label="Sites that may embed it"
          description="Origins, for example https://example.com"
          placeholder="Enter one and press Enter"
          maxTags={20}
          {...form.getInputProps('chat.allowedOrigins')}
        />
      )}
      <JsonInput
        label="Mapping"
        description="Input of the run with {{ input.message }}, {{ input.history }} and {{ input.conversation_id }}. Empty: all of them"
        placeholder='{"question": "{{ input.message }}"}'
        autosize
        minRows={2}
        maxRows={8}
        {...form.getInputProps('chat.mapping')}
      />
      <NumberInput
        label="Earlier messages in the history"
        min={0}
        max={50}
        {...form.getInputProps('chat.historyMessages')}
      />
      <Switch label="Show the steps of the run" {...form.getInputProps('chat.showsSteps', { type: 'checkbox' })} />
    </>
  );
}
