import type { Vault } from '../../platform/crypto/crypto.js';
import type { Database, Sql } from '../../platform/database/database.js';
import { expression, NOW, queryBuilder } from '../../platform/database/typed-queries.js';
import { ConflictError, NotFoundError } from '../../platform/errors/errors.js';
import { Faults } from '../../platform/errors/fields.js';
import { readWindow } from '../../platform/lists/counted-page.js';
import { type Page, type PageArgs, toLimitOffset } from '../../platform/lists/page.js';
import { recordAuditEvent } from '../accounts/audit.js';
import type { Viewer } from '../accounts/viewer.js';
import { assertAllowed, type ProjectAccess, viewersRole } from '../projects/access.js';
import { lockProject } from '../projects/lock-project.js';
import type { Action } from '../projects/rights.js';
import type { ConnectionCreateInput, ConnectionUpdateInput } from './connection.inputs.js';
import type { ConnectedService, ConnectionUse } from './connection.type.js';
import {
  type ConnectionContent,
  changedContent,
  checkSecret,
  type EarlierContent,
  newContent,
} from './connection-content.js';
import { CONNECTION_COLUMNS, shownSettings } from './connection-rows.js';
import { type ConnectionTables, secretContextOf } from './connection-tables.js';

/** The maximum number of connections per project. */
const MAX_CONNECTIONS = 200;

const NO_TOKENS = { tokens: null, refresh_at: null };

type Row = Omit<ConnectedService, 'settings' | 'kind'> & EarlierContent;

/** Manages the connections of projects. Secrets are stored sealed and are never returned. */
export class ConnectionService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly vault: Vault,
  ) {}

  async list(viewer: Viewer, projectId: number, page: PageArgs): Promise<Page<ConnectedService>> {
    await this.access.authorize(viewer, projectId, 'project.read');
    const rows = queryBuilder<ConnectionTables>(this.database)
      .selectFrom('connection')
      .select(CONNECTION_COLUMNS)
      .where('project_id', '=', projectId)
      .orderBy('name');
    const { items, total } = await readWindow(rows, toLimitOffset(page));
    return { ...page, total, items: items.map(row => toConnectedService(row as Row)) };
  }

  async get(viewer: Viewer, id: number): Promise<ConnectedService> {
    await this.locate(viewer, id, 'project.read');
    const row = await queryBuilder<ConnectionTables>(this.database)
      .selectFrom('connection')
      .select(CONNECTION_COLUMNS)
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row) throw new NotFoundError();
    return toConnectedService(row as Row);
  }

  async create(viewer: Viewer, input: ConnectionCreateInput): Promise<ConnectedService> {
    const { projectId } = input;
    await this.access.authorizeNamed(viewer, projectId, 'connection.create');
    const content = newContent(input);
    return this.database.transaction(async sql => {
      await lockProject(sql, projectId);
      const tables = queryBuilder<ConnectionTables>(sql);
      // The id is taken in advance, because the secret is sealed for it.
      const { id, count } = await tables
        .selectFrom('connection')
        .select(({ fn }) => [
          expression<number>`nextval('connection_id_seq')::int`.as('id'),
          fn.countAll<number>().as('count'),
        ])
        .where('project_id', '=', projectId)
        .executeTakeFirstOrThrow();
      if (count >= MAX_CONNECTIONS)
        throw new ConflictError(`A project has at most ${MAX_CONNECTIONS} connections: delete one first.`);
      await assertFree(sql, projectId, content.name, id);
      const { kind, preset } = content;
      const row = await tables
        .insertInto('connection')
        .values({
          id,
          project_id: projectId,
          kind,
          preset,
          ...toStoredColumns(content),
          ...this.#sealed(id, content.secret ?? null),
        })
        .returning(CONNECTION_COLUMNS)
        .executeTakeFirstOrThrow();
      return this.#recordAndConvert(sql, viewer, 'connection.create', row as Row);
    });
  }

  /** Changes a connection. A secret that the caller cannot read must not reach other servers. */
  async update(viewer: Viewer, id: number, input: ConnectionUpdateInput): Promise<ConnectedService> {
    const { projectId } = await this.locate(viewer, id, 'connection.update');
    return this.database.transaction(async sql => {
      await lockProject(sql, projectId);
      const before = await this.#lock(sql, id);
      const content = changedContent(before, input);
      await assertFree(sql, projectId, content.name, id);
      const row = await queryBuilder<ConnectionTables>(sql)
        .updateTable('connection')
        .set({ ...toStoredColumns(content), updated_at: NOW })
        .$if(!content.keepsTokens, query => query.set(NO_TOKENS))
        .$if(content.secret !== undefined, query => query.set(this.#sealed(id, content.secret!)))
        .where('id', '=', id)
        .returning(CONNECTION_COLUMNS)
        .executeTakeFirstOrThrow();
      return this.#recordAndConvert(sql, viewer, 'connection.update', row as Row);
    });
  }

  /** Replaces the secret. Runs use the new one from their next request on. */
  async rotate(viewer: Viewer, id: number, secret: string): Promise<ConnectedService> {
    await this.locate(viewer, id, 'connection.rotate');
    return this.database.transaction(async sql => {
      const before = await this.#lock(sql, id);
      const faults = new Faults();
      checkSecret(before.kind, secret || null, faults);
      faults.throwIfAny();
      const row = await queryBuilder<ConnectionTables>(sql)
        .updateTable('connection')
        .set({ ...this.#sealed(id, secret || null), updated_at: NOW })
        .where('id', '=', id)
        .returning(CONNECTION_COLUMNS)
        .executeTakeFirstOrThrow();
      return this.#recordAndConvert(sql, viewer, 'connection.rotate', row as Row);
    });
  }

  async delete(viewer: Viewer, id: number): Promise<ConnectedService> {
    await this.locate(viewer, id, 'connection.delete');
    return this.database.transaction(async sql => {
      const row = await queryBuilder<ConnectionTables>(sql)
        .deleteFrom('connection')
        .where('id', '=', id)
        .returning(CONNECTION_COLUMNS)
        .executeTakeFirst();
      if (!row) throw new NotFoundError();
      return this.#recordAndConvert(sql, viewer, 'connection.delete', row as Row);
    });
  }

  /** The uses of a connection, newest first. */
  async uses(viewer: Viewer, id: number, page: PageArgs): Promise<Page<ConnectionUse>> {
    await this.locate(viewer, id, 'project.read');
    const rows = queryBuilder<ConnectionTables>(this.database)
      .selectFrom('connection_use')
      .select([
        ...(['id', 'run_id as runId', 'first_used_at as firstUsedAt', 'last_used_at as lastUsedAt'] as const),
        expression<number | null>`nullif(workflow_id, 0)`.as('workflowId'),
        expression<number | null>`nullif(user_id, 0)`.as('userId'),
      ])
      .where('connection_id', '=', id)
      .orderBy('last_used_at', 'desc')
      .orderBy('id', 'desc');
    return { ...page, ...(await readWindow(rows, toLimitOffset(page))) };
  }

  /** @throws NotFoundError when the viewer cannot read the connection, ForbiddenError when the role does not allow `action`. */
  async locate(viewer: Viewer, id: number, action: Action): Promise<{ projectId: number }> {
    const located = await queryBuilder<ConnectionTables>(this.database)
      .selectFrom('connection as c')
      .select(['c.project_id as projectId', viewersRole(viewer, 'c.project_id').as('role')])
      .where('c.id', '=', id)
      .executeTakeFirst();
    assertAllowed(located?.role ?? null, action);
    return located!;
  }

  async #lock(sql: Sql, id: number): Promise<Row> {
    const row = await queryBuilder<ConnectionTables>(sql)
      .selectFrom('connection')
      .select(CONNECTION_COLUMNS)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!row) throw new NotFoundError();
    return row as Row;
  }

  #sealed(id: number, secret: string | null) {
    return {
      sealed: secret === null ? null : this.vault.seal(secret, secretContextOf(id)),
      secret_changed_at: secret === null ? null : NOW,
    };
  }

  /** Records an action on a connection in the audit log and returns the connection for GraphQL. */
  async #recordAndConvert(sql: Sql, viewer: Viewer, action: Action, row: Row): Promise<ConnectedService> {
    const { id, projectId, name, kind, allowedHosts } = row;
    const object = { type: 'connection', id };
    await recordAuditEvent(sql, viewer, { action, object, projectId, detail: { name, kind, allowedHosts } });
    return toConnectedService(row);
  }
}

function toConnectedService({ settings, kind, ...row }: Row): ConnectedService {
  return { ...row, kind: kind as ConnectedService['kind'], settings: shownSettings(settings) };
}

function toStoredColumns({ name, settings, allowedHosts }: ConnectionContent) {
  return { name, settings: JSON.stringify(settings), allowed_hosts: allowedHosts };
}

async function assertFree(sql: Sql, projectId: number, name: string, id: number): Promise<void> {
  const other = await queryBuilder<ConnectionTables>(sql)
    .selectFrom('connection')
    .select('id')
    .where('project_id', '=', projectId)
    .where('name', '=', name)
    .where('id', '<>', id)
    .executeTakeFirst();
  if (other) throw new ConflictError('The project has a connection with this name.');
}
