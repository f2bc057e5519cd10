import { PortError } from '../../engine/ports.js';
import type { Vault } from '../../platform/crypto/crypto.js';
import type { Database } from '../../platform/database/database.js';
import { keyedQuery, type Placeholder } from '../../platform/database/prepared-queries.js';
import { expression, type QueryCreator, queryBuilder, type Table } from '../../platform/database/typed-queries.js';
import { ConflictError, NotFoundError } from '../../platform/errors/errors.js';
import { Faults } from '../../platform/errors/fields.js';
import type { LanguageModels, OwnKey } from '../../providers/llm/registry.js';
import { recordAuditEvent } from '../accounts/audit.js';
import type { Viewer } from '../accounts/viewer.js';
import { assertAllowed, type ProjectAccess, viewersRole } from '../projects/access.js';
import { lockProject } from '../projects/lock-project.js';
import type { ProjectTables } from '../projects/project-tables.js';
import type { Action } from '../projects/rights.js';
import type { ProviderKeyEntity } from './provider-key.entity.js';
import type { ProviderKeyInput } from './provider-key.inputs.js';
import type { ProviderKey, ProviderKeyTest } from './provider-key.type.js';

/** The maximum number of keys per project. */
const MAX_KEYS = 20;
const KEY_FORMAT = /^[\x21-\x7e]{8,512}$/;
const COLUMNS = [
  ...(['id', 'project_id as projectId', 'provider', 'name', 'last4'] as const),
  ...(['base_url as baseUrl', 'created_at as createdAt'] as const),
] as const;

interface KeyTables extends ProjectTables {
  provider_key: Table<typeof ProviderKeyEntity>;
}

/** Reads the keys of projects, newest first. A keyed query, because every list of projects with keys runs it. */
const READ_KEYS = keyedQuery(
  'provider-keys',
  (tables: QueryCreator<KeyTables>, value: Placeholder<{ projectIds: readonly number[] }>) =>
    tables
      .selectFrom('provider_key')
      .select(COLUMNS)
      .where('project_id', '=', ({ fn }) => fn.any(expression<number[]>`${value('projectIds')}::int[]`))
      .orderBy('id', 'desc'),
);

/** Manages the provider keys of projects. They are stored sealed and opened only for calls. */
export class ProviderKeyService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly vault: Vault,
    private readonly models: LanguageModels,
  ) {}

  async attach(viewer: Viewer, projectId: number, input: ProviderKeyInput): Promise<ProviderKey> {
    await this.access.authorize(viewer, projectId, 'provider-key.attach');
    assertValid(input);
    const { provider, key } = input;
    const name = input.name.trim();
    return this.database.transaction(async sql => {
      await lockProject(sql, projectId);
      const tables = queryBuilder<KeyTables>(sql);
      // The id is drawn before the insert, because the key is sealed for its row.
      const { id, count } = await tables
        .selectFrom('provider_key')
        .select(({ fn }) => [
          expression<number>`nextval('provider_key_id_seq')::int`.as('id'),
          fn.countAll<number>().as('count'),
        ])
        .where('project_id', '=', projectId)
        .executeTakeFirstOrThrow();
      if (count >= MAX_KEYS)
        throw new ConflictError(`A project has at most ${MAX_KEYS} provider keys: detach one first.`);
      const row = await tables
        .insertInto('provider_key')
        .values({
          ...{ id, project_id: projectId, provider, name, base_url: input.baseUrl || null },
          ...{ sealed: this.vault.seal(key, sealContextOf(id)), last4: key.slice(-4) },
        })
        .returning(COLUMNS)
        .executeTakeFirstOrThrow();
      const object = { type: 'provider-key', id };
      await recordAuditEvent(sql, viewer, {
        action: 'provider-key.attach',
        object,
        projectId,
        detail: { provider, name },
      });
      return row;
    });
  }

  /** Tests a key by listing the models of its provider, which is free but requires a valid key. */
  async test(viewer: Viewer, id: number, signal: AbortSignal): Promise<ProviderKeyTest> {
    await this.#locate(viewer, id, 'provider-key.test');
    const [key] = await this.#open('id', id);
    if (!key) throw new NotFoundError();
    try {
      const listedModels = await this.models.withKeys([key]).modelsOf(key.provider, signal);
      return { isAccepted: true, modelsCount: listedModels.length, error: null };
    } catch (error) {
      if (error instanceof PortError) return { isAccepted: false, modelsCount: 0, error: error.message };
      throw error;
    }
  }

  /** Deletes a key and returns its last state. Calls in progress continue. */
  async detach(viewer: Viewer, id: number): Promise<ProviderKey> {
    const { projectId } = await this.#locate(viewer, id, 'provider-key.detach');
    return this.database.transaction(async sql => {
      const row = await queryBuilder<KeyTables>(sql)
        .deleteFrom('provider_key')
        .where('id', '=', id)
        .returning(COLUMNS)
        .executeTakeFirst();
      if (!row) throw new NotFoundError();
      const { provider, name } = row;
      const object = { type: 'provider-key', id };
      await recordAuditEvent(sql, viewer, {
        action: 'provider-key.detach',
        object,
        projectId,
        detail: { provider, name },
      });
      return row;
    });
  }

  /** Returns the keys of projects that the caller may read, newest first. */
  async listByProject(projectIds: readonly number[]): Promise<ProviderKey[][]> {
    const rows = await READ_KEYS(this.database, { projectIds });
    const byProject = Map.groupBy(rows, row => row.projectId);
    return projectIds.map(id => byProject.get(id) ?? []);
  }

  /** Returns the decrypted keys of a project, newest first. The first key of each provider is used. */
  decryptAll(projectId: number): Promise<OwnKey[]> {
    return this.#open('project_id', projectId);
  }

  async #open(column: 'id' | 'project_id', id: number): Promise<OwnKey[]> {
    const rows = await queryBuilder<KeyTables>(this.database)
      .selectFrom('provider_key')
      .select(['id', 'provider', 'base_url as baseUrl', 'sealed'])
      .where(column, '=', id)
      .orderBy('id', 'desc')
      .execute();
    return rows.map(({ sealed, ...key }) => ({ ...key, apiKey: this.vault.open(sealed, sealContextOf(key.id)) }));
  }

  async #locate(viewer: Viewer, id: number, action: Action): Promise<{ projectId: number }> {
    const located = await queryBuilder<KeyTables>(this.database)
      .selectFrom('provider_key as k')
      .select(['k.project_id as projectId', viewersRole(viewer, 'k.project_id').as('role')])
      .where('k.id', '=', id)
      .executeTakeFirst();
    assertAllowed(located?.role ?? null, action);
    return located!;
  }
}

function sealContextOf(id: number): string {
  return `provider_key:sealed:${id}`;
}

function assertValid({ name, key, baseUrl }: ProviderKeyInput): void {
  const faults = new Faults();
  faults.text('name', name, { min: 1, max: 255 });
  if (!KEY_FORMAT.test(key)) faults.add('key', 'Enter 8-512 printable ASCII characters without spaces.');
  faults.text('baseUrl', baseUrl, { max: 2048 });
  faults.httpUrl('baseUrl', baseUrl);
  faults.throwIfAny();
}
