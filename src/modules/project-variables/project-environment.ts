import type { EnvironmentVariable } from '../../engine/environment.js';
import type { Vault } from '../../platform/crypto/crypto.js';
import type { Database } from '../../platform/database/database.js';
import { anyInt, queries } from '../../platform/database/typed-queries.js';
import { Batcher } from '../../platform/sql/batcher.js';
import { type ProjectVariableTables, sealContextOf } from './project-variable-tables.js';

/** Reads the variables of projects for runs and checks. */
export class ProjectEnvironment {
  /** Concurrent checks, for example of a list of workflows, share one statement. */
  readonly #names: Batcher<number, ReadonlySet<string>>;

  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
  ) {
    this.#names = new Batcher(projectIds => this.#readNames(projectIds), { concurrency: 2, maxBatch: 500 });
  }

  /** Returns the named variables of a project with their plaintext values. Names without a variable are left out. */
  async open(projectId: number, names: readonly string[]): Promise<EnvironmentVariable[]> {
    if (names.length === 0) return [];
    const rows = await queries<ProjectVariableTables>(this.database)
      .selectFrom('project_variable')
      .select(['id', 'name', 'value', 'sealed', 'allowed_hosts as allowedHosts'])
      .where('project_id', '=', projectId)
      .where('name', 'in', names)
      .orderBy('name')
      .execute();
    return rows.map(({ id, name, value, sealed, allowedHosts }) => ({
      name,
      value: sealed === null ? (value ?? '') : this.vault.open(sealed, sealContextOf(id)),
      isSecret: sealed !== null,
      allowedHosts,
    }));
  }

  /** Returns the names of all variables of a project. */
  names(projectId: number): Promise<ReadonlySet<string>> {
    return this.#names.add(projectId);
  }

  async #readNames(projectIds: readonly number[]): Promise<ReadonlySet<string>[]> {
    const rows = await queries<ProjectVariableTables>(this.database)
      .selectFrom('project_variable')
      .select(['project_id as projectId', 'name'])
      .where('project_id', '=', anyInt(projectIds))
      .execute();
    const byProject = Map.groupBy(rows, ({ projectId }) => projectId);
    return projectIds.map(id => new Set(byProject.get(id)?.map(({ name }) => name)));
  }
}
