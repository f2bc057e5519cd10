import type { Vault } from '../../platform/crypto/crypto.js';
import { timeOrderedUuid } from '../../platform/crypto/uuid.js';
import type { Database, Sql } from '../../platform/database/database.js';
import { keyedQuery, type Placeholder } from '../../platform/database/prepared-queries.js';
import { expression, NOW, type QueryCreator, queries } from '../../platform/database/typed-queries.js';
import { newWebhookSecret } from './signature.js';
import type { WebhookSecret } from './webhook-secret.type.js';
import type { WebhookTables } from './webhook-tables.js';

/** The secret before the current one signs along for this long: the time to tell every receiver of the new one. */
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

/** What the webhooks of a project are signed with. At most two are live. */
export class WebhookSecrets {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
  ) {}

  /** The live secrets, the current one first; the first of a project is made here. */
  async live(projectId: number): Promise<string[]> {
    const known = await this.#read(projectId, this.database);
    if (known.length > 0) return known;
    return this.#inTurn(projectId, async sql => {
      const made = await this.#read(projectId, sql);
      return made.length > 0 ? made : [await this.#add(projectId, sql)];
    });
  }

  /** Makes a new current one. The one before stays live for a while, any older one ends at once. */
  rotate(projectId: number): Promise<WebhookSecret> {
    return this.#inTurn(projectId, async sql => {
      const tables = queries<WebhookTables>(sql);
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

  /** Those who make secrets of one project take their turns. */
  #inTurn<T>(projectId: number, work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.database.transaction(async sql => {
      await queries<WebhookTables>(sql)
        .selectFrom('project')
        .select('id')
        .where('id', '=', projectId)
        .forNoKeyUpdate()
        .execute();
      return work(sql);
    });
  }

  /** Nothing when there is no current one. */
  async #read(projectId: number, sql: Sql): Promise<string[]> {
    const rows = await LIVE(sql, { projectId });
    return rows[0]?.isCurrent ? rows.map(({ id, sealed }) => this.vault.open(sealed, placeOf(id))) : [];
  }

  async #add(projectId: number, sql: Sql): Promise<string> {
    const id = timeOrderedUuid();
    const secret = newWebhookSecret();
    await queries<WebhookTables>(sql)
      .insertInto('webhook_secret')
      .values({ id, project_id: projectId, sealed: this.vault.seal(secret, placeOf(id)) })
      .execute();
    return secret;
  }
}

function placeOf(id: string): string {
  return `webhook_secret:sealed:${id}`;
}
