import type { Vault } from '../../platform/crypto/crypto.js';
import { timeOrderedUuid } from '../../platform/crypto/uuid.js';
import type { Database, Sql } from '../../platform/database/database.js';
import { newWebhookSecret } from './signature.js';
import type { WebhookSecret } from './webhook-secret.type.js';

/** The secret before the current one signs along for this long: the time to tell every receiver of the new one. */
const OVERLAP_HOURS = 24;

const LIVE = `
  select id, sealed, expires_at is null as "isCurrent" from webhook_secret
   where project_id = $1 and (expires_at is null or expires_at > now()) order by expires_at desc nulls first`;

const RETIRE = `
  update webhook_secret set expires_at = now() + make_interval(hours => $2)
   where project_id = $1 and expires_at is null returning expires_at as "expiresAt"`;

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
      await sql.query('delete from webhook_secret where project_id = $1 and expires_at is not null', [projectId]);
      const [previous] = await sql.query<{ expiresAt: Date }>(RETIRE, [projectId, OVERLAP_HOURS]);
      return { secret: await this.#add(projectId, sql), previousExpiresAt: previous?.expiresAt ?? null };
    });
  }

  /** Those who make secrets of one project take their turns. */
  #inTurn<T>(projectId: number, work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.database.transaction(async sql => {
      await sql.query('select id from project where id = $1 for no key update', [projectId]);
      return work(sql);
    });
  }

  /** Nothing when there is no current one. */
  async #read(projectId: number, sql: Sql): Promise<string[]> {
    const rows = await sql.query<{ id: string; sealed: string; isCurrent: boolean }>(LIVE, [projectId]);
    return rows[0]?.isCurrent ? rows.map(({ id, sealed }) => this.vault.open(sealed, placeOf(id))) : [];
  }

  async #add(projectId: number, sql: Sql): Promise<string> {
    const id = timeOrderedUuid();
    const secret = newWebhookSecret();
    await sql.query('insert into webhook_secret (id, project_id, sealed) values ($1, $2, $3)', [
      id,
      projectId,
      this.vault.seal(secret, placeOf(id)),
    ]);
    return secret;
  }
}

function placeOf(id: string): string {
  return `webhook_secret:sealed:${id}`;
}
