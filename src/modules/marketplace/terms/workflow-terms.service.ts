import DataLoader from 'dataloader';
import type { Database, Sql } from '../../../platform/database/database.js';
import { expression, queryBuilder } from '../../../platform/database/typed-queries.js';
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
  /** The number of runs without commission that the caller has left. */
  freeRunsLeft: number;
  isOffered: boolean;
  offeredFee: number;
  offeredFreeRuns: number;
}

/**
 * Manages the terms of marketplace copies. They are fixed when the copy is created and change only when the
 * paying project accepts new terms.
 */
export class WorkflowTermsService {
  constructor(
    private readonly database: Database,
    private readonly workflows: WorkflowService,
  ) {}

  /** Returns the terms of a workflow, with one query for all workflows of a list. Null: its runs pay no commission. */
  async of(context: RequestContext, { id }: Pick<Workflow, 'id'>): Promise<WorkflowTerms | null> {
    const row = await this.#loader(context).load(id);
    return row && termsOf(row);
  }

  async freeRunsLeft(context: RequestContext, { id }: Pick<Workflow, 'id'>): Promise<number | null> {
    return (await this.#loader(context).load(id))?.freeRunsLeft ?? null;
  }

  /**
   * Accepts the current terms of the author for the copy, its duplicates and workflows with an equal graph.
   * `acceptedOffer` is the offer that the caller has read.
   * @throws ConflictError if the offer has changed since, the workflow is no longer published, or it is not a
   * copy
   */
  async accept(viewer: Viewer, id: number, acceptedOffer: WorkflowTermsOffer): Promise<Workflow> {
    await this.database.transaction(async sql => {
      const { projectId } = await locateWorkflow(sql, viewer, id, 'workflow.accept-terms', { lock: true });
      const [row] = await readTerms(sql, [id], viewer.userId);
      if (!row) throw new ConflictError('The workflow is not a copy from the marketplace, so it has no terms.');
      const { offered } = termsOf(row);
      if (!offered) throw new ConflictError('The workflow is no longer published, so its terms cannot change.');
      if (offered.runFee !== acceptedOffer.runFee || offered.freeRunsPerUser !== acceptedOffer.freeRunsPerUser)
        throw new ConflictError(
          `The current offer is run_fee ${offered.runFee} and free_runs_per_user ${offered.freeRunsPerUser}. Send these values to accept it.`,
        );
      await acceptMarketTerms(sql, row.termsId, {
        runFee: acceptedOffer.runFee,
        freeRuns: acceptedOffer.freeRunsPerUser,
      });
      const from = { runFee: row.runFee, freeRunsPerUser: row.freeRunsPerUser };
      await recordAuditEvent(sql, viewer, {
        action: 'workflow.accept-terms',
        object: { type: 'workflow', id },
        projectId,
        detail: { from, to: { ...acceptedOffer } },
      });
    });
    return this.workflows.get(viewer, id);
  }

  #loader(context: RequestContext): DataLoader<number, Row | null> {
    return context.loader(
      'workflow.terms',
      () =>
        new DataLoader<number, Row | null>(async ids => {
          const rows = await readTerms(this.database, ids, context.viewer.userId);
          const byId = new Map(rows.map(row => [row.id, row]));
          return ids.map(id => byId.get(id) ?? null);
        }),
    );
  }
}

function readTerms(sql: Sql, ids: readonly number[], userId: number): Promise<Row[]> {
  return (
    queryBuilder<MarketTables>(sql)
      .selectFrom('workflow as w')
      .leftJoin('workflow_revision as v', 'v.id', 'w.revision_id')
      .innerJoin('market_terms as t', join =>
        join.on('t.id', '=', ({ fn }) => fn.coalesce('v.market_terms_id', 'w.market_terms_id')),
      )
      // Workflows in the same project as the original pay no commission.
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
