import DataLoader from 'dataloader';
import type { Database, Sql } from '../../../platform/database/database.js';
import { expression, queries } from '../../../platform/database/typed-queries.js';
import { ConflictError } from '../../../platform/errors/errors.js';
import { recordAuditEvent } from '../../accounts/audit.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { Viewer } from '../../accounts/viewer.js';
import { locateWorkflow } from '../../workflows/locate-workflow.js';
import { acceptMarketTerms } from '../../workflows/market/workflow-market.js';
import type { Workflow } from '../../workflows/workflow.js';
import type { WorkflowService } from '../../workflows/workflow.service.js';
import type { MarketTables } from '../market-tables.js';
import type { WorkflowTerms, WorkflowTermsOffer } from './workflow-terms.type.js';

interface Row extends Omit<WorkflowTerms, 'offered'> {
  id: number;
  termsId: number;
  /** Runs that the caller has left free of the fee. */
  freeRunsLeft: number;
  isOffered: boolean;
  offeredFee: number;
  offeredFreeRuns: number;
}

/** The terms of copied graphs: frozen when the copy is made, changed only by whoever pays. */
export class WorkflowTermsService {
  constructor(
    private readonly database: Database,
    private readonly workflows: WorkflowService,
  ) {}

  /** Of a workflow in a list; null: its runs pay nobody. */
  async of(context: RequestContext, { id }: Pick<Workflow, 'id'>): Promise<WorkflowTerms | null> {
    const row = await this.#loader(context).load(id);
    return row && termsOf(row);
  }

  async freeRunsLeft(context: RequestContext, { id }: Pick<Workflow, 'id'>): Promise<number | null> {
    return (await this.#loader(context).load(id))?.freeRunsLeft ?? null;
  }

  /**
   * Takes over what the author asks now, for the copy, its duplicates and the graphs that equal it. `seen` is what the
   * caller read: an offer that has changed since is a conflict, so that nobody accepts what was not shown.
   */
  async accept(viewer: Viewer, id: number, seen: WorkflowTermsOffer): Promise<Workflow> {
    await this.database.transaction(async sql => {
      const { projectId } = await locateWorkflow(sql, viewer, id, 'workflow.accept-terms', 'for no key update of w');
      const [row] = await read(sql, [id], viewer.userId);
      if (!row) throw new ConflictError('The workflow is no copy from the marketplace: it has no terms.');
      const { offered } = termsOf(row);
      if (!offered) throw new ConflictError('The author no longer offers the workflow: its terms stay as they are.');
      if (offered.runFee !== seen.runFee || offered.freeRunsPerUser !== seen.freeRunsPerUser)
        throw new ConflictError(
          `The author asks run_fee ${offered.runFee} and free_runs_per_user ${offered.freeRunsPerUser} now: send these to accept them.`,
        );
      await acceptMarketTerms(sql, row.termsId, { runFee: seen.runFee, freeRuns: seen.freeRunsPerUser });
      const from = { runFee: row.runFee, freeRunsPerUser: row.freeRunsPerUser };
      await recordAuditEvent(sql, viewer, {
        action: 'workflow.accept-terms',
        object: { type: 'workflow', id },
        projectId,
        detail: { from, to: { ...seen } },
      });
    });
    return this.workflows.get(viewer, id);
  }

  #loader(context: RequestContext): DataLoader<number, Row | null> {
    return context.loader(
      'workflow.terms',
      () =>
        new DataLoader<number, Row | null>(async ids => {
          const rows = await read(this.database, ids, context.viewer.userId);
          const byId = new Map(rows.map(row => [row.id, row]));
          return ids.map(id => byId.get(id) ?? null);
        }),
    );
  }
}

function read(sql: Sql, ids: readonly number[], userId: number): Promise<Row[]> {
  return (
    queries<MarketTables>(sql)
      .selectFrom('workflow as w')
      .leftJoin('workflow_revision as v', 'v.id', 'w.revision_id')
      .innerJoin('market_terms as t', join =>
        join.on('t.id', '=', ({ fn }) => fn.coalesce('v.market_terms_id', 'w.market_terms_id')),
      )
      // Inside one project there is no customer.
      .innerJoin('workflow as m', join =>
        join.onRef('m.id', '=', 't.workflow_id').onRef('m.project_id', '<>', 'w.project_id'),
      )
      .leftJoin('marketplace_use as u', join =>
        join.onRef('u.workflow_id', '=', 't.workflow_id').on('u.user_id', '=', userId),
      )
      .select(['w.id', 't.id as termsId', 't.workflow_id as marketWorkflowId', 't.run_fee as runFee'])
      .select(['t.free_runs as freeRunsPerUser', 't.accepted_at as acceptedAt'])
      .select(expression<boolean>`m.is_published and m.archived_at is null`.as('isOffered'))
      .select(['m.run_fee as offeredFee', 'm.free_runs_per_user as offeredFreeRuns'])
      .select(expression<number>`greatest(t.free_runs - coalesce(u.counted_runs, 0), 0)`.as('freeRunsLeft'))
      .where('w.id', '=', ({ fn }) => fn.any(expression<number[]>`${ids}::int[]`))
      .execute()
  );
}

function termsOf({ marketWorkflowId, runFee, freeRunsPerUser, acceptedAt, ...offer }: Row): WorkflowTerms {
  const offered = offer.isOffered ? { runFee: offer.offeredFee, freeRunsPerUser: offer.offeredFreeRuns } : null;
  return { marketWorkflowId, runFee, freeRunsPerUser, acceptedAt, offered };
}
