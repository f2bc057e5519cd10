import type { Database, Sql } from '../../platform/database/database.js';
import { ConflictError, InvalidInputError } from '../../platform/errors/errors.js';
import { Faults } from '../../platform/errors/fields.js';
import { containing, type Page, type PageArgs, window } from '../../platform/lists/page.js';
import { setColumns } from '../../platform/sql/set-columns.js';
import type { Viewer } from '../accounts/viewer.js';
import { type ProjectAccess, visibleSql } from '../projects/access.js';
import { named } from '../projects/parts/named.js';
import { DOES_NOT_EXIST } from '../projects/parts/within.js';
import type { KeywordCreateInput, KeywordFilter, KeywordOrder, KeywordUpdateInput } from './keyword.inputs.js';
import { KEYWORD_COLUMNS, type Keyword } from './keyword.js';
import type { KeywordChanges } from './keyword-changes.js';
import { locateKeyword, locateKeywordRun } from './locate-keyword.js';
import { hasEnded, type KeywordRunStatus, MAX_KEYWORDS_OF_RUN } from './runs/keyword-run.js';

const MAX_VOLUME = 2_147_483_647;

export class KeywordService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly changes: KeywordChanges,
  ) {}

  /** The keywords of the viewer's projects. */
  async list(
    viewer: Viewer,
    filter: KeywordFilter | null | undefined,
    order: KeywordOrder,
    page: PageArgs,
  ): Promise<Page<Keyword>> {
    const { limit, offset } = window(page);
    const { project = null, keywordrun = null, keywordCluster = null, isEnabled = null, nameContains } = filter ?? {};
    const faults = new Faults();
    faults.text('nameContains', nameContains, { max: 255 });
    faults.throwIfAny();
    if (project !== null) await this.access.authorizeNamed(viewer, project, 'project.read');
    if (keywordrun !== null)
      await named('keywordrun', locateKeywordRun(this.database, viewer, keywordrun, 'project.read'));
    const where = `${visibleSql('k.project_id', '$1', '$2')} and ($3::int is null or k.project_id = $3)
      and ($4::int is null or k.keywordrun_id = $4) and ($5::int is null or k.keyword_cluster_id = $5)
      and ($6::boolean is null or k.is_enabled = $6) and ($7::text is null or k.name ilike $7)`;
    const name = nameContains ? containing(nameContains) : null;
    const values = [viewer.userId, viewer.isAdmin, project, keywordrun, keywordCluster, isEnabled, name];
    const [items, [count]] = await Promise.all([
      this.database.query<Keyword>(
        `select ${KEYWORD_COLUMNS} from keyword k where ${where}
          order by ${order} limit $8 offset $9`,
        [...values, limit, offset],
      ),
      this.database.query<{ total: number }>(`select count(*)::int as total from keyword k where ${where}`, values),
    ]);
    return { ...page, total: count!.total, items };
  }

  get(viewer: Viewer, id: number): Promise<Keyword> {
    return locateKeyword(this.database, viewer, id, 'project.read');
  }

  async create(viewer: Viewer, input: KeywordCreateInput): Promise<Keyword> {
    await this.access.authorizeNamed(viewer, input.project, 'keyword.create');
    const faults = faultsOf(input);
    faults.text('mode', input.mode, { max: 50 });
    faults.throwIfAny();
    return this.database.transaction(async sql => {
      const runId = await this.#runFor(sql, input);
      const [keyword] = await sql.query<Keyword>(
        `insert into keyword as k (project_id, keywordrun_id, keyword_cluster_id, name, volume, competitor_url, mode, is_enabled)
         values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${KEYWORD_COLUMNS}`,
        [
          input.project,
          runId,
          input.keywordCluster ?? null,
          input.name.trim(),
          input.volume ?? null,
          input.competitorUrl?.trim() ?? '',
          input.mode?.trim() ?? '',
          input.isEnabled ?? true,
        ],
      );
      if (runId !== null) await this.changes.tell(sql, runId);
      return keyword!;
    });
  }

  /** Changes what is given. */
  async update(viewer: Viewer, id: number, input: KeywordUpdateInput): Promise<Keyword> {
    const { keywordRunId } = await locateKeyword(this.database, viewer, id, 'keyword.update');
    faultsOf(input).throwIfAny();
    const changes = new Map<string, unknown>([['updated_at', new Date()]]);
    if (input.name !== undefined) changes.set('name', input.name.trim());
    if (input.volume !== undefined) changes.set('volume', input.volume);
    if (input.competitorUrl !== undefined) changes.set('competitor_url', input.competitorUrl?.trim() ?? '');
    if (input.isEnabled !== undefined) changes.set('is_enabled', input.isEnabled ?? true);
    return this.#changed(keywordRunId, async sql => {
      await setColumns(sql, 'keyword', id, changes);
      return locateKeyword(sql, viewer, id, 'keyword.update');
    });
  }

  /** Deletes a keyword and answers what it was. */
  async delete(viewer: Viewer, id: number): Promise<Keyword> {
    const { keywordRunId } = await locateKeyword(this.database, viewer, id, 'keyword.delete');
    return this.#changed(keywordRunId, async sql => {
      const keyword = await locateKeyword(sql, viewer, id, 'keyword.delete');
      await sql.query('delete from keyword where id = $1', [id]);
      return keyword;
    });
  }

  /** A keyword never moves from one run to another. */
  #changed(runId: number | null, change: (sql: Sql) => Promise<Keyword>): Promise<Keyword> {
    return this.database.transaction(async sql => {
      if (runId !== null) await this.changes.lock(sql, runId);
      const keyword = await change(sql);
      if (runId !== null) await this.changes.tell(sql, runId);
      return keyword;
    });
  }

  /** The run that a new keyword is for, locked: one of the project that has ended and has room. Null: none. */
  async #runFor(sql: Sql, { project, keywordCluster, keywordrun }: KeywordCreateInput): Promise<number | null> {
    if (keywordCluster == null && keywordrun == null) return null;
    const member = keywordCluster != null ? 'keywordCluster' : 'keywordrun';
    const [run] = await sql.query<{ id: number; status: KeywordRunStatus; count: number }>(
      `select r.id, r.status, (select count(*)::int from keyword where keywordrun_id = r.id) as count
         from keyword_run r
        where r.project_id = $1 and ($2::int is null or r.id = $2)
          and ($3::int is null or r.id = (select run_id from keyword_cluster where id = $3)) for no key update of r`,
      [project, keywordrun ?? null, keywordCluster ?? null],
    );
    if (!run) throw new InvalidInputError({ [member]: [DOES_NOT_EXIST] });
    if (!hasEnded(run)) throw new ConflictError('The keyword run has not ended yet.');
    if (run.count >= MAX_KEYWORDS_OF_RUN)
      throw new InvalidInputError({ [member]: [`A keyword run has at most ${MAX_KEYWORDS_OF_RUN} keywords.`] });
    return run.id;
  }
}

function faultsOf({ name, volume, competitorUrl }: KeywordCreateInput | KeywordUpdateInput): Faults {
  const faults = new Faults();
  faults.text('name', name, { min: 1, max: 255 });
  faults.integer('volume', volume, { min: 0, max: MAX_VOLUME });
  faults.text('competitorUrl', competitorUrl, { max: 2048 });
  return faults;
}
