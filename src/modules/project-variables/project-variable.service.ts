import { MASK, MIN_MASKED_BY_VALUE, secretSizeFault } from '../../engine/secrets.js';
import { allowedHostsFault, isNarrower } from '../../engine/workflow/graph/secrets/secret-hosts.js';
import type { Vault } from '../../platform/crypto/crypto.js';
import type { Database, Sql } from '../../platform/database/database.js';
import { expression, NOW, queryBuilder } from '../../platform/database/typed-queries.js';
import { ConflictError, InvalidInputError, NotFoundError } from '../../platform/errors/errors.js';
import { Faults, NOT_NULL } from '../../platform/errors/fields.js';
import { readWindow } from '../../platform/lists/counted-page.js';
import { type Page, type PageArgs, toLimitOffset } from '../../platform/lists/page.js';
import { recordAuditEvent } from '../accounts/audit.js';
import type { Viewer } from '../accounts/viewer.js';
import { assertAllowed, type ProjectAccess, viewersRole } from '../projects/access.js';
import { lockProject } from '../projects/lock-project.js';
import type { Action } from '../projects/rights.js';
import type { ProjectVariableCreateInput, ProjectVariableUpdateInput } from './project-variable.inputs.js';
import type { ProjectVariable } from './project-variable.type.js';
import type { ProjectVariableTables } from './project-variable-tables.js';
import { sealContextOf, toStoredValue } from './stored-value.js';

/** The maximum number of variables per project. */
const MAX_VARIABLES = 200;
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

const COLUMNS = [
  ...(['id', 'project_id as projectId', 'name', 'allowed_hosts as allowedHosts'] as const),
  ...(['created_at as createdAt', 'updated_at as updatedAt'] as const),
  expression<string>`coalesce(value, ${MASK})`.as('value'),
  expression<boolean>`sealed is not null`.as('isSecret'),
] as const;

/** The content of a variable. `value` null: the stored value of a secret. */
interface VariableContent {
  name: string;
  value: string | null;
  isSecret: boolean;
  allowedHosts: string[];
}

/** Manages the variables of projects. Secrets are stored sealed and are never returned. */
export class ProjectVariableService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly vault: Vault,
  ) {}

  async list(viewer: Viewer, projectId: number, page: PageArgs): Promise<Page<ProjectVariable>> {
    await this.access.authorize(viewer, projectId, 'project.read');
    const rows = queryBuilder<ProjectVariableTables>(this.database)
      .selectFrom('project_variable')
      .select(COLUMNS)
      .where('project_id', '=', projectId)
      .orderBy('name');
    return { ...page, ...(await readWindow(rows, toLimitOffset(page))) };
  }

  async get(viewer: Viewer, id: number): Promise<ProjectVariable> {
    await this.#locate(viewer, id, 'project.read');
    const row = await queryBuilder<ProjectVariableTables>(this.database)
      .selectFrom('project_variable')
      .select(COLUMNS)
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row) throw new NotFoundError();
    return row;
  }

  async create(viewer: Viewer, input: ProjectVariableCreateInput): Promise<ProjectVariable> {
    const { projectId, name, value } = input;
    await this.access.authorizeNamed(viewer, projectId, 'project-variable.create');
    const content = { name, value, isSecret: isSecretOf(input, false), allowedHosts: input.allowedHosts ?? [] };
    assertValid(content);
    return this.database.transaction(async sql => {
      await lockProject(sql, projectId);
      const tables = queryBuilder<ProjectVariableTables>(sql);
      const { id, count } = await tables
        .selectFrom('project_variable')
        .select(({ fn }) => [
          expression<number>`nextval('project_variable_id_seq')::int`.as('id'),
          fn.countAll<number>().as('count'),
        ])
        .where('project_id', '=', projectId)
        .executeTakeFirstOrThrow();
      if (count >= MAX_VARIABLES)
        throw new ConflictError(`A project has at most ${MAX_VARIABLES} variables: delete one first.`);
      await assertNameIsFree(sql, projectId, name, id);
      const row = await tables
        .insertInto('project_variable')
        .values({
          ...{ id, project_id: projectId, name, allowed_hosts: content.allowedHosts },
          ...toStoredValue(this.vault, value, content.isSecret, sealContextOf(id)),
        })
        .returning(COLUMNS)
        .executeTakeFirstOrThrow();
      await audit(sql, viewer, 'project-variable.create', row);
      return row;
    });
  }

  /** Changes a variable. A value that the caller cannot read must not become readable or reach other hosts. */
  async update(viewer: Viewer, id: number, input: ProjectVariableUpdateInput): Promise<ProjectVariable> {
    const { projectId } = await this.#locate(viewer, id, 'project-variable.update');
    return this.database.transaction(async sql => {
      await lockProject(sql, projectId);
      const tables = queryBuilder<ProjectVariableTables>(sql);
      const before = await tables
        .selectFrom('project_variable')
        .select(COLUMNS)
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst();
      if (!before) throw new NotFoundError();
      const content = applyUpdate(before, input);
      await assertNameIsFree(sql, projectId, content.name, id);
      await assertNoValuesReleased(sql, before, content);
      const row = await tables
        .updateTable('project_variable')
        .set({ name: content.name, allowed_hosts: content.allowedHosts, updated_at: NOW })
        .$if(content.value !== null, query =>
          query.set(toStoredValue(this.vault, content.value ?? '', content.isSecret, sealContextOf(id))),
        )
        .where('id', '=', id)
        .returning(COLUMNS)
        .executeTakeFirstOrThrow();
      await audit(sql, viewer, 'project-variable.update', row);
      return row;
    });
  }

  async delete(viewer: Viewer, id: number): Promise<ProjectVariable> {
    await this.#locate(viewer, id, 'project-variable.delete');
    return this.database.transaction(async sql => {
      const row = await queryBuilder<ProjectVariableTables>(sql)
        .deleteFrom('project_variable')
        .where('id', '=', id)
        .returning(COLUMNS)
        .executeTakeFirst();
      if (!row) throw new NotFoundError();
      await audit(sql, viewer, 'project-variable.delete', row);
      return row;
    });
  }

  async #locate(viewer: Viewer, id: number, action: Action): Promise<{ projectId: number }> {
    const located = await queryBuilder<ProjectVariableTables>(this.database)
      .selectFrom('project_variable as v')
      .select(['v.project_id as projectId', viewersRole(viewer, 'v.project_id').as('role')])
      .where('v.id', '=', id)
      .executeTakeFirst();
    assertAllowed(located?.role ?? null, action);
    return located!;
  }
}

/** Returns whether the value is a secret. Null is refused, because it could be meant either way. Throws InvalidInputError. */
function isSecretOf({ isSecret }: { isSecret?: boolean | null }, otherwise: boolean): boolean {
  if (isSecret === null) throw new InvalidInputError({ isSecret: [NOT_NULL] });
  return isSecret ?? otherwise;
}

/** Applies the changes. Throws InvalidInputError. */
function applyUpdate(before: ProjectVariable, input: ProjectVariableUpdateInput): VariableContent {
  const isSecret = isSecretOf(input, before.isSecret);
  const keepsSecret = before.isSecret && (input.value == null || input.value === MASK);
  const content = {
    name: input.name ?? before.name,
    value: keepsSecret ? null : (input.value ?? before.value),
    isSecret,
    allowedHosts: input.allowedHosts ?? (isSecret ? before.allowedHosts : []),
  };
  assertValid(content);
  if (!keepsSecret) return content;
  if (!isSecret) throw new InvalidInputError({ value: ['Enter the value again to make a secret public.'] });
  if (!isNarrower(content.allowedHosts, before.allowedHosts))
    throw new InvalidInputError({
      value: ['Enter the value again: allowedHosts permits more hosts than before.'],
    });
  return content;
}

/** Checks a new value. Throws InvalidInputError. */
export function assertValidValue(value: string, isSecret: boolean): void {
  const faults = new Faults();
  checkValue(value, isSecret, faults);
  faults.throwIfAny();
}

function checkValue(value: string, isSecret: boolean, faults: Faults): void {
  // Only checks that the text can be stored: the limit is in bytes, not in characters.
  faults.text('value', value, { max: Number.MAX_SAFE_INTEGER });
  if (secretSizeFault(value) !== undefined) faults.add('value', 'Ensure this field has no more than 16384 bytes.');
  if (isSecret && value.trim().length < MIN_MASKED_BY_VALUE)
    faults.add('value', `A secret has at least ${MIN_MASKED_BY_VALUE} characters, so that it can be masked.`);
  if (value === MASK) faults.add('value', 'Enter the value itself instead of the mask.');
}

function assertValid({ name, value, isSecret, allowedHosts }: VariableContent): void {
  const faults = new Faults();
  if (!NAME.test(name))
    faults.add('name', 'Enter 1-64 letters, digits and underscores that do not start with a digit.');
  if (value !== null) checkValue(value, isSecret, faults);
  if (allowedHosts.length > 0 && !isSecret) faults.add('allowedHosts', 'Only secrets have allowed hosts.');
  else if (allowedHosts.length > 0 && allowedHostsFault({ is_secret: true, allowed_hosts: allowedHosts }))
    faults.add(
      'allowedHosts',
      'Enter at most 50 lower-case host names, such as "api.example.com", "*.example.com" or "api.example.com:8443".',
    );
  faults.throwIfAny();
}

async function assertNameIsFree(sql: Sql, projectId: number, name: string, id: number): Promise<void> {
  const other = await queryBuilder<ProjectVariableTables>(sql)
    .selectFrom('project_variable')
    .select('id')
    .where('project_id', '=', projectId)
    .where('name', '=', name)
    .where('id', '<>', id)
    .executeTakeFirst();
  if (other) throw new ConflictError('The project has a variable with this name.');
}

/** Values of environments cannot be entered again here: they must not become readable or reach other hosts. */
async function assertNoValuesReleased(sql: Sql, before: ProjectVariable, content: VariableContent): Promise<void> {
  const { isSecret, allowedHosts } = content;
  if (isSecret === before.isSecret && isNarrower(allowedHosts, before.allowedHosts)) return;
  const value = await queryBuilder<ProjectVariableTables>(sql)
    .selectFrom('project_variable_value')
    .select('id')
    .where('project_variable_id', '=', before.id)
    .limit(1)
    .executeTakeFirst();
  if (value)
    throw new ConflictError(
      'The variable has values in environments: remove them before you change this, then enter them again.',
    );
}

function audit(sql: Sql, viewer: Viewer, action: Action, variable: ProjectVariable): Promise<void> {
  const { id, projectId, name, isSecret, allowedHosts } = variable;
  const object = { type: 'project-variable', id };
  return recordAuditEvent(sql, viewer, { action, object, projectId, detail: { name, isSecret, allowedHosts } });
}
