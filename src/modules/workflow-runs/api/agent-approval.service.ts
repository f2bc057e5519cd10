import type { Decision } from '../../../engine/ports.js';
import type { Database, Sql } from '../../../platform/database/database.js';
import { expression, NOW, queries } from '../../../platform/database/typed-queries.js';
import { ConflictError, NotFoundError } from '../../../platform/errors/errors.js';
import { type PageArgs, toLimitOffset } from '../../../platform/lists/page.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { ProjectAccess } from '../../projects/access.js';
import type { RunClaims } from '../execution/run-claims.js';
import type { WorkflowRunService } from '../history/workflow-run.service.js';
import type { RunTables } from '../run-tables.js';
import { type AgentApprovalPage, type AgentApprovalReceipt, AgentApprovalStatus } from './agent-approval.type.js';

/** Condition on the approval row `a` and the run row `r`: the request is pending. */
const IS_PENDING = expression<boolean>`(a.decision is null and a.expires_at > now() and r.run_finished_at is null)`;

const COLUMNS = [
  ...(['a.id as requestId', 'a.run_id as runId', 'a.node_id as nodeId', 'a.kind', 'a.tool'] as const),
  ...(['a.requested_at as requestedAt', 'a.expires_at as expiresAt', 'a.decided_at as decidedAt'] as const),
  expression<string | null>`nullif(a.iteration, '')`.as('iteration'),
  expression<AgentApprovalStatus>`case when ${IS_PENDING} then 'pending' else coalesce(a.decision, 'expired') end`.as(
    'status',
  ),
] as const;

/** Lists approval requests of agents and records decisions. */
export class AgentApprovalService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly runs: WorkflowRunService,
    private readonly claims: RunClaims,
  ) {}

  /** Returns the pending requests of a project, oldest first. */
  async pending(viewer: Viewer, projectId: number, runId: string | null, page: PageArgs): Promise<AgentApprovalPage> {
    const { limit, offset } = toLimitOffset(page);
    await this.access.authorize(viewer, projectId, 'project.read');
    const pending = approvals(this.database)
      .where('a.project_id', '=', projectId)
      .where(IS_PENDING)
      .$if(runId !== null, query => query.where('a.run_id', '=', runId));
    const [items, { total }] = await Promise.all([
      pending.select(COLUMNS).orderBy('a.requested_at').orderBy('a.id').limit(limit).offset(offset).execute(),
      pending.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
    ]);
    return { ...page, total, items };
  }

  /**
   * Records a decision. Repeating the same decision has no effect. Throws ConflictError for the opposite decision,
   * an expired request or a run that has ended.
   */
  async decide(viewer: Viewer, runId: string, requestId: string, decision: Decision): Promise<AgentApprovalReceipt> {
    await this.runs.get(viewer, runId, null, 'agent.approve');
    await this.database.transaction(async sql => {
      // The lock serializes concurrent decisions, so the second one sees the first.
      await queries<RunTables>(sql)
        .selectFrom('workflow_run')
        .select('id')
        .where('id', '=', runId)
        .forNoKeyUpdate()
        .execute();
      const decided = await queries<RunTables>(sql)
        .updateTable('workflow_run_approval as a')
        .from('workflow_run as r')
        .set({ decision, decided_at: NOW, decided_by_id: viewer.userId })
        .where('a.id', '=', requestId)
        .where('a.run_id', '=', runId)
        .whereRef('r.id', '=', 'a.run_id')
        .where(IS_PENDING)
        .returning('a.id')
        .executeTakeFirst();
      if (!decided) return this.#standing(sql, runId, requestId, decision);
      await this.claims.signal([runId], sql);
      failpoint('approval.before-commit');
    });
    failpoint('approval.after-commit');
    return { status: 200, data: { id: runId, requestId, decision } };
  }

  /** Accepts a decision that equals the recorded one. Otherwise throws. */
  async #standing(sql: Sql, runId: string, requestId: string, decision: Decision): Promise<void> {
    const row = await approvals(sql)
      .select(COLUMNS)
      .select(expression<boolean>`r.run_finished_at is not null`.as('isOver'))
      .where('a.id', '=', requestId)
      .where('a.run_id', '=', runId)
      .executeTakeFirst();
    if (!row) throw new NotFoundError();
    if (row.status === decision) return;
    if (row.status === AgentApprovalStatus.EXPIRED) {
      if (row.isOver) throw new ConflictError('The run has ended, so the request can no longer be decided.');
      if (decision === 'rejected') return;
      throw new ConflictError('The request has expired, which counts as a rejection.');
    }
    throw new ConflictError(`The request is already ${row.status}.`);
  }
}

function approvals(sql: Sql) {
  return queries<RunTables>(sql)
    .selectFrom('workflow_run_approval as a')
    .innerJoin('workflow_run as r', 'r.id', 'a.run_id');
}
