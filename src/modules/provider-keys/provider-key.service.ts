import { PortError } from '../../engine/ports.js';
import type { Vault } from '../../platform/crypto/crypto.js';
import type { Database } from '../../platform/database/database.js';
import { ConflictError, NotFoundError } from '../../platform/errors/errors.js';
import { Faults } from '../../platform/errors/fields.js';
import type { LanguageModels, OwnKey } from '../../providers/llm/registry.js';
import { recordDeed } from '../accounts/audit.js';
import type { Viewer } from '../accounts/viewer.js';
import { judge, type ProjectAccess, roleSql } from '../projects/access.js';
import type { Action, ProjectRole } from '../projects/rights.js';
import type { ProviderKeyInput } from './provider-key.inputs.js';
import type { ProviderKey, ProviderKeyTest } from './provider-key.type.js';

/** Of one project. */
const MAX_KEYS = 20;
const KEY = /^[\x21-\x7e]{8,512}$/;
const COLUMNS = `k.id, k.project_id as "projectId", k.provider, k.name, k.last4, k.base_url as "baseUrl", k.created_at as "createdAt"`;

type KeyRow = ProviderKey & { projectId: number };
type SealedRow = Pick<OwnKey, 'id' | 'provider' | 'baseUrl'> & { sealed: string };

/** Keys that projects bring for providers of models: sealed at rest, opened for calls alone. */
export class ProviderKeyService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly vault: Vault,
    private readonly models: LanguageModels,
  ) {}

  async attach(viewer: Viewer, projectId: number, input: ProviderKeyInput): Promise<ProviderKey> {
    await this.access.authorize(viewer, projectId, 'provider-key.attach');
    check(input);
    const { provider, key } = input;
    const name = input.name.trim();
    return this.database.transaction(async sql => {
      // Keys of one project are attached one after the other, so that each is counted.
      const [project] = await sql.query('select id from project where id = $1 for no key update', [projectId]);
      if (!project) throw new NotFoundError();
      const [next] = await sql.query<{ id: number; count: number }>(
        `select nextval('provider_key_id_seq')::int as id,
                (select count(*)::int from provider_key where project_id = $1) as count`,
        [projectId],
      );
      const { id, count } = next!;
      if (count >= MAX_KEYS) throw new ConflictError(`A project has at most ${MAX_KEYS} keys: detach one first.`);
      const [row] = await sql.query<KeyRow>(
        `insert into provider_key as k (id, project_id, provider, name, base_url, sealed, last4)
         values ($1, $2, $3, $4, $5, $6, $7) returning ${COLUMNS}`,
        [id, projectId, provider, name, input.baseUrl || null, this.vault.seal(key, placeOf(id)), key.slice(-4)],
      );
      const object = { type: 'provider-key', id };
      await recordDeed(sql, viewer, { action: 'provider-key.attach', object, projectId, detail: { provider, name } });
      return row!;
    });
  }

  /** Asks the provider for its models with the key: what costs nothing and needs a key that is accepted. */
  async test(viewer: Viewer, id: number, signal: AbortSignal): Promise<ProviderKeyTest> {
    await this.#locate(viewer, id, 'provider-key.test');
    const [key] = await this.#open('k.id = $1', id);
    if (!key) throw new NotFoundError();
    try {
      const listed = await this.models.withKeys([key]).modelsOf(key.provider, signal);
      return { isAccepted: true, modelsCount: listed.length, error: null };
    } catch (error) {
      if (error instanceof PortError) return { isAccepted: false, modelsCount: 0, error: error.message };
      throw error;
    }
  }

  /** Takes the key away and answers what it was; calls that are under way go on. */
  async detach(viewer: Viewer, id: number): Promise<ProviderKey> {
    const { projectId } = await this.#locate(viewer, id, 'provider-key.detach');
    return this.database.transaction(async sql => {
      const [row] = await sql.query<KeyRow>(`delete from provider_key k where k.id = $1 returning ${COLUMNS}`, [id]);
      if (!row) throw new NotFoundError();
      const { provider, name } = row;
      const object = { type: 'provider-key', id };
      await recordDeed(sql, viewer, { action: 'provider-key.detach', object, projectId, detail: { provider, name } });
      return row;
    });
  }

  /** The keys of projects that the caller is known to see, the newest first. */
  async ofProjects(projectIds: readonly number[]): Promise<ProviderKey[][]> {
    const rows = await this.database.byKey<KeyRow>(
      'provider-keys',
      `select ${COLUMNS} from provider_key k where k.project_id = any($1::int[]) order by k.id desc`,
      [projectIds],
    );
    const byProject = Map.groupBy(rows, row => row.projectId);
    return projectIds.map(id => byProject.get(id) ?? []);
  }

  /** In clear, the newest first: of several for one provider that one counts. */
  openOf(projectId: number): Promise<OwnKey[]> {
    return this.#open('k.project_id = $1', projectId);
  }

  async #open(condition: string, id: number): Promise<OwnKey[]> {
    const rows = await this.database.query<SealedRow>(
      `select k.id, k.provider, k.base_url as "baseUrl", k.sealed from provider_key k where ${condition} order by k.id desc`,
      [id],
    );
    return rows.map(({ sealed, ...key }) => ({ ...key, apiKey: this.vault.open(sealed, placeOf(key.id)) }));
  }

  async #locate(viewer: Viewer, id: number, action: Action): Promise<{ projectId: number }> {
    const [located] = await this.database.query<{ projectId: number; role: ProjectRole | null }>(
      `select k.project_id as "projectId", ${roleSql('k.project_id', '$2', '$3')} as role from provider_key k where k.id = $1`,
      [id, viewer.userId, viewer.isAdmin],
    );
    judge(located?.role ?? null, action);
    return located!;
  }
}

function placeOf(id: number): string {
  return `provider_key:sealed:${id}`;
}

function check({ name, key, baseUrl }: ProviderKeyInput): void {
  const faults = new Faults();
  faults.text('name', name, { min: 1, max: 255 });
  if (!KEY.test(key)) faults.add('key', 'Enter 8-512 printable ASCII characters without spaces.');
  faults.text('baseUrl', baseUrl, { max: 2048 });
  faults.httpUrl('baseUrl', baseUrl);
  faults.throwIfAny();
}
