import type { Vault } from '../../platform/crypto/crypto.js';
import { timeOrderedUuid } from '../../platform/crypto/uuid.js';
import type { Database, Sql } from '../../platform/database/database.js';
import { keyedQuery, type Placeholder } from '../../platform/database/prepared-queries.js';
import { expression, NOW, type QueryCreator, queryBuilder } from '../../platform/database/typed-queries.js';
import { createWebhookSecret } from './signature.js';
import type { WebhookSecret } from './webhook-secret.type.js';
import type { WebhookTables } from './webhook-tables.js';

/** After a rotation, the previous secret still signs for this long, so that receivers can be updated. */
const OVERLAP_HOURS = 24;

const LIVE = keyedQuery(
  'live-webhook-secrets',
  (tables: QueryCreator<WebhookTables>, value: Placeholder<{ projectId: number }>) =>
    tables
      .selectFrom('webhook_secret')
      .select(['id', 'sealed', expression<boolean>`expires_at is null`.as('isCurrent')])
      .where('project_id', '=', value('projectId'))
      .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', NOW)]))
      .orderBy('expires_at', order => order.desc().nullsFirst()),
);

/** The signing secrets of projects. At most two per project are valid at a time. */
export class WebhookSecrets {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
  ) {}

  /** The valid secrets, the current one first. Creates the first secret of a project. */
  async live(projectId: number): Promise<string[]> {
    const existing = await this.#read(projectId, this.database);
    if (existing.length > 0) return existing;
    return this.#withProjectLock(projectId, async sql => {
      const created = await this.#read(projectId, sql);
      return created.length > 0 ? created : [await this.#add(projectId, sql)];
    });
  }

  /** Creates a new current secret. The previous one stays valid for 24 hours; an older one is deleted. */
  rotate(projectId: number): Promise<WebhookSecret> {
    return this.#withProjectLock(projectId, async sql => {
      const tables = queryBuilder<WebhookTables>(sql);
      await tables
        .deleteFrom('webhook_secret')
        .where('project_id', '=', projectId)
        .where('expires_at', 'is not', null)
        .execute();
      const previous = await tables
        .updateTable('webhook_secret')
        .set({ expires_at: expression<Date>`now() + make_interval(hours => ${OVERLAP_HOURS})` })
        .where('project_id', '=', projectId)
        .where('expires_at', 'is', null)
        .returning('expires_at as expiresAt')
        .executeTakeFirst();
      return { secret: await this.#add(projectId, sql), previousExpiresAt: previous?.expiresAt ?? null };
    });
  }

  /** Locks the row of the project, so that two transactions never create secrets of one project concurrently. */
  #withProjectLock<T>(projectId: number, work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.database.transaction(async sql => {
      await queryBuilder<WebhookTables>(sql)
        .selectFrom('project')
        .select('id')
        .where('id', '=', projectId)
        .forNoKeyUpdate()
        .execute();
      return work(sql);
    });
  }

  /** The valid secrets; empty when there is no current one. */
  async #read(projectId: number, sql: Sql): Promise<string[]> {
    const rows = await LIVE(sql, { projectId });
    return rows[0]?.isCurrent ? rows.map(({ id, sealed }) => this.vault.open(sealed, sealContextOf(id))) : [];
  }

  async #add(projectId: number, sql: Sql): Promise<string> {
    const id = timeOrderedUuid();
    const secret = createWebhookSecret();
    await queryBuilder<WebhookTables>(sql)
      .insertInto('webhook_secret')
      .values({ id, project_id: projectId, sealed: this.vault.seal(secret, sealContextOf(id)) })
      .execute();
    return secret;
  }
}

function sealContextOf(id: string): string {
  return `webhook_secret:sealed:${id}`;
}
