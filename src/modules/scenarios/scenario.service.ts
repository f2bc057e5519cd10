import type { Database, Sql } from '../../platform/database/database.js';
import { queryBuilder, type Updateable } from '../../platform/database/typed-queries.js';
import { Faults, NOT_NULL } from '../../platform/errors/fields.js';
import type { Page, PageArgs } from '../../platform/lists/page.js';
import type { Viewer } from '../accounts/viewer.js';
import { type CategoryIds, checkCategory } from '../categories/check-category.js';
import { findExistingMessageIds } from '../messages/existing-messages.js';
import type { ProjectAccess } from '../projects/access.js';
import { checkLinks, setLinks } from '../projects/parts/part-links.js';
import { locateProjectPart, PART_POSITIONS } from '../projects/parts/scenario-parts.js';
import type { ScenarioCreateInput, ScenarioFilter, ScenarioUpdateInput } from './scenario.inputs.js';
import type { Scenario } from './scenario.js';
import { MESSAGES_OF_SCENARIO } from './scenario-links.js';
import { SCENARIO_LIST, SCENARIO_READS } from './scenario-reads.js';
import type { ScenarioTables } from './scenario-tables.js';

const POSITIONS = PART_POSITIONS.scenario;
const MAX_MESSAGES = 200;

/** Lists and changes scenarios. Every method authorizes the viewer. */
export class ScenarioService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
  ) {}

  /** Lists the scenarios of the viewer's projects, ordered by project and position. `selected`: the names of the members that the caller reads. */
  list(
    viewer: Viewer,
    filter: ScenarioFilter | null | undefined,
    page: PageArgs,
    selected?: ReadonlySet<string>,
  ): Promise<Page<Scenario>> {
    return SCENARIO_LIST.page(this.database, viewer, filter, page, selected);
  }

  get(viewer: Viewer, id: number): Promise<Scenario> {
    return SCENARIO_READS.get(this.database, viewer, id);
  }

  async create(viewer: Viewer, input: ScenarioCreateInput): Promise<Scenario> {
    await this.access.authorizeNamed(viewer, input.projectId, 'scenario.create');
    const faults = inputFaults(input);
    const id = await this.database.transaction(async sql => {
      const { projectId, messageIds, categoryId, subcategoryId = null } = input;
      await checkReferencedItems(sql, projectId, messageIds, { categoryId, subcategoryId }, faults);
      const sortId = await POSITIONS.next(sql, projectId);
      const { id } = await queryBuilder<ScenarioTables>(sql)
        .insertInto('scenario')
        .values({
          ...{ project_id: projectId, name: input.name.trim(), category_id: categoryId, sort_id: sortId },
          ...{ run_fee: input.runFee, free_runs_per_user: input.freeRunsPerUser },
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await this.#write(sql, id, input);
      return id;
    });
    return SCENARIO_READS.load(this.database, id);
  }

  /** Changes the members that `input` sets. */
  async update(viewer: Viewer, id: number, input: ScenarioUpdateInput): Promise<Scenario> {
    const { projectId } = await locateProjectPart(this.database, 'scenario', viewer, id, 'scenario.update');
    const faults = inputFaults(input);
    await this.database.transaction(async sql => {
      // Lock order, the same as in a deletion: first the messages, then the scenario.
      await checkMessages(sql, projectId, input.messageIds, faults);
      await locateProjectPart(sql, 'scenario', viewer, id, 'scenario.update', { lock: true });
      const changesCategory = input.categoryId !== undefined || input.subcategoryId !== undefined;
      // A category of null is a fault already.
      if (changesCategory && input.categoryId !== null) {
        const stored = await queryBuilder<ScenarioTables>(sql)
          .selectFrom('scenario')
          .select(['category_id as categoryId', 'subcategory_id as subcategoryId'])
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        const { categoryId = stored.categoryId, subcategoryId = stored.subcategoryId } = input;
        await checkCategory(sql, faults, { categoryId, subcategoryId });
      }
      faults.throwIfAny();
      await this.#write(sql, id, input);
    });
    return SCENARIO_READS.load(this.database, id);
  }

  /** Deletes a scenario and returns its last state. Its messages stay. */
  async delete(viewer: Viewer, id: number): Promise<Scenario> {
    const { projectId } = await locateProjectPart(this.database, 'scenario', viewer, id, 'scenario.delete');
    const scenario = await SCENARIO_READS.load(this.database, id);
    await this.database.transaction(sql =>
      POSITIONS.remove(sql, projectId, () => locateProjectPart(sql, 'scenario', viewer, id, 'scenario.delete')),
    );
    return scenario;
  }

  async reorder(viewer: Viewer, id: number, target: number): Promise<Scenario> {
    const { projectId } = await locateProjectPart(this.database, 'scenario', viewer, id, 'scenario.reorder');
    await this.database.transaction(sql =>
      POSITIONS.move(sql, projectId, target, () => locateProjectPart(sql, 'scenario', viewer, id, 'scenario.reorder')),
    );
    return SCENARIO_READS.load(this.database, id);
  }

  async #write(sql: Sql, id: number, input: ScenarioUpdateInput): Promise<void> {
    const changes: Updateable<ScenarioTables['scenario']> = { updated_at: new Date() };
    if (input.name !== undefined) changes.name = input.name.trim();
    for (const [member, column, empty] of COLUMNS)
      if (input[member] !== undefined) Object.assign(changes, { [column]: input[member] ?? empty });
    await queryBuilder<ScenarioTables>(sql).updateTable('scenario').set(changes).where('id', '=', id).execute();
    if (input.messageIds !== undefined) await setLinks(sql, MESSAGES_OF_SCENARIO, id, input.messageIds);
  }
}

/** Columns that are copied as they are, with the value that null stands for where null is allowed. */
const COLUMNS = [
  ['categoryId', 'category_id', null],
  ['subcategoryId', 'subcategory_id', null],
  ['runFee', 'run_fee', null],
  ['freeRunsPerUser', 'free_runs_per_user', null],
  ['availableLanguages', 'available_languages', []],
  ['marketTitle', 'market_title', ''],
  ['shortDescription', 'short_description', ''],
  ['marketPermission', 'market_permission', 'private'],
  ['readmeGuide', 'readme_guide', ''],
] as const satisfies [keyof ScenarioUpdateInput, keyof ScenarioTables['scenario'], unknown][];

function inputFaults(input: ScenarioUpdateInput): Faults {
  const faults = new Faults();
  faults.text('name', input.name, { min: 1, max: 255 });
  for (const member of ['categoryId', 'runFee', 'freeRunsPerUser', 'messageIds'] as const)
    if (input[member] === null) faults.add(member, NOT_NULL);
  faults.integer('runFee', input.runFee, { min: 0, max: 999 });
  faults.integer('freeRunsPerUser', input.freeRunsPerUser, { min: 0, max: 1_000_000_000 });
  faults.languageCodes('availableLanguages', input.availableLanguages);
  faults.text('marketTitle', input.marketTitle, { max: 255 });
  faults.text('shortDescription', input.shortDescription, { max: 2_000 });
  faults.text('readmeGuide', input.readmeGuide, { max: 100_000 });
  return faults;
}

async function checkReferencedItems(
  sql: Sql,
  projectId: number,
  messageIds: number[],
  category: CategoryIds,
  faults: Faults,
): Promise<void> {
  await checkMessages(sql, projectId, messageIds, faults);
  await checkCategory(sql, faults, category);
  faults.throwIfAny();
}

function checkMessages(sql: Sql, projectId: number, messageIds: number[] | undefined, faults: Faults): Promise<void> {
  return checkLinks(faults, 'messageIds', messageIds ?? [], MAX_MESSAGES, ids =>
    findExistingMessageIds(sql, ids, { projectId }),
  );
}
