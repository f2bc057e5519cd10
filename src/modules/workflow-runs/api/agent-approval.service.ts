import type { Decision } from '../../../engine/ports.js';
import type { Database, Sql } from '../../../platform/database/database.js';
import { ConflictError, NotFoundError } from '../../../platform/errors/errors.js';
import { type PageArgs, window } from '../../../platform/lists/page.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { ProjectAccess } from '../../projects/access.js';
import type { RunClaims } from '../execution/run-claims.js';
import type { WorkflowRunService } from '../history/workflow-run.service.js';
import {
  type AgentApproval,
  type AgentApprovalPage,
  type AgentApprovalReceipt,
  AgentApprovalStatus,
} from './agent-approval.type.js';

const PENDING = `a.decision is null and a.expires_at > now() and r.run_finished_at is null`;

const COLUMNS = `
  a.id as "requestId", a.run_id as "runId", a.node_id as "nodeId", nullif(a.iteration, '') as iteration, a.kind, a.tool,
 case when ${PENDING} then 'pending' else coalesce(a.decision, 'expired') end as status,
  a.requested_at as "requestedAt", a.expires_at as "expiresAt", a.decided_at as "decidedAt"`;

const OF_PROJECT = `
  from workflow_run_approval a join workflow_run r on r.id = a.run_id
 where a.project_id = $1 and ${PENDING} and ($2::uuid is null or a.run_id = $2)`;

const DECIDE = `
  update workflow_run_approval a set decision = $3, decided_at = now(), decided_by_id = $4
    from workflow_run r
   where a.id = $2 and a.run_id = $1 and r.id = a.run_id and ${PENDING}
  returning a.id`;

/** Decisions about what agents ask for. */
export class AgentApprovalService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly runs: WorkflowRunService,
    private readonly claims: RunClaims,
  ) {}

  /** What waits for a decision in a project, oldest first. */
  async pending(viewer: Viewer, projectId: number, runId: string | null, page: PageArgs): Promise<AgentApprovalPage> {
    const { limit, offset } = window(page);
    await this.access.authorize(viewer, projectId, 'project.read');
    const [items, [count]] = await Promise.all([
      this.database.query<AgentApproval>(
        `select ${COLUMNS} ${OF_PROJECT} order by a.requested_at, a.id limit $3 offset $4`,
        [projectId, runId, limit, offset],
      ),
      this.database.query<{ total: number }>(`select count(*)::int as total ${OF_PROJECT}`, [projectId, runId]),
    ]);
    return { ...page, total: count!.total, items };
  }

  /** The same decision again changes nothing; the opposite one, or one for a run that has ended, is a conflict. */
  async decide(viewer: Viewer, runId: string, requestId: string, decision: Decision): Promise<AgentApprovalReceipt> {
    await this.runs.get(viewer, runId, null, 'agent.approve');
    await this.database.transaction(async sql => {
      // Two deciders at once take their turns: the second one finds the decision of the first.
      await sql.query('select id from workflow_run where id = $1 for no key update', [runId]);
      const decided = await sql.query(DECIDE, [runId, requestId, decision, viewer.userId]);
      if (decided.length === 0) return this.#standing(sql, runId, requestId, decision);
      await this.claims.signal([runId], sql);
      failpoint('approval.before-commit');
    });
    failpoint('approval.after-commit');
    return { status: 200, data: { id: runId, requestId, decision } };
  }

  /** Lets a decision pass that says what stands already. */
  async #standing(sql: Sql, runId: string, requestId: string, decision: Decision): Promise<void> {
    const [row] = await sql.query<{ status: AgentApprovalStatus; isOver: boolean }>(
      `select ${COLUMNS}, r.run_finished_at is not null as "isOver"
         from workflow_run_approval a join workflow_run r on r.id = a.run_id where a.id = $2 and a.run_id = $1`,
      [runId, requestId],
    );
    if (!row) throw new NotFoundError();
    if (row.status === decision) return;
    if (row.status === AgentApprovalStatus.EXPIRED) {
      if (row.isOver) throw new ConflictError('The run has ended.');
      if (decision === 'rejected') return;
      throw new ConflictError('The request has expired, which counts as a rejection.');
    }
    throw new ConflictError(`The request is ${row.status} already.`);
  }
}
