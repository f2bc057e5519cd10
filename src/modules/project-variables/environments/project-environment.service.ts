import { MASK } from '../../../engine/secrets.js';
import type { Vault } from '../../../platform/crypto/crypto.js';
import type { Database, Sql } from '../../../platform/database/database.js';
import { anyInt, expression, NOW, queryBuilder } from '../../../platform/database/typed-queries.js';
import { ConflictError, InvalidInputError, NotFoundError } from '../../../platform/errors/errors.js';
import { recordAuditEvent } from '../../accounts/audit.js';
import type { Viewer } from '../../accounts/viewer.js';
import { assertAllowed, type ProjectAccess, viewersRole } from '../../projects/access.js';
import { lockProject } from '../../projects/lock-project.js';
import type { Action } from '../../projects/rights.js';
import { assertValidValue } from '../project-variable.service.js';
import type { ProjectVariableTables } from '../project-variable-tables.js';
import { toStoredValue, valueContextOf } from '../stored-value.js';
import { DEFAULT_ENVIRONMENT, ENVIRONMENT_NAME_RULE, isEnvironmentName } from './environment-name.js';
import type {
  ProjectEnvironment,
  ProjectEnvironmentCreateInput,
  ProjectVariableValue,
} from './project-environment.type.js';

/** The maximum number of environments per project, in addition to the default one. */
const MAX_ENVIRONMENTS = 10;

const COLUMNS = ['id', 'project_id as projectId', 'name', 'created_at as createdAt'] as const;

/** Manages the environments of projects and the values of their variables. */
export class ProjectEnvironmentService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly vault: Vault,
  ) {}

  /** The environments of a project by name, at most 10. */
  async list(viewer: Viewer, projectId: number): Promise<ProjectEnvironment[]> {
    await this.access.authorize(viewer, projectId, 'project.read');
    return queryBuilder<ProjectVariableTables>(this.database)
      .selectFrom('project_environment')
      .select(COLUMNS)
      .where('project_id', '=', projectId)
      .orderBy('name')
      .limit(MAX_ENVIRONMENTS)
      .execute();
  }

  async create(viewer: Viewer, { projectId, name }: ProjectEnvironmentCreateInput): Promise<ProjectEnvironment> {
    await this.access.authorizeNamed(viewer, projectId, 'project-environment.create');
    if (!isEnvironmentName(name)) throw new InvalidInputError({ name: [ENVIRONMENT_NAME_RULE] });
    if (name === DEFAULT_ENVIRONMENT)
      throw new InvalidInputError({ name: [`Every project has the environment ${DEFAULT_ENVIRONMENT}.`] });
    return this.database.transaction(async sql => {
      await lockProject(sql, projectId);
      const tables = queryBuilder<ProjectVariableTables>(sql);
      const others = await tables
        .selectFrom('project_environment')
        .select('name')
        .where('project_id', '=', projectId)
        .execute();
      if (others.some(other => other.name === name))
        throw new ConflictError('The project has an environment with this name.');
      if (others.length >= MAX_ENVIRONMENTS)
        throw new ConflictError(
          `A project has at most ${MAX_ENVIRONMENTS} environments in addition to ${DEFAULT_ENVIRONMENT}: delete one first.`,
        );
      const environment = await tables
        .insertInto('project_environment')
        .values({ project_id: projectId, name })
        .returning(COLUMNS)
        .executeTakeFirstOrThrow();
      return audited(sql, viewer, 'project-environment.create', environment);
    });
  }

  /** Deletes an environment with its values. Runs that were accepted before keep them. */
  async delete(viewer: Viewer, id: number): Promise<ProjectEnvironment> {
    const located = await queryBuilder<ProjectVariableTables>(this.database)
      .selectFrom('project_environment as e')
      .select(viewersRole(viewer, 'e.project_id').as('role'))
      .where('e.id', '=', id)
      .executeTakeFirst();
    assertAllowed(located?.role ?? null, 'project-environment.delete');
    return this.database.transaction(async sql => {
      const environment = await queryBuilder<ProjectVariableTables>(sql)
        .deleteFrom('project_environment')
        .where('id', '=', id)
        .returning(COLUMNS)
        .executeTakeFirst();
      if (!environment) throw new NotFoundError();
      return audited(sql, viewer, 'project-environment.delete', environment);
    });
  }

  /** Sets the value of a variable in an environment. Null removes it: the default value applies. */
  async setValue(viewer: Viewer, variableId: number, environmentId: number, value: string | null): Promise<void> {
    const located = await queryBuilder<ProjectVariableTables>(this.database)
      .selectFrom('project_variable as v')
      .select(['v.project_id as projectId', viewersRole(viewer, 'v.project_id').as('role')])
      .where('v.id', '=', variableId)
      .executeTakeFirst();
    assertAllowed(located?.role ?? null, 'project-variable.update');
    const { projectId } = located!;
    await this.database.transaction(async sql => {
      await lockProject(sql, projectId);
      const tables = queryBuilder<ProjectVariableTables>(sql);
      const variable = await tables
        .selectFrom('project_variable')
        .select(['name', expression<boolean>`sealed is not null`.as('isSecret')])
        .where('id', '=', variableId)
        .executeTakeFirst();
      if (!variable) throw new NotFoundError();
      const environment = await tables
        .selectFrom('project_environment')
        .select('name')
        .where('id', '=', environmentId)
        .where('project_id', '=', projectId)
        .executeTakeFirst();
      if (!environment) throw new NotFoundError();
      await tables
        .deleteFrom('project_variable_value')
        .where('project_variable_id', '=', variableId)
        .where('project_environment_id', '=', environmentId)
        .execute();
      if (value !== null) {
        const { isSecret } = variable;
        assertValidValue(value, isSecret);
        await tables
          .insertInto('project_variable_value')
          .values({
            ...{ project_variable_id: variableId, project_environment_id: environmentId },
            ...toStoredValue(this.vault, value, isSecret, valueContextOf(variableId, environmentId)),
            updated_at: NOW,
          })
          .execute();
      }
      await recordAuditEvent(sql, viewer, {
        action: 'project-variable.update',
        object: { type: 'project-variable', id: variableId },
        projectId,
        detail: { name: variable.name, environment: environment.name, isRemoved: value === null },
      });
    });
  }

  /** The values of variables in environments, for each variable by the name of the environment. */
  async readValues(variableIds: readonly number[]): Promise<ProjectVariableValue[][]> {
    const rows = await queryBuilder<ProjectVariableTables>(this.database)
      .selectFrom('project_variable_value as v')
      .innerJoin('project_environment as e', 'e.id', 'v.project_environment_id')
      .select(['v.id', 'v.project_variable_id as variableId', 'e.id as environmentId', 'e.name as environment'])
      .select([expression<string>`coalesce(v.value, ${MASK})`.as('value'), 'v.updated_at as updatedAt'])
      .where('v.project_variable_id', '=', anyInt(variableIds))
      .orderBy('e.name')
      .execute();
    const byVariable = Map.groupBy(rows, ({ variableId }) => variableId);
    return variableIds.map(id => byVariable.get(id) ?? []);
  }
}

/** Records an action on an environment in the audit log and returns the environment. */
async function audited(
  sql: Sql,
  viewer: Viewer,
  action: Action,
  environment: ProjectEnvironment,
): Promise<ProjectEnvironment> {
  const { id, projectId, name } = environment;
  const object = { type: 'project-environment', id };
  await recordAuditEvent(sql, viewer, { action, object, projectId, detail: { name } });
  return environment;
}
