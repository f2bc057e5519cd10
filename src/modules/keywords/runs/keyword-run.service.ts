import { randomUUID } from 'node:crypto';
import type { Queue } from '../../../durable/queue.js';
import { countRunsAhead } from '../../../durable/table-claims.js';
import { type ConnectionSummary, connectionKindFault } from '../../../engine/connections/kinds.js';
import { isPath } from '../../../engine/workflow/nodes/data/connection.js';
import type { AbortSignalLike } from '../../../platform/async/abort-signal.js';
import type { Database, Sql } from '../../../platform/database/database.js';
import { expression, NOW, queryBuilder } from '../../../platform/database/typed-queries.js';
import { capitalized } from '../../../platform/errors/capitalized.js';
import { ConflictError } from '../../../platform/errors/errors.js';
import { Faults, NOT_NULL } from '../../../platform/errors/fields.js';
import { readWindow } from '../../../platform/lists/counted-page.js';
import { type Page, type PageArgs, toLimitOffset } from '../../../platform/lists/page.js';
import { timeWithin } from '../../../platform/lists/time-filter.input.js';
import { Bus } from '../../../platform/messaging/bus.js';
import { whereAnyOf } from '../../../platform/sql/any-of.js';
import type { Clusterer } from '../../../providers/text/clusterer.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { Budget } from '../../billing/budgets/budget.js';
import { isVisible, type ProjectAccess } from '../../projects/access.js';
import type { KeywordChanges } from '../keyword-changes.js';
import { toClusterable, writeClusters } from '../keyword-clusters.js';
import type { KeywordTables } from '../keyword-tables.js';
import { locateKeywordRun } from '../locate-keyword.js';
import type { KeywordRunCreateInput, KeywordRunFilter, KeywordRunUpdateInput } from './keyword-run.inputs.js';
import { DEFAULT_PRESET, hasEnded, type KeywordRun, KeywordRunStatus, MAX_PRESET, PRESETS } from './keyword-run.js';
import { deletionTopic, KEYWORD_RUN_QUEUE } from './keyword-run-claims.js';
import { keywordRunColumns } from './keyword-run-columns.js';

const MAX_TOPIC = 500;
const TOPIC_OR_URL_REQUIRED = 'At least one of topic and url is required.';

interface ServiceParts {
  database: Database;
  access: ProjectAccess;
  queue: Queue;
  budget: Budget;
  clusterer: Clusterer;
  changes: KeywordChanges;
  /** Whether a model provider is configured for the project. If so, runs with a topic and without a URL cost money. */
  hasModel: (projectId: number) => Promise<boolean>;
  /** The connections of a project by id. */
  connectionsOf: (projectId: number) => Promise<ReadonlyMap<number, ConnectionSummary>>;
}

/** Lists, starts and changes keyword runs. Every method authorizes the viewer. */
export class KeywordRunService {
  constructor(private readonly parts: ServiceParts) {}

  /** Lists the keyword runs of the viewer's projects, newest first. */
  async list(viewer: Viewer, filter: KeywordRunFilter | null | undefined, page: PageArgs): Promise<Page<KeywordRun>> {
    const { limit, offset } = toLimitOffset(page);
    const projectId = filter?.projectId ?? null;
    let runs = queryBuilder<KeywordTables>(this.parts.database)
      .selectFrom('keyword_run')
      .select(keywordRunColumns)
      .where(isVisible(viewer, 'keyword_run.project_id'))
      .orderBy('keyword_run.created_at', 'desc')
      .orderBy('keyword_run.id', 'desc');
    if (projectId !== null) runs = runs.where('project_id', '=', projectId);
    runs = runs.where(({ and }) => and(timeWithin(filter ?? {}, 'keyword_run.created_at')));
    runs = whereAnyOf(runs, 'status', 'statuses', filter?.statuses);
    return { ...page, ...(await readWindow(runs, { limit, offset })) };
  }

  get(viewer: Viewer, id: number): Promise<KeywordRun> {
    return locateKeywordRun(this.parts.database, viewer, id, 'project.read');
  }

  /** Creates a run and its job in one transaction. A repeated call with the same `reservedId` returns the first run. */
  async create(viewer: Viewer, input: KeywordRunCreateInput, reservedId: string | undefined): Promise<{ id: number }> {
    const { access, budget, database, queue, hasModel } = this.parts;
    await access.authorizeNamed(viewer, input.projectId, 'keyword-run.create');
    const source = await this.#checkedSource(input);
    if (source.url === '' && (await hasModel(input.projectId))) await budget.assertNotSpent(input.projectId);
    const billingId = reservedId ?? randomUUID();
    return database.transaction(async sql => {
      const row = await queryBuilder<KeywordTables>(sql)
        .insertInto('keyword_run')
        .values({
          billing_id: billingId,
          project_id: input.projectId,
          user_id: viewer.userId,
          ...source,
          preset: input.preset ?? DEFAULT_PRESET,
          do_clusterize: input.doClusterize ?? false,
        })
        .onConflict(conflict => conflict.column('billing_id').doNothing())
        .returning('id')
        .executeTakeFirst();
      if (row) {
        const runsAhead = await countRunsAhead(sql, 'keyword_run', input.projectId);
        await queue.accept(KEYWORD_RUN_QUEUE, [{ id: billingId, projectId: input.projectId, runsAhead }], sql);
      }
      return row ?? findByBillingId(sql, billingId);
    });
  }

  /** Returns the topic and the page of a new run. Throws an InvalidInputError. */
  async #checkedSource(input: KeywordRunCreateInput) {
    const [topic, url] = [input.topic?.trim() ?? '', input.url?.trim() ?? ''];
    const connectionId = input.connectionId ?? null;
    const faults = new Faults();
    faults.text('topic', topic, { max: MAX_TOPIC });
    faults.text('url', url, { max: 2048 });
    if (!faults.areAny && (connectionId === null || !isPath(url))) faults.httpUrl('url', url);
    faults.integer('preset', input.preset, { min: 1, max: MAX_PRESET });
    if (topic === '' && url === '') for (const member of ['topic', 'url']) faults.add(member, TOPIC_OR_URL_REQUIRED);
    await this.#checkConnection(input.projectId, connectionId, url, faults);
    faults.throwIfAny();
    return { topic, url, connection_id: connectionId };
  }

  async #checkConnection(projectId: number, id: number | null, url: string, faults: Faults): Promise<void> {
    if (id === null) return;
    if (url === '') faults.add('connectionId', 'Requires url: a run without a page sends no request.');
    const connection = (await this.parts.connectionsOf(projectId)).get(id);
    const fault = connection ? connectionKindFault(connection, 'http') : `the project has no connection ${id}`;
    if (fault !== undefined) faults.add('connectionId', `${capitalized(fault)}.`);
  }

  /** Creates a new run with the input of a failed run. */
  async redrive(viewer: Viewer, id: number): Promise<number> {
    const { projectId, topic, url, connectionId, preset, doClusterize } = await this.get(viewer, id);
    const input = { projectId, topic, url, connectionId, preset, doClusterize };
    return (await this.create(viewer, input, undefined)).id;
  }

  /** Changes the preset. For a succeeded run, deletes surplus keywords or adds further ones that the run found. */
  async update(viewer: Viewer, id: number, { preset }: KeywordRunUpdateInput): Promise<KeywordRun> {
    await locateKeywordRun(this.parts.database, viewer, id, 'keyword-run.update');
    const faults = new Faults();
    if (preset === null) faults.add('preset', NOT_NULL);
    faults.integer('preset', preset, { min: 1, max: MAX_PRESET });
    faults.throwIfAny();
    return this.#changeAndNotify(viewer, id, 'keyword-run.update', async (sql, run) => {
      if (preset == null || preset === run.preset) return;
      await queryBuilder<KeywordTables>(sql)
        .updateTable('keyword_run')
        .set({ preset, updated_at: NOW })
        .where('id', '=', id)
        .execute();
      if (run.status === KeywordRunStatus.SUCCEEDED)
        await resizeKeywords(sql, id, { from: PRESETS[run.preset]!, to: PRESETS[preset]! });
    });
  }

  /**
   * Deletes a run with its keywords and returns its last state. Its ledger rows stay, and so do variable values that were
   * built from its keywords.
   */
  async delete(viewer: Viewer, id: number): Promise<KeywordRun> {
    const run = await locateKeywordRun(this.parts.database, viewer, id, 'keyword-run.delete');
    await this.parts.database.transaction(async sql => {
      const deletedRun = await queryBuilder<KeywordTables>(sql)
        .deleteFrom('keyword_run')
        .where('id', '=', id)
        .returning('billing_id as billingId')
        .executeTakeFirst();
      if (!deletedRun) return;
      await this.parts.queue.remove(KEYWORD_RUN_QUEUE, [deletedRun.billingId], sql);
      await Bus.notify(sql, [deletionTopic(deletedRun.billingId)]);
    });
    return run;
  }

  /** Replaces the clusters of a run. Throws CONFLICT if it has not ended. */
  async clusterize(viewer: Viewer, id: number, signal: AbortSignalLike): Promise<KeywordRun> {
    const { database, clusterer } = this.parts;
    const run = await locateKeywordRun(database, viewer, id, 'keyword-run.update');
    assertEnded(run);
    const keywords = await queryBuilder<KeywordTables>(database)
      .selectFrom('keyword')
      .select(['id', 'name', 'volume', 'rank'])
      .where('keywordrun_id', '=', id)
      .orderBy('rank', rank => rank.asc().nullsLast())
      .orderBy('id')
      .execute();
    const clusters = await clusterer.clusters(run.projectId, keywords.map(toClusterable), signal);
    return this.#changeAndNotify(viewer, id, 'keyword-run.update', async sql => {
      const ids = keywords.map(keyword => keyword.id);
      await writeClusters(sql, id, clusters, ids);
      await queryBuilder<KeywordTables>(sql)
        .updateTable('keyword_run')
        .set({ updated_at: NOW })
        .where('id', '=', id)
        .execute();
    });
  }

  async setAllEnabled(viewer: Viewer, id: number, isEnabled: boolean): Promise<KeywordRun> {
    assertEnded(await locateKeywordRun(this.parts.database, viewer, id, 'keyword-run.update'));
    return this.#changeAndNotify(viewer, id, 'keyword-run.update', async sql => {
      await queryBuilder<KeywordTables>(sql)
        .updateTable('keyword')
        .set({ is_enabled: isEnabled, updated_at: NOW })
        .where('keywordrun_id', '=', id)
        .where('is_enabled', '<>', isEnabled)
        .execute();
    });
  }

  #changeAndNotify(
    viewer: Viewer,
    id: number,
    action: 'keyword-run.update',
    change: (sql: Sql, run: KeywordRun) => Promise<void>,
  ): Promise<KeywordRun> {
    const { database, changes } = this.parts;
    return database.transaction(async sql => {
      await changes.lock(sql, id);
      await change(sql, await locateKeywordRun(sql, viewer, id, action));
      await changes.notify(sql, id);
      return locateKeywordRun(sql, viewer, id, action);
    });
  }
}

function assertEnded(run: KeywordRun): void {
  if (!hasEnded(run)) throw new ConflictError('The keyword run has not ended. Repeat the request after its end.');
}

/** Deletes the keywords beyond `to`, or adds further keywords that the run found. */
async function resizeKeywords(sql: Sql, runId: number, { from, to }: { from: number; to: number }): Promise<void> {
  const tables = queryBuilder<KeywordTables>(sql);
  if (to < from) {
    await tables.deleteFrom('keyword').where('keywordrun_id', '=', runId).where('rank', '>=', to).execute();
    return;
  }
  await tables
    .insertInto('keyword')
    .columns(['project_id', 'keywordrun_id', 'name', 'competitor_url', 'rank'])
    .expression(runs =>
      runs
        .selectFrom('keyword_run as r')
        .innerJoinLateral(
          ({ ref }) =>
            expression<{ name: string; rank: number }>`json_array_elements_text(${ref('r.found')})
              with ordinality`.as<'found'>(expression`found(name, rank)`),
          join => join.onTrue(),
        )
        .select(({ eb }) => [
          ...(['r.project_id', 'r.id', 'found.name', 'r.url'] as const),
          eb('found.rank', '-', 1).as('rank'),
        ])
        .where('r.id', '=', runId)
        .where('found.rank', '>', from)
        .where('found.rank', '<=', to),
    )
    .execute();
}

function findByBillingId(sql: Sql, billingId: string): Promise<{ id: number }> {
  return queryBuilder<KeywordTables>(sql)
    .selectFrom('keyword_run')
    .select('id')
    .where('billing_id', '=', billingId)
    .executeTakeFirstOrThrow();
}
