import { defineEntity, p } from '@mikro-orm/core';
import { Message } from '../messages/message.js';
import { Scenario } from './scenario.js';

/** Links scenarios to their messages. */
export const ScenarioMessageEntity = defineEntity({
  name: 'ScenarioMessage',
  tableName: 'scenario_message',
  properties: {
    scenario: () =>
      p
        .manyToOne(Scenario)
        .primary()
        .deleteRule('cascade')
        .updateRule('no action')
        .foreignKeyName('scenario_message_scenario_id_fkey'),
    message: () =>
      p
        .manyToOne(Message)
        .primary()
        .deleteRule('cascade')
        .updateRule('no action')
        .foreignKeyName('scenario_message_message_id_fkey'),
  },
  indexes: [{ name: 'scenario_message_of_message', properties: ['message'] }],
});
