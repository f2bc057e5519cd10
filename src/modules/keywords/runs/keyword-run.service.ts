import { randomUUID } from 'node:crypto';
import type { Queue } from '../../../durable/queue.js';
import { turnIn } from '../../../durable/table-claims.js';
import type { Database, Sql } from '../../../platform/database/database.js';
import { BudgetExceededError, ConflictError } from '../../../platform/errors/errors.js';
import { Faults } from '../../../platform/errors/fields.js';
import { type Page, type PageArgs, window } from '../../../platform/lists/page.js';
import { timeConditions } from '../../../platform/lists/time-filter.input.js';
import { Bus } from '../../../platform/messaging/bus.js';
import { anyOf } from '../../../platform/sql/any-of.js';
import type { Clusterer } from '../../../providers/text/clusterer.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { Budget } from '../../billing/budgets/budget.js';
import { type ProjectAccess, visibleSql } from '../../projects/access.js';
import type { KeywordChanges } from '../keyword-changes.js';
import { clusterable, type Groupable, writeClusters } from '../keyword-clusters.js';
import { locateKeywordRun } from '../locate-keyword.js';
import type { KeywordRunCreateInput, KeywordRunFilter, KeywordRunUpdateInput } from './keyword-run.inputs.js';
import {
  DEFAULT_PRESET,
  hasEnded,
  KEYWORD_RUN_COLUMNS,
  type KeywordRun,
  KeywordRunStatus,
  MAX_PRESET,
  PRESETS,
} from './keyword-run.js';
import { deletedTopic, KEYWORD_RUN_QUEUE } from './keyword-run-leases.js';

const MAX_TOPIC = 500;
const NOTHING_GIVEN = 'Either topic or url is required.';

interface ServiceParts {
  database: Database;
  access: ProjectAccess;
  queue: Queue;
  budget: Budget;
  clusterer: Clusterer;
  changes: KeywordChanges;
  /** Whether a topic costs the project money. */
  hasModel: (projectId: number) => Promise<boolean>;
}

export class KeywordRunService {
  constructor(private readonly parts: ServiceParts) {}

  /** The keyword runs of the viewer's projects, newest first. */
  async list(viewer: Viewer, filter: KeywordRunFilter | null | undefined, page: PageArgs): Promise<Page<KeywordRun>> {
    const { limit, offset } = window(page);
    const { access, database } = this.parts;
    const project = filter?.project ?? null;
    if (project !== null) await access.authorizeNamed(viewer, project, 'project.read');
    const values: unknown[] = [viewer.userId, viewer.isAdmin, project];
    const where = [
      `${visibleSql('r.project_id', '$1', '$2')} and ($3::int is null or r.project_id = $3)`,
      ...timeConditions(filter ?? {}, 'r.created_at', values),
      ...anyOf('statuses', 'r.status', filter?.statuses, values),
    ].join(' and ');
    const [items, [count]] = await Promise.all([
      database.query<KeywordRun>(
        `select ${KEYWORD_RUN_COLUMNS} from keyword_run r where ${where}
          order by r.created_at desc, r.id desc limit $${values.length + 1} offset $${values.length + 2}`,
        [...values, limit, offset],
      ),
      database.query<{ total: number }>(`select count(*)::int as total from keyword_run r where ${where}`, values),
    ]);
    return { ...page, total: count!.total, items };
  }

  get(viewer: Viewer, id: number): Promise<KeywordRun> {
    return locateKeywordRun(this.parts.database, viewer, id, 'project.read');
  }

  /** Writes the run and sends its wake-up in one transaction. `reservedId`: the same start again answers the same run. */
  async create(viewer: Viewer, input: KeywordRunCreateInput, reservedId: string | undefined): Promise<{ id: number }> {
    const { access, budget, database, queue, hasModel } = this.parts;
    await access.authorizeNamed(viewer, input.project, 'keyword-run.create');
    const [topic, url] = [input.topic?.trim() ?? '', input.url?.trim() ?? ''];
    const faults = new Faults();
    faults.text('topic', topic, { max: MAX_TOPIC });
    faults.text('url', url, { max: 2048 });
    if (!faults.areAny) faults.httpUrl('url', url);
    faults.integer('preset', input.preset, { min: 1, max: MAX_PRESET });
    if (topic === '' && url === '') for (const member of ['topic', 'url']) faults.add(member, NOTHING_GIVEN);
    faults.throwIfAny();
    if (url === '' && (await hasModel(input.project)) && (await budget.isSpent(input.project)))
      throw new BudgetExceededError();
    const billingId = reservedId ?? randomUUID();
    return database.transaction(async sql => {
      const [made] = await sql.query<{ id: number }>(
        `insert into keyword_run (billing_id, project_id, user_id, topic, url, preset, do_clusterize)
         values ($1, $2, $3, $4, $5, $6, $7) on conflict (billing_id) do nothing returning id`,
        [
          billingId,
          input.project,
          viewer.userId,
          topic,
          url,
          input.preset ?? DEFAULT_PRESET,
          input.doClusterize ?? false,
        ],
      );
      if (made) {
        const turn = await turnIn(sql, 'keyword_run', input.project);
        await queue.accept(KEYWORD_RUN_QUEUE, [{ id: billingId, projectId: input.project, turn }], sql);
      }
      return (
        made ?? (await sql.query<{ id: number }>('select id from keyword_run where billing_id = $1', [billingId]))[0]!
      );
    });
  }

  /** Changes what is given. */
  async update(viewer: Viewer, id: number, { preset }: KeywordRunUpdateInput): Promise<KeywordRun> {
    await locateKeywordRun(this.parts.database, viewer, id, 'keyword-run.update');
    const faults = new Faults();
    if (preset === null) faults.add('preset', 'This field may not be null.');
    faults.integer('preset', preset, { min: 1, max: MAX_PRESET });
    faults.throwIfAny();
    return this.#changed(viewer, id, 'keyword-run.update', async (sql, run) => {
      if (preset == null || preset === run.preset) return;
      await sql.query('update keyword_run set preset = $2, updated_at = now() where id = $1', [id, preset]);
      if (run.status === KeywordRunStatus.FINISHED)
        await resize(sql, id, { from: PRESETS[run.preset]!, to: PRESETS[preset]! });
    });
  }

  /** Deletes a run with its keywords and answers what it was. What variables took from it stays; so does the ledger. */
  async delete(viewer: Viewer, id: number): Promise<KeywordRun> {
    const run = await locateKeywordRun(this.parts.database, viewer, id, 'keyword-run.delete');
    await this.parts.database.transaction(async sql => {
      const [gone] = await sql.query<{ billingId: string }>(
        'delete from keyword_run where id = $1 returning billing_id as "billingId"',
        [id],
      );
      if (!gone) return;
      await this.parts.queue.complete(KEYWORD_RUN_QUEUE, [gone.billingId], sql);
      await Bus.notify(sql, [deletedTopic(gone.billingId)]);
    });
    return run;
  }

  /** Groups the keywords of a run that has ended, in the place of the clusters it had. */
  async clusterize(viewer: Viewer, id: number): Promise<KeywordRun> {
    const { database, clusterer } = this.parts;
    ended(await locateKeywordRun(database, viewer, id, 'keyword-run.update'));
    const keywords = await database.query<Groupable & { id: number }>(
      'select id, name, volume, rank from keyword where keywordrun_id = $1 order by rank nulls last, id',
      [id],
    );
    const clusters = await clusterer.clusters(keywords.map(clusterable));
    return this.#changed(viewer, id, 'keyword-run.update', async sql => {
      const ids = keywords.map(keyword => keyword.id);
      await writeClusters(sql, id, clusters, ids);
      await sql.query('update keyword_run set updated_at = now() where id = $1', [id]);
    });
  }

  async setAllEnabled(viewer: Viewer, id: number, isEnabled: boolean): Promise<KeywordRun> {
    ended(await locateKeywordRun(this.parts.database, viewer, id, 'keyword-run.update'));
    return this.#changed(viewer, id, 'keyword-run.update', async sql => {
      await sql.query(
        'update keyword set is_enabled = $2, updated_at = now() where keywordrun_id = $1 and is_enabled <> $2',
        [id, isEnabled],
      );
    });
  }

  #changed(
    viewer: Viewer,
    id: number,
    action: 'keyword-run.update',
    change: (sql: Sql, run: KeywordRun) => Promise<void>,
  ): Promise<KeywordRun> {
    const { database, changes } = this.parts;
    return database.transaction(async sql => {
      await changes.lock(sql, id);
      await change(sql, await locateKeywordRun(sql, viewer, id, action));
      await changes.tell(sql, id);
      return locateKeywordRun(sql, viewer, id, action);
    });
  }
}

function ended(run: KeywordRun): void {
  if (!hasEnded(run)) throw new ConflictError('The keyword run has not ended yet.');
}

/** Takes away the keywords beyond a smaller number, or adds those that were found beyond the former one. */
async function resize(sql: Sql, runId: number, { from, to }: { from: number; to: number }): Promise<void> {
  if (to < from) await sql.query('delete from keyword where keywordrun_id = $1 and rank >= $2', [runId, to]);
  else
    await sql.query(
      `insert into keyword (project_id, keywordrun_id, name, competitor_url, rank)
       select r.project_id, r.id, f.name, r.url, f.rank::int - 1
         from keyword_run r, json_array_elements_text(r.found) with ordinality as f(name, rank)
        where r.id = $1 and f.rank > $2 and f.rank <= $3`,
      [runId, from, to],
    );
}
