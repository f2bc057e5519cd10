import type { RememberedMessage } from '../../../engine/conversation/port.js';
import type { Database, Sql } from '../../../platform/database/database.js';
import { expression, NOW, queryBuilder } from '../../../platform/database/typed-queries.js';
import { ConflictError } from '../../../platform/errors/errors.js';
import type { TriggerTables } from '../trigger-tables.js';
import type { MessageState } from './conversation.entity.js';

/** Messages of a conversation. */
export const MAX_MESSAGES = 200;
/** Bytes of the messages and answers of a conversation, after which it accepts no further message. */
const MAX_CONVERSATION_BYTES = 524_288;
/** Messages of a conversation that wait for their answers at the same time. */
const MAX_PENDING = 3;
/** Conversations of a chat. */
const MAX_CONVERSATIONS = 10_000;
const MAX_HISTORY_CHARACTERS = 32_000;

/** A message with its answer. The id is also that of its run. */
export interface StoredMessage {
  id: string;
  text: string;
  answer: string | null;
  state: MessageState;
  createdAt: Date;
}

/** The position or the time of the first message that is not part of a history. */
export type HistoryEnd = { position: number } | { time: Date };

/** A new message of a conversation. */
export interface AddedMessage {
  id: string;
  triggerId: number;
  conversationId: string;
  text: string;
}

/** Too many messages of a conversation wait for their answers. */
export class PendingMessagesError extends ConflictError {
  constructor() {
    super('Wait for the answers to the previous messages.');
  }
}

const COLUMNS = ['id', 'text', 'answer', 'state', 'created_at as createdAt'] as const;

/** Stores the conversations of chats within their limits. */
export class Conversations {
  constructor(private readonly database: Database) {}

  /** The messages of a conversation, oldest first; none if it does not exist. */
  list(conversationId: string): Promise<StoredMessage[]> {
    return queryBuilder<TriggerTables>(this.database)
      .selectFrom('conversation_message')
      .select(COLUMNS)
      .where('conversation_id', '=', conversationId)
      .orderBy('position')
      .limit(MAX_MESSAGES)
      .execute();
  }

  /** Adds a message, and its conversation if it is the first one. Returns the stored message if it was added before. */
  add(message: AddedMessage): Promise<StoredMessage> {
    const { id, triggerId, conversationId, text } = message;
    return this.database.transaction(async sql => {
      const { messageCount, byteCount } = await this.#lock(sql, triggerId, conversationId);
      const tables = queryBuilder<TriggerTables>(sql);
      const stored = await tables
        .selectFrom('conversation_message')
        .select(COLUMNS)
        .where('id', '=', id)
        .executeTakeFirst();
      if (stored) return stored;
      const bytes = Buffer.byteLength(text);
      if (messageCount >= MAX_MESSAGES || byteCount + bytes > MAX_CONVERSATION_BYTES)
        throw new ConflictError('The conversation is full: start a new one.');
      await this.#assertFewPending(sql, conversationId);
      await tables
        .updateTable('trigger_conversation')
        .set({ message_count: messageCount + 1, byte_count: byteCount + bytes, updated_at: NOW })
        .where('id', '=', conversationId)
        .execute();
      return tables
        .insertInto('conversation_message')
        .values({ id, conversation_id: conversationId, position: messageCount + 1, text })
        .returning(COLUMNS)
        .executeTakeFirstOrThrow();
    });
  }

  /** Ends a message that waits for its answer. No effect on other messages. */
  async settle(conversationId: string, id: string, state: 'answered' | 'failed', answer: string | null): Promise<void> {
    await this.database.transaction(async sql => {
      const tables = queryBuilder<TriggerTables>(sql);
      const settled = await tables
        .updateTable('conversation_message')
        .set({ state, answer })
        .where('id', '=', id)
        .where('state', '=', 'pending')
        .returning('id')
        .executeTakeFirst();
      if (!settled || answer === null) return;
      await tables
        .updateTable('trigger_conversation')
        .set(({ eb }) => ({ byte_count: eb('byte_count', '+', Buffer.byteLength(answer)), updated_at: NOW }))
        .where('id', '=', conversationId)
        .execute();
    });
  }

  /**
   * At most `pairs` of the newest answered messages with their answers, in the chat format and oldest first. `before`: only
   * older ones.
   */
  async history(conversationId: string, pairs: number, before?: HistoryEnd): Promise<RememberedMessage[]> {
    if (pairs === 0) return [];
    let answered = queryBuilder<TriggerTables>(this.database)
      .selectFrom('conversation_message')
      .select(['text', 'answer'])
      .where('conversation_id', '=', conversationId)
      .where('state', '=', 'answered');
    if (before && 'position' in before) answered = answered.where('position', '<', before.position);
    if (before && 'time' in before) answered = answered.where('created_at', '<', before.time);
    const newest = await answered.orderBy('position', 'desc').limit(pairs).execute();
    let characters = 0;
    const kept = newest.filter(({ text, answer }) => {
      characters += text.length + (answer?.length ?? 0);
      return characters <= MAX_HISTORY_CHARACTERS;
    });
    return kept.reverse().flatMap(({ text, answer }) => [
      { role: 'user' as const, content: text },
      { role: 'assistant' as const, content: answer ?? '' },
    ]);
  }

  /** Locks the row of a conversation, which is created if it does not exist. */
  async #lock(sql: Sql, triggerId: number, id: string) {
    const tables = queryBuilder<TriggerTables>(sql);
    const existing = tables
      .selectFrom('trigger_conversation')
      .select(['message_count as messageCount', 'byte_count as byteCount'])
      .where('id', '=', id)
      .forUpdate();
    const found = await existing.executeTakeFirst();
    if (found) return found;
    await this.#assertFewConversations(sql, triggerId);
    await tables
      .insertInto('trigger_conversation')
      .values({ id, trigger_id: triggerId })
      .onConflict(conflict => conflict.column('id').doNothing())
      .execute();
    return existing.executeTakeFirstOrThrow();
  }

  async #assertFewConversations(sql: Sql, triggerId: number): Promise<void> {
    const beyond = await queryBuilder<TriggerTables>(sql)
      .selectFrom('trigger_conversation')
      .select(expression<number>`1`.as('one'))
      .where('trigger_id', '=', triggerId)
      .offset(MAX_CONVERSATIONS - 1)
      .limit(1)
      .executeTakeFirst();
    if (beyond) throw new ConflictError('The chat has too many conversations: try again later.');
  }

  async #assertFewPending(sql: Sql, conversationId: string): Promise<void> {
    const beyond = await queryBuilder<TriggerTables>(sql)
      .selectFrom('conversation_message')
      .select('id')
      .where('conversation_id', '=', conversationId)
      .where('state', '=', 'pending')
      .offset(MAX_PENDING - 1)
      .limit(1)
      .executeTakeFirst();
    if (beyond) throw new PendingMessagesError();
  }
}
