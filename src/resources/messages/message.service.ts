import type { Database, Sql } from '../../base/database.js';
import { NotFoundError } from '../../base/errors.js';
import { Faults } from '../../base/fields.js';
import type { Page, PageArgs } from '../../base/page.js';
import { setColumns } from '../../base/set-columns.js';
import type { Viewer } from '../accounts/viewer.js';
import type { ProjectAccess } from '../projects/access.js';
import { checkKey, withUniqueKey } from '../projects/part-keys.js';
import { checkLinks, setLinks } from '../projects/part-links.js';
import { listParts } from '../projects/part-list.js';
import { locateProjectPart, PART_POSITIONS } from '../projects/scenario-parts.js';
import { DOES_NOT_EXIST } from '../projects/within.js';
import type { Condition } from '../prompts/condition.type.js';
import { readConditions } from '../prompts/conditions.js';
import { existingPrompts } from '../prompts/existing-prompts.js';
import { checkReferences, referencesOfConditions } from '../prompts/references.js';
import { existingVariables } from '../variables/existing-variables.js';
import { existingMessages } from './existing-messages.js';
import type { MessageCreateInput, MessageFilter, MessageUpdateInput } from './message.inputs.js';
import { Message } from './message.js';
import { PROMPTS_OF_MESSAGE } from './message-links.js';
import { checkParameters } from './parameters.js';

const POSITIONS = PART_POSITIONS.message;
const MAX_PROMPTS = 100;
const MAX_ROUNDS = 1_000;
const PROVIDER = /^[\w.-]{0,64}$/;

export class MessageService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
  ) {}

  /** The messages of the viewer's projects, by project and position. */
  list(viewer: Viewer, filter: MessageFilter | null | undefined, page: PageArgs): Promise<Page<Message>> {
    return listParts(this.database, 'message', Message, viewer, filter, page);
  }

  async get(viewer: Viewer, id: number): Promise<Message> {
    await locateProjectPart(this.database, 'message', viewer, id, 'project.read');
    return this.#load(id);
  }

  async create(viewer: Viewer, input: MessageCreateInput): Promise<Message> {
    await this.access.authorizeNamed(viewer, input.project, 'message.create');
    const faults = inputFaults(input);
    const conditions = readConditions('conditions', input.conditions, faults);
    const id = await withUniqueKey(() =>
      this.database.transaction(async sql => {
        // The order is locked before the messages that conditions name, as in a deletion.
        const sortId = await POSITIONS.next(sql, input.project);
        await checkNamed(sql, input.project, input, conditions, faults);
        const [row] = await sql.query<{ id: number }>(
          `insert into message (project_id, key, parameters, conditions, sort_id) values ($1, $2, '{}', '[]', $3) returning id`,
          [input.project, input.key.trim(), sortId],
        );
        await this.#write(sql, row!.id, input, conditions);
        return row!.id;
      }),
    );
    return this.#load(id);
  }

  /** Changes what is given. */
  async update(viewer: Viewer, id: number, input: MessageUpdateInput): Promise<Message> {
    const { projectId } = await locateProjectPart(this.database, 'message', viewer, id, 'message.update');
    const faults = inputFaults(input);
    const conditions = readConditions('conditions', input.conditions, faults);
    await withUniqueKey(() =>
      this.database.transaction(async sql => {
        // What is named is locked before the message itself, in the order in which a deletion locks them.
        await checkNamed(sql, projectId, input, conditions, faults);
        await locateProjectPart(sql, 'message', viewer, id, 'message.update', 'for no key update of t');
        await this.#write(sql, id, input, conditions);
      }),
    );
    return this.#load(id);
  }

  /** Deletes a message and answers what it was. Placeholders that name it are left dangling. */
  async delete(viewer: Viewer, id: number): Promise<Message> {
    const { projectId } = await locateProjectPart(this.database, 'message', viewer, id, 'message.delete');
    const message = await this.#load(id);
    await this.database.transaction(sql =>
      POSITIONS.remove(
        sql,
        projectId,
        () => locateProjectPart(sql, 'message', viewer, id, 'message.delete'),
        () => sql.query('delete from message where id = $1', [id]),
      ),
    );
    return message;
  }

  async reorder(viewer: Viewer, id: number, target: number): Promise<Message> {
    const { projectId } = await locateProjectPart(this.database, 'message', viewer, id, 'message.reorder');
    await this.database.transaction(sql =>
      POSITIONS.move(sql, projectId, target, () => locateProjectPart(sql, 'message', viewer, id, 'message.reorder')),
    );
    return this.#load(id);
  }

  async #write(sql: Sql, id: number, input: MessageUpdateInput, conditions: Condition[]): Promise<void> {
    const changes = new Map<string, unknown>([['updated_at', new Date()]]);
    if (input.key !== undefined) changes.set('key', input.key.trim());
    for (const [member, column, empty] of COLUMNS)
      if (input[member] !== undefined) changes.set(column, input[member] ?? empty);
    if (input.parameters !== undefined) changes.set('parameters', JSON.stringify(input.parameters ?? {}));
    if (input.conditions !== undefined) changes.set('conditions', JSON.stringify(conditions));
    await setColumns(sql, 'message', id, changes);
    if (input.prompts !== undefined) await setLinks(sql, PROMPTS_OF_MESSAGE, id, input.prompts ?? []);
  }

  async #load(id: number): Promise<Message> {
    const message = await this.database.orm.em.fork().findOne(Message, { id });
    if (!message) throw new NotFoundError();
    return message;
  }
}

/** Plain columns, and what null means for them. */
const COLUMNS = [
  ['provider', 'provider', ''],
  ['returnType', 'return_type', 'text'],
  ['isLoop', 'is_loop', false],
  ['loopCount', 'loop_count', 1],
  ['loopVariable', 'loop_variable_id', null],
  ['isAsync', 'is_async', false],
] as const satisfies [keyof MessageUpdateInput, string, unknown][];

function inputFaults(input: MessageUpdateInput): Faults {
  const faults = new Faults();
  checkKey(faults, input.key);
  if (input.provider != null && !PROVIDER.test(input.provider))
    faults.add('provider', 'Must be at most 64 letters, digits, _, . and -.');
  checkParameters(faults, input.parameters);
  faults.integer('loopCount', input.loopCount, { min: 1, max: MAX_ROUNDS });
  return faults;
}

/** Whatever a message names lies in its project. */
async function checkNamed(
  sql: Sql,
  project: number,
  input: MessageUpdateInput,
  conditions: Condition[],
  faults: Faults,
): Promise<void> {
  await checkReferences(sql, referencesOfConditions('conditions', conditions), { project }, existingMessages, faults);
  const { loopVariable } = input;
  if (loopVariable != null && !(await existingVariables(sql, [loopVariable], { project })).has(loopVariable))
    faults.add('loopVariable', DOES_NOT_EXIST);
  await checkLinks(faults, 'prompts', input.prompts ?? [], MAX_PROMPTS, ids => existingPrompts(sql, ids, project));
  faults.throwIfAny();
}
