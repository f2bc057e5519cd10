import type { Database } from '../../../platform/database/database.js';
import {
  anyInt,
  type Expression,
  expression,
  type QueryCreator,
  queryBuilder,
} from '../../../platform/database/typed-queries.js';
import { Faults } from '../../../platform/errors/fields.js';
import { type PageValue, preparedPage, readWindow } from '../../../platform/lists/counted-page.js';
import { SMALL_BYTES } from '../../../platform/lists/list-payloads.js';
import { selectSmallPayload } from '../../../platform/lists/list-payloads.sql.js';
import { type Page, type PageArgs, toContainsPattern, toLimitOffset } from '../../../platform/lists/page.js';
import type { Viewer } from '../../accounts/viewer.js';
import { isVisible, type ViewerParameters } from '../access.js';
import type { PartQuery, PartReads } from './part-reads.js';
import { type PartFilter, partRole, runCondition } from './scenario-parts.js';

const MAX_VALUES = 100;

/** The filters of all kinds of parts and of scenarios. Each list uses those that its input type has. */
interface ListFilter extends PartFilter {
  projectId?: number | null;
  keyContains?: string | null;
  nameContains?: string | null;
  role?: string | null;
  isGlobal?: boolean | null;
  categoryIds?: readonly number[] | null;
}

/**
 * Lists the parts of scenarios of one kind (messages, prompts or variables), or scenarios, that a viewer may read, by project
 * and position.
 */
export class PartList<T> {
  readonly #prepared = new Map<string, PreparedPage<T>>();

  constructor(private readonly reads: PartReads<T>) {}

  /**
   * Returns one page. Lists without a filter or filtered only by project are prepared statements; others are
   * compiled for each request. `selected`: the names of the members that the caller reads; it decides whether small payloads are read
   * with the rows.
   *
   * @throws InvalidInputError if a value of the filter or of the page is out of range
   */
  async page(
    database: Database,
    viewer: Viewer,
    filter: ListFilter | null | undefined,
    page: PageArgs,
    selected: ReadonlySet<string> = new Set(),
  ): Promise<Page<T>> {
    const { limit, offset } = toLimitOffset(page);
    checkFilter(filter);
    const hasPayloads = Object.keys(this.reads.payloads).some(member => selected.has(member));
    const conditions = conditionsOf(filter);
    if (conditions.length > 0 || filter?.scenarioRunId != null || filter?.hasScenarioRun != null) {
      const parts = this.#select(queryBuilder<object>(database), viewer, [
        runCondition(filter),
        ...projectCondition(filter?.projectId),
        ...conditions,
      ]);
      const rows = this.#withPayloadsIf(hasPayloads, inOrder(parts));
      return { ...page, ...(await readWindow(rows, { limit, offset })) };
    }
    const read = this.#preparedPage(viewer.isAdmin, { isOfProject: filter?.projectId != null, hasPayloads });
    const values = { userId: viewer.userId, project: filter?.projectId ?? null, limit, offset };
    return { ...page, ...(await read(database, values)) };
  }

  #select(tables: QueryCreator<object>, viewer: ViewerParameters, conditions: Expression<boolean>[]): PartQuery<T> {
    const visible = isVisible(viewer, 't.project_id');
    // Only prompts can belong to a user instead of a project.
    const own = expression<boolean>`t.owner_id = ${viewer.userId}`;
    return this.reads
      .select(tables)
      .where(({ or, and, eb }) => {
        const ofProject = and([eb('t.project_id', 'is not', null), visible]);
        return this.reads.table === 'prompt' ? or([own, ofProject]) : ofProject;
      })
      .where(({ and }) => and(conditions));
  }

  #withPayloadsIf(hasPayloads: boolean, parts: PartQuery<T>): PartQuery<T> {
    return hasPayloads ? selectSmallPayload(parts, this.reads.payloads, SMALL_BYTES) : parts;
  }

  /** Administrators have their own statement, because it needs no lookup of memberships. */
  #preparedPage(isAdmin: boolean, { isOfProject, hasPayloads }: PageKind): PreparedPage<T> {
    const variants = [isAdmin && 'admin', isOfProject && 'project', hasPayloads && 'payloads'].filter(Boolean);
    const name = [`${this.reads.table}-page`, ...variants].join('-');
    let page = this.#prepared.get(name);
    if (!page) {
      page = preparedPage(name, (tables: QueryCreator<object>, value: PageValue<PageValues>) => {
        const viewer = { userId: expression<number>`${value('userId')}::int`, isAdmin: expression.lit(isAdmin) };
        const ofProject = isOfProject ? projectCondition(value('project')) : [];
        const ordered = inOrder(this.#select(tables, viewer, [runCondition(), ...ofProject]));
        const parts = this.#withPayloadsIf(hasPayloads, ordered);
        return this.reads.showsRole ? parts.select(partRole(this.reads.table, viewer).as('viewersRole')) : parts;
      });
      this.#prepared.set(name, page);
    }
    return page;
  }
}

/** What distinguishes the prepared statements of a list. */
interface PageKind {
  isOfProject: boolean;
  hasPayloads: boolean;
}

interface PageValues {
  userId: number;
  project: number | null;
}

type PreparedPage<T> = ReturnType<typeof preparedPage<object, PageValues, T>>;

function inOrder<T>(query: PartQuery<T>): PartQuery<T> {
  return query.orderBy('t.project_id').orderBy('t.sort_id').orderBy('t.id');
}

function checkFilter(filter: ListFilter | null | undefined): void {
  const faults = new Faults();
  faults.text('keyContains', filter?.keyContains, { max: 255 });
  faults.text('nameContains', filter?.nameContains, { max: 255 });
  if ((filter?.categoryIds?.length ?? 0) > MAX_VALUES)
    faults.add('categoryIds', `Ensure this list has no more than ${MAX_VALUES} items.`);
  faults.throwIfAny();
}

function projectCondition(project: number | null | undefined | Expression<number | null>): Expression<boolean>[] {
  return project == null ? [] : [expression<boolean>`t.project_id = ${project}`];
}

/** Returns the conditions of a filter, except those for the project and the run. */
function conditionsOf(filter: ListFilter | null | undefined): Expression<boolean>[] {
  const { keyContains, nameContains, role, isGlobal, categoryIds: categories } = filter ?? {};
  const conditions: Expression<boolean>[] = [];
  if (keyContains) conditions.push(expression`t.key ilike ${toContainsPattern(keyContains)}`);
  if (nameContains) conditions.push(expression`t.name ilike ${toContainsPattern(nameContains)}`);
  if (role != null) conditions.push(expression`t.role = ${role}`);
  if (isGlobal != null) conditions.push(expression`t.is_global = ${isGlobal}`);
  if (categories) conditions.push(expression`t.category_id = ${anyInt(categories)}`);
  return conditions;
}
