import type { EnvironmentVariable } from '../../engine/environment.js';
import type { Vault } from '../../platform/crypto/crypto.js';
import type { Database, Sql } from '../../platform/database/database.js';
import { anyInt, queryBuilder } from '../../platform/database/typed-queries.js';
import { Batcher } from '../../platform/sql/batcher.js';
import type { ProjectVariableTables } from './project-variable-tables.js';
import { openValue, sealContextOf, valueContextOf } from './stored-value.js';

/** Reads the variables of projects for runs and checks. */
export class VariableReader {
  /** Concurrent checks, for example of a list of workflows, share one statement. */
  readonly #names: Batcher<number, ReadonlySet<string>>;

  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
  ) {
    this.#names = new Batcher(projectIds => this.#readNames(projectIds), { concurrency: 2, maxBatch: 500 });
  }

  /** Whether a project has an environment. Null: the default one. */
  async hasEnvironment(projectId: number, environment: string | null, sql: Sql = this.database): Promise<boolean> {
    if (environment === null) return true;
    const row = await queryBuilder<ProjectVariableTables>(sql)
      .selectFrom('project_environment')
      .select('id')
      .where('project_id', '=', projectId)
      .where('name', '=', environment)
      .executeTakeFirst();
    return row !== undefined;
  }

  /**
   * Returns the named variables of a project with their plaintext values. Names without a variable are left out. Values
   * of the environment replace those of the default one.
   */
  async open(
    projectId: number,
    names: readonly string[],
    environment: string | null = null,
  ): Promise<EnvironmentVariable[]> {
    if (names.length === 0) return [];
    const variables = await this.#openDefault(projectId, names);
    if (environment === null || variables.length === 0) return variables;
    const rows = await queryBuilder<ProjectVariableTables>(this.database)
      .selectFrom('project_variable_value as o')
      .innerJoin('project_environment as e', 'e.id', 'o.project_environment_id')
      .innerJoin('project_variable as v', 'v.id', 'o.project_variable_id')
      .select(['v.id', 'v.name', 'e.id as environmentId', 'o.value', 'o.sealed'])
      .where('e.project_id', '=', projectId)
      .where('e.name', '=', environment)
      .where('v.name', 'in', names)
      .execute();
    const values = new Map(
      rows.map(({ id, name, environmentId, value, sealed }) => [
        name,
        openValue(this.vault, { value, sealed }, valueContextOf(id, environmentId)),
      ]),
    );
    return variables.map(variable => ({ ...variable, value: values.get(variable.name) ?? variable.value }));
  }

  async #openDefault(projectId: number, names: readonly string[]): Promise<EnvironmentVariable[]> {
    const rows = await queryBuilder<ProjectVariableTables>(this.database)
      .selectFrom('project_variable')
      .select(['id', 'name', 'value', 'sealed', 'allowed_hosts as allowedHosts'])
      .where('project_id', '=', projectId)
      .where('name', 'in', names)
      .orderBy('name')
      .execute();
    return rows.map(({ id, name, value, sealed, allowedHosts }) => ({
      name,
      value: openValue(this.vault, { value, sealed }, sealContextOf(id)),
      isSecret: sealed !== null,
      allowedHosts,
    }));
  }

  /** Returns the names of all variables of a project. */
  names(projectId: number): Promise<ReadonlySet<string>> {
    return this.#names.add(projectId);
  }

  async #readNames(projectIds: readonly number[]): Promise<ReadonlySet<string>[]> {
    const rows = await queryBuilder<ProjectVariableTables>(this.database)
      .selectFrom('project_variable')
      .select(['project_id as projectId', 'name'])
      .where('project_id', '=', anyInt(projectIds))
      .execute();
    const byProject = Map.groupBy(rows, ({ projectId }) => projectId);
    return projectIds.map(id => new Set(byProject.get(id)?.map(({ name }) => name)));
  }
}
