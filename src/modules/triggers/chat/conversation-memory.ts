import type { MemoryQuery, RememberedMessage } from '../../../engine/conversation/port.js';
import { isUuid } from '../../../platform/crypto/uuid.js';
import type { Database } from '../../../platform/database/database.js';
import { queryBuilder } from '../../../platform/database/typed-queries.js';
import type { TriggerTables } from '../trigger-tables.js';
import type { Conversations } from './conversations.js';

/** A run, and its message if a chat has started it. */
interface ChatRun {
  runId: string;
  forkedFromId: string | null;
  createdAt: Date;
  conversationId: string | null;
  position: number | null;
}

/** Forks of forks that are followed to their original. */
const MAX_FORKS = 100;

/** Finds the messages that a run remembers: those that are older than it. A fork remembers those of its original. */
export class ConversationMemory {
  constructor(
    private readonly database: Database,
    private readonly conversations: Conversations,
  ) {}

  /**
   * Returns undefined if the project has no such conversation, and no messages if none is given and no chat message started
   * the run.
   */
  async find(
    run: { projectId: number; id: string },
    { conversation, maxMessages }: MemoryQuery,
  ): Promise<RememberedMessage[] | undefined> {
    const origin = await this.#originOf(run.id);
    const id = conversation ?? origin?.conversationId;
    if (id == null) return [];
    if (!(await this.#exists(id, run.projectId))) return undefined;
    const isOwn = id === origin?.conversationId;
    const before = isOwn ? { position: origin.position! } : { time: origin?.createdAt ?? new Date() };
    const pairs = Math.floor(maxMessages / 2);
    const history = await this.conversations.history(id, pairs, before);
    // An answer may be empty, and some model providers reject a message without content.
    return history.filter(({ content }) => content !== '');
  }

  /** The first run in the chain of forks that a chat has started, else the original of the chain. Undefined: there is no such run. */
  async #originOf(id: string): Promise<ChatRun | undefined> {
    let origin = await this.#runOf(id);
    for (let forks = 0; forks < MAX_FORKS && origin; forks++) {
      const { conversationId, forkedFromId } = origin;
      const earlier = conversationId === null && forkedFromId !== null ? await this.#runOf(forkedFromId) : undefined;
      if (!earlier) return origin;
      origin = earlier;
    }
    return origin;
  }

  #runOf(id: string): Promise<ChatRun | undefined> {
    return queryBuilder<TriggerTables>(this.database)
      .selectFrom('workflow_run as r')
      .leftJoin('conversation_message as m', 'm.id', 'r.id')
      .select(['r.id as runId', 'r.forked_from_id as forkedFromId', 'r.created_at as createdAt'])
      .select(['m.conversation_id as conversationId', 'm.position'])
      .where('r.id', '=', id)
      .executeTakeFirst();
  }

  async #exists(id: string, projectId: number): Promise<boolean> {
    if (!isUuid(id)) return false;
    const found = await queryBuilder<TriggerTables>(this.database)
      .selectFrom('trigger_conversation as c')
      .innerJoin('workflow_trigger as t', 't.id', 'c.trigger_id')
      .select('c.id')
      .where('c.id', '=', id)
      .where('t.project_id', '=', projectId)
      .executeTakeFirst();
    return found !== undefined;
  }
}
