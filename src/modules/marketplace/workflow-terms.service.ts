import DataLoader from 'dataloader';
import type { Database, Sql } from '../../platform/database/database.js';
import { ConflictError } from '../../platform/errors/errors.js';
import { recordDeed } from '../accounts/audit.js';
import type { RequestContext } from '../accounts/request-context.js';
import type { Viewer } from '../accounts/viewer.js';
import { locateWorkflow } from '../workflows/locate-workflow.js';
import { marketTermsJoin } from '../workflows/market-terms.js';
import type { Workflow } from '../workflows/workflow.js';
import type { WorkflowService } from '../workflows/workflow.service.js';
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

const READ = `
  select w.id, t.id as "termsId", t.workflow_id as "marketWorkflowId", t.run_fee as "runFee",
         t.free_runs as "freeRunsPerUser", t.accepted_at as "acceptedAt",
         m.is_published and m.archived_at is null as "isOffered", m.run_fee as "offeredFee",
         m.free_runs_per_user as "offeredFreeRuns",
         greatest(t.free_runs - coalesce(u.counted_runs, 0), 0) as "freeRunsLeft"
    from workflow w left join workflow_revision v on v.id = w.revision_id
    ${marketTermsJoin('w', 'v', 'w.project_id')}
    left join marketplace_use u on u.workflow_id = t.workflow_id and u.user_id = $2
   where w.id = any($1::int[]) and m.id is not null`;

const ACCEPT = `
  update market_terms set run_fee = $2, free_runs = $3, accepted_at = now() where id = $1`;

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
      await sql.query(ACCEPT, [row.termsId, seen.runFee, seen.freeRunsPerUser]);
      const from = { runFee: row.runFee, freeRunsPerUser: row.freeRunsPerUser };
      await recordDeed(sql, viewer, {
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
  return sql.query<Row>(READ, [ids, userId]);
}

function termsOf({ marketWorkflowId, runFee, freeRunsPerUser, acceptedAt, ...offer }: Row): WorkflowTerms {
  const offered = offer.isOffered ? { runFee: offer.offeredFee, freeRunsPerUser: offer.offeredFreeRuns } : null;
  return { marketWorkflowId, runFee, freeRunsPerUser, acceptedAt, offered };
}
