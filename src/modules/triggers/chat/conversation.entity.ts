import { defineEntity, p } from '@mikro-orm/core';
import { WorkflowTriggerEntity } from '../workflow-trigger.entity.js';

/** A conversation of a visitor or member with a chat. Adding a message locks this row, which serializes positions and limits. */
export const TriggerConversationEntity = defineEntity({
  name: 'TriggerConversation',
  tableName: 'trigger_conversation',
  properties: {
    /** Derived from the trigger and the id that the client has chosen; for a member also from the user. */
    id: p.uuid().primary(),
    trigger: () =>
      p.manyToOne(WorkflowTriggerEntity).deleteRule('cascade').foreignKeyName('trigger_conversation_trigger_id_fkey'),
    messageCount: p.integer().defaultRaw('0'),
    /** Bytes of all messages and answers. */
    byteCount: p.integer().defaultRaw('0'),
    createdAt: p.datetime(3).defaultRaw('now()'),
    updatedAt: p.datetime(3).defaultRaw('now()'),
  },
  indexes: [
    { name: 'trigger_conversation_of_trigger', properties: ['trigger'] },
    { name: 'trigger_conversation_by_age', properties: ['updatedAt'] },
  ],
});

export const MESSAGE_STATES = ['pending', 'answered', 'failed'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/** A message of a visitor with its answer. */
export const ConversationMessageEntity = defineEntity({
  name: 'ConversationMessage',
  tableName: 'conversation_message',
  properties: {
    /** Also the id of its run. */
    id: p.uuid().primary(),
    conversation: () =>
      p
        .manyToOne(TriggerConversationEntity)
        .deleteRule('cascade')
        .foreignKeyName('conversation_message_conversation_id_fkey'),
    position: p.integer(),
    text: p.text(),
    answer: p.text().nullable(),
    state: p
      .enum([...MESSAGE_STATES])
      .$type<MessageState>()
      .defaultRaw(`'pending'`),
    createdAt: p.datetime(3).defaultRaw('now()'),
  },
  uniques: [{ name: 'conversation_message_position', properties: ['conversation', 'position'] }],
});
