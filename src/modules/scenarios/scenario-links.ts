import type { PartLink } from '../projects/parts/part-loaders.js';

export const MESSAGES_OF_SCENARIO: PartLink = {
  table: 'scenario_message',
  from: 'scenario_id',
  to: 'message_id',
  target: 'message',
};

export const SCENARIOS_OF_MESSAGE: PartLink = {
  table: 'scenario_message',
  from: 'message_id',
  to: 'scenario_id',
  target: 'scenario',
};
