import { type ConnectionSummary, connectionKindFault } from '../../engine/connections/kinds.js';
import type { ApiDescription } from '../../engine/openapi/read-document.js';
import type { Database, Sql } from '../../platform/database/database.js';
import { NOW, queryBuilder } from '../../platform/database/typed-queries.js';
import { ConflictError, NotFoundError } from '../../platform/errors/errors.js';
import { Faults, NOT_NULL } from '../../platform/errors/fields.js';
import { readWindow } from '../../platform/lists/counted-page.js';
import { type Page, type PageArgs, toContainsPattern, toLimitOffset } from '../../platform/lists/page.js';
import { recordAuditEvent } from '../accounts/audit.js';
import type { Viewer } from '../accounts/viewer.js';
import { assertAllowed, type ProjectAccess, viewersRole } from '../projects/access.js';
import { lockProject } from '../projects/lock-project.js';
import type { Action } from '../projects/rights.js';
import type { ApiDefinitionUpdateInput } from './api-definition.inputs.js';
import type { ApiDefinition, ApiOperation } from './api-definition.type.js';
import { DEFINITION_COLUMNS, OPERATION_COLUMNS, toApiOperation } from './api-definition-rows.js';
import type { ApiDefinitionTables } from './api-definition-tables.js';

/** The maximum number of definitions per project. */
const MAX_DEFINITIONS = 50;
/** Operations of one insert. Its parameters stay below the maximum of the PostgreSQL protocol, 65,535. */
const BATCH = 200;

/** The content of an import. */
export interface ImportedDefinition {
  projectId: number;
  name: string;
  sourceUrl: string | null;
  baseUrl: string;
  connectionId: number | null;
  description: ApiDescription;
}

type ConnectionsOf = (projectId: number) => Promise<ReadonlyMap<number, ConnectionSummary>>;

/** Manages imported OpenAPI documents. */
export class ApiDefinitionService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly connectionsOf: ConnectionsOf,
  ) {}

  async list(viewer: Viewer, projectId: number, page: PageArgs): Promise<Page<ApiDefinition>> {
    await this.access.authorize(viewer, projectId, 'project.read');
    const rows = queryBuilder<ApiDefinitionTables>(this.database)
      .selectFrom('api_definition')
      .select(DEFINITION_COLUMNS)
      .where('project_id', '=', projectId)
      .orderBy('name');
    return { ...page, ...(await readWindow(rows, toLimitOffset(page))) };
  }

  async get(viewer: Viewer, id: number): Promise<ApiDefinition> {
    await this.#locate(viewer, id, 'project.read');
    return this.#read(this.database, id);
  }

  async operations(
    viewer: Viewer,
    id: number,
    contains: string | null | undefined,
    page: PageArgs,
  ): Promise<Page<ApiOperation>> {
    const definition = await this.get(viewer, id);
    const faults = new Faults();
    faults.text('contains', contains ?? '', { max: 200 });
    faults.throwIfAny();
    let rows = queryBuilder<ApiDefinitionTables>(this.database)
      .selectFrom('api_operation')
      .select(OPERATION_COLUMNS)
      .where('api_definition_id', '=', id)
      .orderBy('position');
    if (contains) {
      const pattern = toContainsPattern(contains);
      rows = rows.where(({ or, eb }) =>
        or((['name', 'path', 'summary'] as const).map(each => eb(each, 'ilike', pattern))),
      );
    }
    const { items, total } = await readWindow(rows, toLimitOffset(page));
    return { ...page, total, items: items.map(row => toApiOperation(row, definition)) };
  }

  /** Adds a fault unless the project has the connection and HTTP requests can use it. */
  async checkConnection(projectId: number, id: number | null, faults: Faults): Promise<void> {
    if (id === null) return;
    const connection = (await this.connectionsOf(projectId)).get(id);
    const fault = connection ? connectionKindFault(connection, 'http') : `the project has no connection ${id}`;
    if (fault !== undefined) faults.add('connectionId', `${fault[0]!.toUpperCase()}${fault.slice(1)}.`);
  }

  /** Stores an import whose access and content the caller has checked. It replaces the definition of the same name. */
  store(viewer: Viewer, content: ImportedDefinition): Promise<ApiDefinition> {
    const { projectId, name, sourceUrl, baseUrl, connectionId, description } = content;
    const { title, version, operations, skipped } = description;
    return this.database.transaction(async sql => {
      await lockProject(sql, projectId);
      const tables = queryBuilder<ApiDefinitionTables>(sql);
      const existing = await tables
        .selectFrom('api_definition')
        .select(['id', 'name'])
        .where('project_id', '=', projectId)
        .execute();
      const before = existing.find(each => each.name === name);
      if (!before && existing.length >= MAX_DEFINITIONS)
        throw new ConflictError(`A project has at most ${MAX_DEFINITIONS} imported documents: delete one first.`);
      const values = {
        ...{ title, version, source_url: sourceUrl, base_url: baseUrl, connection_id: connectionId },
        ...{ operations_count: operations.length, skipped_operations: skipped },
      };
      const { id } = before
        ? await tables
            .updateTable('api_definition')
            .set({ ...values, updated_at: NOW })
            .where('id', '=', before.id)
            .returning('id')
            .executeTakeFirstOrThrow()
        : await tables
            .insertInto('api_definition')
            .values({ ...values, project_id: projectId, name })
            .returning('id')
            .executeTakeFirstOrThrow();
      await tables.deleteFrom('api_operation').where('api_definition_id', '=', id).execute();
      const rows = operations.map((operation, position) => ({
        ...{ api_definition_id: id, position, name: operation.name, operation_id: operation.operationId },
        ...{ method: operation.method, path: operation.path },
        ...{ summary: operation.summary, description: operation.description },
        parameters: JSON.stringify(operation.parameters),
        request: JSON.stringify({ arguments: operation.arguments, body: operation.body }),
      }));
      for (let at = 0; at < rows.length; at += BATCH)
        await tables
          .insertInto('api_operation')
          .values(rows.slice(at, at + BATCH))
          .execute();
      return this.#readAndAudit(sql, viewer, 'api-definition.import', id);
    });
  }

  async update(viewer: Viewer, id: number, input: ApiDefinitionUpdateInput): Promise<ApiDefinition> {
    const { projectId } = await this.#locate(viewer, id, 'api-definition.update');
    const faults = new Faults();
    if (input.name === null) faults.add('name', NOT_NULL);
    const name = input.name?.trim();
    if (name !== undefined) faults.text('name', name, { min: 1, max: 255 });
    const baseUrl = input.baseUrl === undefined ? undefined : toBaseUrl(input.baseUrl ?? '', faults);
    await this.checkConnection(projectId, input.connectionId ?? null, faults);
    faults.throwIfAny();
    return this.database.transaction(async sql => {
      await lockProject(sql, projectId);
      const before = await this.#read(sql, id);
      const connectionId = input.connectionId === undefined ? before.connectionId : input.connectionId;
      assertBaseUrlOrConnection(baseUrl ?? before.baseUrl, connectionId);
      if (name !== undefined) await assertFree(sql, projectId, name, id);
      await queryBuilder<ApiDefinitionTables>(sql)
        .updateTable('api_definition')
        .set({
          ...{ name: name ?? before.name, base_url: baseUrl ?? before.baseUrl },
          ...{ connection_id: connectionId, updated_at: NOW },
        })
        .where('id', '=', id)
        .execute();
      return this.#readAndAudit(sql, viewer, 'api-definition.update', id);
    });
  }

  async delete(viewer: Viewer, id: number): Promise<ApiDefinition> {
    await this.#locate(viewer, id, 'api-definition.delete');
    return this.database.transaction(async sql => {
      const definition = await this.#readAndAudit(sql, viewer, 'api-definition.delete', id);
      await queryBuilder<ApiDefinitionTables>(sql).deleteFrom('api_definition').where('id', '=', id).execute();
      return definition;
    });
  }

  async #read(sql: Sql, id: number): Promise<ApiDefinition> {
    const row = await queryBuilder<ApiDefinitionTables>(sql)
      .selectFrom('api_definition')
      .select(DEFINITION_COLUMNS)
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row) throw new NotFoundError();
    return row;
  }

  async #locate(viewer: Viewer, id: number, action: Action): Promise<{ projectId: number }> {
    const located = await queryBuilder<ApiDefinitionTables>(this.database)
      .selectFrom('api_definition as d')
      .select(['d.project_id as projectId', viewersRole(viewer, 'd.project_id').as('role')])
      .where('d.id', '=', id)
      .executeTakeFirst();
    assertAllowed(located?.role ?? null, action);
    return located!;
  }

  /** Reads a definition and records an action on it in the audit log. */
  async #readAndAudit(sql: Sql, viewer: Viewer, action: Action, id: number): Promise<ApiDefinition> {
    const definition = await this.#read(sql, id);
    const { projectId, name, baseUrl, connectionId, operationsCount } = definition;
    const object = { type: 'api-definition', id };
    const detail = { name, baseUrl, connectionId, operationsCount };
    await recordAuditEvent(sql, viewer, { action, object, projectId, detail });
    return definition;
  }
}

/** Returns an address without a trailing slash, query and fragment. Adds a fault for an invalid one. */
export function toBaseUrl(text: string, faults: Faults): string {
  const address = text.trim();
  if (address === '') return '';
  faults.text('baseUrl', address, { max: 2048 });
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isUsable = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (!isUsable || /[{}]/.test(address)) {
    faults.add('baseUrl', 'Enter an http or https address without a user and placeholders.');
    return '';
  }
  return `${url.origin}${url.pathname}`.replace(/\/$/, '');
}

/**
 * Throws an InvalidInputError if an API has neither a base URL nor a connection. Settings of a connection can change, so
 * only its requests fail if it has no base URL.
 */
export function assertBaseUrlOrConnection(baseUrl: string, connectionId: number | null): void {
  if (baseUrl !== '' || connectionId !== null) return;
  const faults = new Faults();
  faults.add('baseUrl', 'Enter the address of the API, or select a connection with a base URL.');
  faults.throwIfAny();
}

/** Throws ConflictError if another definition of the project has the name. */
async function assertFree(sql: Sql, projectId: number, name: string, id: number): Promise<void> {
  const other = await queryBuilder<ApiDefinitionTables>(sql)
    .selectFrom('api_definition')
    .select('id')
    .where('project_id', '=', projectId)
    .where('name', '=', name)
    .where('id', '<>', id)
    .executeTakeFirst();
  if (other) throw new ConflictError('The project has an imported document with this name.');
}
