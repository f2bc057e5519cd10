import { partLink } from '../projects/parts/part-loaders.js';

export const PROMPTS_OF_MESSAGE = partLink({
  table: 'message_prompt',
  from: 'message_id',
  to: 'prompt_id',
  target: 'prompt',
});

export const MESSAGES_OF_PROMPT = partLink({
  table: 'message_prompt',
  from: 'prompt_id',
  to: 'message_id',
  target: 'message',
});
