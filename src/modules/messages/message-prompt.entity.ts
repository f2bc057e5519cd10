import { defineEntity, p } from '@mikro-orm/core';
import { Prompt } from '../prompts/prompt.js';
import { Message } from './message.js';

/** Links messages to the prompts that they send. */
export const MessagePromptEntity = defineEntity({
  name: 'MessagePrompt',
  tableName: 'message_prompt',
  properties: {
    message: () =>
      p
        .manyToOne(Message)
        .primary()
        .deleteRule('cascade')
        .updateRule('no action')
        .foreignKeyName('message_prompt_message_id_fkey'),
    prompt: () =>
      p
        .manyToOne(Prompt)
        .primary()
        .deleteRule('cascade')
        .updateRule('no action')
        .foreignKeyName('message_prompt_prompt_id_fkey'),
  },
  indexes: [{ name: 'message_prompt_of_prompt', properties: ['prompt'] }],
});
