import type { Database, Sql } from '../../../platform/database/database.js';
import { expression, queryBuilder } from '../../../platform/database/typed-queries.js';
import { NotFoundError } from '../../../platform/errors/errors.js';
import { readWindow } from '../../../platform/lists/counted-page.js';
import { type Page, type PageArgs, toLimitOffset } from '../../../platform/lists/page.js';
import { recordAuditEvent } from '../../accounts/audit.js';
import type { Viewer } from '../../accounts/viewer.js';
import { assertAllowed, type ProjectAccess, viewersRole } from '../../projects/access.js';
import { findTrigger } from '../stored-trigger.js';
import type { TriggerTables } from '../trigger-tables.js';
import type { TriggerConversation } from './trigger-conversation.type.js';

/** Lists and deletes the conversations of chats. */
export class TriggerConversationService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
  ) {}

  /** The conversations of a trigger, the last changed first. */
  async list(viewer: Viewer, triggerId: number, page: PageArgs): Promise<Page<TriggerConversation>> {
    const trigger = await findTrigger(this.database, triggerId);
    if (!trigger) throw new NotFoundError();
    await this.access.authorize(viewer, trigger.projectId, 'conversation.read');
    const rows = selectConversations(this.database)
      .where('c.trigger_id', '=', triggerId)
      .orderBy('c.updated_at', 'desc')
      .orderBy('c.id');
    return { ...page, ...(await readWindow(rows, toLimitOffset(page))) };
  }

  /** Deletes a conversation with its messages. Runs in progress continue; their answers are not stored. */
  async delete(viewer: Viewer, id: string): Promise<TriggerConversation> {
    const located = await queryBuilder<TriggerTables>(this.database)
      .selectFrom('trigger_conversation as c')
      .innerJoin('workflow_trigger as t', 't.id', 'c.trigger_id')
      .select(['t.project_id as projectId', viewersRole(viewer, 't.project_id').as('role')])
      .where('c.id', '=', id)
      .executeTakeFirst();
    assertAllowed(located?.role ?? null, 'conversation.delete');
    const { projectId } = located!;
    return this.database.transaction(async sql => {
      const conversation = await selectConversations(sql).where('c.id', '=', id).executeTakeFirst();
      const deleted = await queryBuilder<TriggerTables>(sql)
        .deleteFrom('trigger_conversation')
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst();
      if (!conversation || !deleted) throw new NotFoundError();
      const object = { type: 'conversation', id };
      const detail = { triggerId: conversation.triggerId, messages: conversation.messageCount };
      await recordAuditEvent(sql, viewer, { action: 'conversation.delete', object, projectId, detail });
      return conversation;
    });
  }
}

function selectConversations(sql: Sql) {
  return queryBuilder<TriggerTables>(sql)
    .selectFrom('trigger_conversation as c')
    .leftJoin('conversation_message as m', join =>
      join.onRef('m.conversation_id', '=', 'c.id').on('m.position', '=', 1),
    )
    .select(['c.id', 'c.trigger_id as triggerId', 'c.message_count as messageCount'])
    .select(['c.created_at as createdAt', 'c.updated_at as updatedAt'])
    .select(expression<string>`coalesce(left(m.text, 200), '')`.as('beginning'));
}
