import { partLink } from '../projects/parts/part-loaders.js';

export const MESSAGES_OF_SCENARIO = partLink({
  table: 'scenario_message',
  from: 'scenario_id',
  to: 'message_id',
  target: 'message',
});

export const SCENARIOS_OF_MESSAGE = partLink({
  table: 'scenario_message',
  from: 'message_id',
  to: 'scenario_id',
  target: 'scenario',
});
