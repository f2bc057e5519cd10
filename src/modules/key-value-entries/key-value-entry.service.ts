import { type KeyValueChange, type KeyValueOutcome, MAX_TTL_SECONDS } from '../../engine/key-value/port.js';
import { queryBuilder } from '../../platform/database/typed-queries.js';
import { capitalized } from '../../platform/errors/capitalized.js';
import { ConflictError, InvalidInputError, NotFoundError } from '../../platform/errors/errors.js';
import { Faults } from '../../platform/errors/fields.js';
import { readWindow } from '../../platform/lists/counted-page.js';
import { type Page, type PageArgs, toLimitOffset } from '../../platform/lists/page.js';
import { recordAuditEvent } from '../accounts/audit.js';
import type { Viewer } from '../accounts/viewer.js';
import { assertAllowed, type ProjectAccess, viewersRole } from '../projects/access.js';
import type { Action } from '../projects/rights.js';
import { changeFault, KeyValueError } from './change-effect.js';
import {
  ENTRY_COLUMNS,
  type KeyValueEntry,
  type KeyValueEntryIncrementInput,
  type KeyValueEntrySetInput,
  LISTED_ENTRY_COLUMNS,
} from './key-value-entry.type.js';
import type { KeyValueTables } from './key-value-tables.js';
import { isLive, type ProjectKeyValues } from './project-key-values.js';

const OTHER_VERSION = 'The entry has another version: read it again.';

/** Lists and changes the entries of projects. Every method authorizes the viewer. */
export class KeyValueEntryService {
  constructor(
    private readonly store: ProjectKeyValues,
    private readonly access: ProjectAccess,
  ) {}

  /** The entries of a project by key, without their values. With `prefix` only those whose key begins with it. */
  async list(
    viewer: Viewer,
    projectId: number,
    prefix: string | null | undefined,
    page: PageArgs,
  ): Promise<Page<Omit<KeyValueEntry, 'value'>>> {
    await this.access.authorize(viewer, projectId, 'project.read');
    const rows = queryBuilder<KeyValueTables>(this.store.database)
      .selectFrom('key_value_entry as e')
      .select(LISTED_ENTRY_COLUMNS)
      .where('e.project_id', '=', projectId)
      .$if(!!prefix, query => query.where(({ fn, val }) => fn<boolean>('starts_with', ['e.key', val(prefix)])))
      .where(isLive())
      .orderBy('e.key');
    return { ...page, ...(await readWindow(rows, toLimitOffset(page))) };
  }

  get(viewer: Viewer, id: string): Promise<KeyValueEntry> {
    return this.#locate(viewer, id, 'project.read');
  }

  async set(viewer: Viewer, input: KeyValueEntrySetInput): Promise<KeyValueEntry> {
    const { projectId, key, ttlSeconds, expectedVersion: version } = input;
    const condition = version === undefined || version === null ? {} : { condition: { version } };
    const value = input.value ?? null;
    return this.#write(viewer, projectId, {
      operation: 'set',
      key,
      value,
      ttlSeconds: ttlSeconds ?? null,
      ...condition,
    });
  }

  async increment(viewer: Viewer, input: KeyValueEntryIncrementInput): Promise<KeyValueEntry> {
    const { projectId, key, ttlSeconds, by } = input;
    return this.#write(viewer, projectId, { operation: 'increment', key, by: by ?? 1, ttlSeconds: ttlSeconds ?? null });
  }

  async delete(viewer: Viewer, id: string): Promise<KeyValueEntry> {
    const entry = await this.#locate(viewer, id, 'key-value-entry.delete');
    const { projectId, key } = entry;
    const { applied } = await this.#change(viewer, projectId, { operation: 'delete', key });
    if (!applied) throw new NotFoundError();
    return entry;
  }

  async #write(
    viewer: Viewer,
    projectId: number,
    change: Exclude<KeyValueChange, { operation: 'delete' }>,
  ): Promise<KeyValueEntry> {
    await this.access.authorizeNamed(viewer, projectId, 'key-value-entry.write');
    const faults = new Faults();
    const fault = changeFault(change);
    if (fault) faults.add(fault.member, `${capitalized(fault.message)}.`);
    faults.integer('ttlSeconds', change.ttlSeconds, { min: 1, max: MAX_TTL_SECONDS });
    faults.throwIfAny();
    const { applied } = await this.#change(viewer, projectId, change);
    if (!applied) throw new ConflictError(OTHER_VERSION);
    const entry = await this.store.find(projectId, change.key);
    if (!entry) throw new ConflictError('The entry was deleted at the same time: write it again.');
    return entry;
  }

  async #change(viewer: Viewer, projectId: number, change: KeyValueChange): Promise<KeyValueOutcome> {
    const action: Action = change.operation === 'delete' ? 'key-value-entry.delete' : 'key-value-entry.write';
    const object = { type: 'key-value-entry', id: change.key };
    const detail = { operation: change.operation };
    try {
      return await this.store.change({ projectId, change }, sql =>
        recordAuditEvent(sql, viewer, { action, object, projectId, detail }),
      );
    } catch (error) {
      if (!(error instanceof KeyValueError)) throw error;
      const message = `${capitalized(error.message)}.`;
      if (error.code === 'not_a_number') throw new InvalidInputError({ by: [message] });
      throw new ConflictError(message);
    }
  }

  /** @throws NotFoundError when the viewer cannot read the entry, ForbiddenError when the role does not allow `action`. */
  async #locate(viewer: Viewer, id: string, action: Action): Promise<KeyValueEntry> {
    const row = await queryBuilder<KeyValueTables>(this.store.database)
      .selectFrom('key_value_entry as e')
      .select(ENTRY_COLUMNS)
      .select(viewersRole(viewer, 'e.project_id').as('role'))
      .where('e.id', '=', id)
      .where(isLive())
      .executeTakeFirst();
    assertAllowed(row?.role ?? null, action);
    if (!row) throw new NotFoundError();
    const { role: _, ...entry } = row;
    return entry;
  }
}
