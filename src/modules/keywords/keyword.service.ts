import type { Database, Sql } from '../../platform/database/database.js';
import {
  queryBuilder,
  rowCount,
  type SelectQueryBuilder,
  type Updateable,
} from '../../platform/database/typed-queries.js';
import { ConflictError, InvalidInputError } from '../../platform/errors/errors.js';
import { Faults } from '../../platform/errors/fields.js';
import { readWindow } from '../../platform/lists/counted-page.js';
import { type Page, type PageArgs, toContainsPattern, toLimitOffset } from '../../platform/lists/page.js';
import { MAX_INTEGER } from '../../platform/sql/max-integer.js';
import type { Viewer } from '../accounts/viewer.js';
import { isVisible, type ProjectAccess } from '../projects/access.js';
import { notFoundToInputError } from '../projects/parts/not-found-to-input-error.js';
import { DOES_NOT_EXIST } from '../projects/parts/part-scope.js';
import {
  type KeywordCreateInput,
  type KeywordFilter,
  KeywordOrder,
  type KeywordUpdateInput,
} from './keyword.inputs.js';
import { KEYWORD_COLUMNS, type Keyword } from './keyword.js';
import type { KeywordChanges } from './keyword-changes.js';
import type { KeywordTables } from './keyword-tables.js';
import { locateKeyword, locateKeywordRun } from './locate-keyword.js';
import { hasEnded, MAX_KEYWORDS_OF_RUN } from './runs/keyword-run.js';

const MAX_VOLUME = MAX_INTEGER;

type Keywords = SelectQueryBuilder<KeywordTables, 'keyword', Keyword>;

const ORDERS: Record<KeywordOrder, (keywords: Keywords) => Keywords> = {
  [KeywordOrder.CREATED_AT_DESC]: keywords =>
    keywords
      .orderBy('keyword.created_at', 'desc')
      .orderBy('keyword.rank', rank => rank.asc().nullsFirst())
      .orderBy('keyword.id', 'desc'),
  [KeywordOrder.NAME_ASC]: keywords => keywords.orderBy('keyword.name').orderBy('keyword.id'),
  [KeywordOrder.NAME_DESC]: keywords => keywords.orderBy('keyword.name', 'desc').orderBy('keyword.id', 'desc'),
  [KeywordOrder.VOLUME_DESC]: keywords =>
    keywords.orderBy('keyword.volume', volume => volume.desc().nullsLast()).orderBy('keyword.id', 'desc'),
};

/** Lists and changes keywords. Every method authorizes the viewer. */
export class KeywordService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly changes: KeywordChanges,
  ) {}

  /** Lists the keywords of the viewer's projects. */
  async list(
    viewer: Viewer,
    filter: KeywordFilter | null | undefined,
    order: KeywordOrder,
    page: PageArgs,
  ): Promise<Page<Keyword>> {
    const { limit, offset } = toLimitOffset(page);
    const {
      projectId = null,
      keywordRunId = null,
      keywordClusterId = null,
      isEnabled = null,
      nameContains,
    } = filter ?? {};
    const faults = new Faults();
    faults.text('nameContains', nameContains, { max: 255 });
    faults.throwIfAny();
    if (keywordRunId !== null)
      await notFoundToInputError('keywordRunId', locateKeywordRun(this.database, viewer, keywordRunId, 'project.read'));
    let keywords = queryBuilder<KeywordTables>(this.database)
      .selectFrom('keyword')
      .select(KEYWORD_COLUMNS)
      .where(isVisible(viewer, 'keyword.project_id'));
    if (projectId !== null) keywords = keywords.where('project_id', '=', projectId);
    if (keywordRunId !== null) keywords = keywords.where('keywordrun_id', '=', keywordRunId);
    if (keywordClusterId !== null) keywords = keywords.where('keyword_cluster_id', '=', keywordClusterId);
    if (isEnabled !== null) keywords = keywords.where('is_enabled', '=', isEnabled);
    if (nameContains) keywords = keywords.where('name', 'ilike', toContainsPattern(nameContains));
    return { ...page, ...(await readWindow(ORDERS[order](keywords), { limit, offset })) };
  }

  get(viewer: Viewer, id: number): Promise<Keyword> {
    return locateKeyword(this.database, viewer, id, 'project.read');
  }

  async create(viewer: Viewer, input: KeywordCreateInput): Promise<Keyword> {
    await this.access.authorizeNamed(viewer, input.projectId, 'keyword.create');
    const faults = inputFaults(input);
    faults.text('mode', input.mode, { max: 50 });
    faults.throwIfAny();
    return this.database.transaction(async sql => {
      const runId = await this.#lockRun(sql, input);
      const keyword = await queryBuilder<KeywordTables>(sql)
        .insertInto('keyword')
        .values({
          project_id: input.projectId,
          keywordrun_id: runId,
          keyword_cluster_id: input.keywordClusterId ?? null,
          name: input.name.trim(),
          volume: input.volume ?? null,
          competitor_url: input.competitorUrl?.trim() ?? '',
          mode: input.mode?.trim() ?? '',
          is_enabled: input.isEnabled ?? true,
        })
        .returning(KEYWORD_COLUMNS)
        .executeTakeFirstOrThrow();
      if (runId !== null) await this.changes.notify(sql, runId);
      return keyword;
    });
  }

  /** Changes the members that `input` sets. */
  async update(viewer: Viewer, id: number, input: KeywordUpdateInput): Promise<Keyword> {
    const { keywordRunId } = await locateKeyword(this.database, viewer, id, 'keyword.update');
    inputFaults(input).throwIfAny();
    const changes: Updateable<KeywordTables['keyword']> = { updated_at: new Date() };
    if (input.name !== undefined) changes.name = input.name.trim();
    if (input.volume !== undefined) changes.volume = input.volume;
    if (input.competitorUrl !== undefined) changes.competitor_url = input.competitorUrl?.trim() ?? '';
    if (input.isEnabled !== undefined) changes.is_enabled = input.isEnabled ?? true;
    return this.#changeAndNotify(keywordRunId, async sql => {
      await queryBuilder<KeywordTables>(sql).updateTable('keyword').set(changes).where('id', '=', id).execute();
      return locateKeyword(sql, viewer, id, 'keyword.update');
    });
  }

  /** Deletes a keyword and returns its last state. */
  async delete(viewer: Viewer, id: number): Promise<Keyword> {
    const { keywordRunId } = await locateKeyword(this.database, viewer, id, 'keyword.delete');
    return this.#changeAndNotify(keywordRunId, async sql => {
      const keyword = await locateKeyword(sql, viewer, id, 'keyword.delete');
      await queryBuilder<KeywordTables>(sql).deleteFrom('keyword').where('id', '=', id).execute();
      return keyword;
    });
  }

  /** Locks the run of a keyword, changes the keyword, then notifies. A keyword never moves to another run. */
  #changeAndNotify(runId: number | null, change: (sql: Sql) => Promise<Keyword>): Promise<Keyword> {
    return this.database.transaction(async sql => {
      if (runId !== null) await this.changes.lock(sql, runId);
      const keyword = await change(sql);
      if (runId !== null) await this.changes.notify(sql, runId);
      return keyword;
    });
  }

  /** Finds and locks the run of a new keyword: a run of the project that has ended and is not full. Null: no run. */
  async #lockRun(sql: Sql, { projectId, keywordClusterId, keywordRunId }: KeywordCreateInput): Promise<number | null> {
    if (keywordClusterId == null && keywordRunId == null) return null;
    const member = keywordClusterId != null ? 'keywordClusterId' : 'keywordRunId';
    let runs = queryBuilder<KeywordTables>(sql)
      .selectFrom('keyword_run as r')
      .select(({ selectFrom }) => [
        'r.id',
        'r.status',
        selectFrom('keyword')
          .select(rowCount().as('count'))
          .whereRef('keyword.keywordrun_id', '=', 'r.id')
          .$asScalar()
          .$notNull()
          .as('count'),
      ])
      .where('r.project_id', '=', projectId);
    if (keywordRunId != null) runs = runs.where('r.id', '=', keywordRunId);
    if (keywordClusterId != null)
      runs = runs.where('r.id', '=', ({ selectFrom }) =>
        selectFrom('keyword_cluster').select('run_id').where('id', '=', keywordClusterId),
      );
    const run = await runs.forNoKeyUpdate('r').executeTakeFirst();
    if (!run) throw new InvalidInputError({ [member]: [DOES_NOT_EXIST] });
    if (!hasEnded(run)) throw new ConflictError('The keyword run has not ended. Repeat the request after its end.');
    if (run.count >= MAX_KEYWORDS_OF_RUN)
      throw new InvalidInputError({
        [member]: [`The keyword run already has ${MAX_KEYWORDS_OF_RUN} keywords, the maximum.`],
      });
    return run.id;
  }
}

function inputFaults({ name, volume, competitorUrl }: KeywordCreateInput | KeywordUpdateInput): Faults {
  const faults = new Faults();
  faults.text('name', name, { min: 1, max: 255 });
  faults.integer('volume', volume, { min: 0, max: MAX_VOLUME });
  faults.text('competitorUrl', competitorUrl, { max: 2048 });
  return faults;
}
