import { isDeepStrictEqual } from 'node:util';
import type { ApprovalVote, Decision } from '../../../engine/wait-ports.js';
import type { ApprovalDetails, ApprovalKind } from '../../../engine/workflow/graph/approvals/approval.js';
import type { Database, Sql } from '../../../platform/database/database.js';
import { expression, NOW, queryBuilder } from '../../../platform/database/typed-queries.js';
import { ConflictError, NotFoundError } from '../../../platform/errors/errors.js';
import { Faults } from '../../../platform/errors/fields.js';
import { readWindow } from '../../../platform/lists/counted-page.js';
import { type PageArgs, toLimitOffset } from '../../../platform/lists/page.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import type { AccountTables } from '../../accounts/account-tables.js';
import { recordAuditEvent } from '../../accounts/audit.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { ProjectAccess } from '../../projects/access.js';
import type { RunClaims } from '../execution/run-claims.js';
import type { WorkflowRunService } from '../history/workflow-run.service.js';
import type { RunTables } from '../run-tables.js';
import {
  type AgentApproval,
  type AgentApprovalDecider,
  AgentApprovalOrder,
  type AgentApprovalPage,
  type AgentApprovalReceipt,
  AgentApprovalStatus,
} from './agent-approval.type.js';
import { assertMayDecide, decisionOf } from './approval-votes.js';
import { checkEdit, checkValues } from './edited-arguments.js';

export const MAX_COMMENT_CHARACTERS = 2_000;

/** Condition on the approval row `a` and the run row `r`: the request is pending. */
const IS_PENDING = expression<boolean>`(a.decision is null and a.expires_at > now() and r.run_finished_at is null)`;
const STATUS = expression<AgentApprovalStatus>`case when ${IS_PENDING} then 'pending' else coalesce(a.decision, 'expired') end`;

const COLUMNS = [
  'a.id as requestId',
  'a.run_id as runId',
  'a.project_id as projectId',
  'a.node_id as nodeId',
  'a.kind',
  'a.tool',
  'a.requested_at as requestedAt',
  'a.expires_at as expiresAt',
  'a.decided_at as decidedAt',
  'a.comment',
  'a.decided_by_id as decidedById',
  'd.name as deciderName',
  'd.email as deciderEmail',
  'a.votes',
  expression<string | null>`nullif(a.iteration, '')`.as('iteration'),
  STATUS.as('status'),
] as const;

/** Which requests of a project a list contains, and in which order. */
export interface ApprovalFilter {
  runId: string | null;
  statuses: readonly AgentApprovalStatus[];
  order: AgentApprovalOrder;
}

/** A decision as its sender states it. `editedArguments` null: as requested. */
export interface DecisionInput {
  decision: Decision;
  comment: string | null;
  editedArguments: unknown;
}

/** Lists approval requests of agents and records decisions. */
export class AgentApprovalService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly runs: WorkflowRunService,
    private readonly claims: RunClaims,
  ) {}

  /** Returns the people with these ids, by id. */
  async people(userIds: readonly number[]): Promise<Map<number, AgentApprovalDecider>> {
    const rows = await queryBuilder<Pick<AccountTables, 'app_user'>>(this.database)
      .selectFrom('app_user')
      .select(['id as userId', 'name', 'email'])
      .where('id', 'in', userIds)
      .execute();
    return new Map(rows.map(row => [row.userId, row]));
  }

  /** Returns requests of a project. */
  async list(viewer: Viewer, projectId: number, filter: ApprovalFilter, page: PageArgs): Promise<AgentApprovalPage> {
    const { runId, statuses, order } = filter;
    await this.access.authorize(viewer, projectId, 'project.read');
    const isPendingOnly = statuses.every(status => status === AgentApprovalStatus.PENDING);
    const direction = order === AgentApprovalOrder.REQUESTED_AT_ASC ? 'asc' : 'desc';
    const rows = approvals(this.database)
      .select(COLUMNS)
      .where('a.project_id', '=', projectId)
      .$if(isPendingOnly, query => query.where(IS_PENDING))
      .$if(!isPendingOnly, query => query.where(STATUS, 'in', statuses))
      .$if(runId !== null, query => query.where('a.run_id', '=', runId))
      .orderBy('a.requested_at', direction)
      .orderBy('a.id', direction);
    return { ...page, ...(await readWindow(rows, toLimitOffset(page))) };
  }

  /** Returns all pending requests of a project at one moment, oldest first. */
  async pending(viewer: Viewer, projectId: number): Promise<AgentApproval[]> {
    await this.access.authorize(viewer, projectId, 'project.read');
    return approvals(this.database)
      .select(COLUMNS)
      .where('a.project_id', '=', projectId)
      .where(IS_PENDING)
      .orderBy('a.requested_at')
      .orderBy('a.id')
      .execute();
  }

  /** Returns a request of a run that the viewer can read. */
  async find(viewer: Viewer, runId: string, requestId: string): Promise<ApprovalRequest> {
    await this.runs.get(viewer, runId);
    const { kind, tool, status, arguments: values, details } = await readRequest(this.database, runId, requestId);
    return { kind, tool, status, arguments: values, details };
  }

  /**
   * Records a decision. Repeating the same decision has no effect. Throws ConflictError for another decision, an
   * expired request or a run that has ended, ForbiddenError if other people decide, and InvalidInputError for invalid
   * arguments.
   */
  async decide(viewer: Viewer, runId: string, requestId: string, input: DecisionInput): Promise<AgentApprovalReceipt> {
    const comment = readComment(input.comment);
    const { decision } = input;
    await this.runs.get(viewer, runId, null, 'agent.approve');
    await this.database.transaction(async sql => {
      // The lock serializes concurrent decisions, so the second one sees the first.
      await queryBuilder<RunTables>(sql)
        .selectFrom('workflow_run')
        .select('id')
        .where('id', '=', runId)
        .forNoKeyUpdate()
        .execute();
      const request = await readRequest(sql, runId, requestId);
      const [role] = await this.access.rolesIn(viewer, [request.projectId], sql);
      assertMayDecide(request.details, viewer, role ?? null);
      const edited = editOf(request, input);
      if (isRepeated(request, viewer, decision, edited)) return;
      const vote = { userId: viewer.userId, decision, comment, decidedAt: new Date().toISOString() };
      const votes = [...request.votes, vote];
      const result = decisionOf(votes, request.details.question);
      // Without arguments, the vote keeps the edits of earlier votes; the requested arguments undo them.
      const kept = result === 'rejected' ? null : request.edited;
      const written = input.editedArguments === null ? kept : edited;
      await queryBuilder<RunTables>(sql)
        .updateTable('workflow_run_approval')
        .set({ votes: expression<ApprovalVote[]>`${JSON.stringify(votes)}::json` })
        .set({ edited_arguments: written === null ? null : JSON.stringify(written) })
        .$if(result !== null, query =>
          query.set({ decision: result, comment, decided_at: NOW, decided_by_id: viewer.userId }),
        )
        .where('id', '=', requestId)
        .execute();
      const changed = edited === null ? {} : { changed: changedMembers(edited, request.arguments) };
      await recordAuditEvent(sql, viewer, {
        action: 'agent.approve',
        object: { type: 'agent-approval', id: requestId },
        projectId: request.projectId,
        detail: { runId, kind: request.kind, tool: request.tool, decision, ...changed },
      });
      if (result !== null) await this.claims.signal([runId], sql);
      failpoint('approval.before-commit');
    });
    failpoint('approval.after-commit');
    return { status: 200, data: { runId, requestId, decision } };
  }
}

/** A request with the details that the person sees. Secrets are masked. */
export interface ApprovalRequest {
  kind: ApprovalKind;
  tool: string | null;
  status: AgentApprovalStatus;
  arguments: unknown;
  details: ApprovalDetails;
}

/** The members of a stored request that a decision depends on. */
interface StoredRequest {
  kind: ApprovalKind;
  status: AgentApprovalStatus;
  hasRunEnded: boolean;
  arguments: unknown;
  details: ApprovalDetails;
  edited: unknown;
  votes: readonly ApprovalVote[];
}

async function readRequest(sql: Sql, runId: string, requestId: string) {
  const row = await approvals(sql)
    .select(COLUMNS)
    .select(['a.arguments', 'a.details', 'a.edited_arguments as edited'])
    .select(expression<boolean>`r.run_finished_at is not null`.as('hasRunEnded'))
    .where('a.id', '=', requestId)
    .where('a.run_id', '=', runId)
    .executeTakeFirst();
  if (!row) throw new NotFoundError();
  return { ...row, details: (row.details ?? {}) as ApprovalDetails };
}

/** Returns the checked arguments that the input changes, or null. The values of a form must be complete. */
function editOf(request: StoredRequest, { decision, editedArguments }: DecisionInput): unknown {
  const { schema } = request.details;
  const isForm = request.kind === 'decision' && decision === 'approved' && schema !== undefined;
  if (isForm && request.status === AgentApprovalStatus.PENDING)
    checkValues(editedArguments ?? request.edited ?? request.arguments, schema);
  return editedArguments === null ? null : checkEdit(editedArguments, request.arguments, schema);
}

/**
 * Returns true for a decision that equals the recorded one; an expired request of an agent counts as rejected. Throws
 * ConflictError if it cannot be recorded.
 */
function isRepeated(request: StoredRequest, { userId }: Viewer, decision: Decision, edited: unknown): boolean {
  const { status, hasRunEnded, edited: recorded, votes, kind } = request;
  const isSame = edited === null || isDeepStrictEqual(edited, recorded);
  const own = votes.find(vote => vote.userId === userId);
  if (status === AgentApprovalStatus.PENDING && !own) return false;
  if ((own?.decision ?? status) === decision) {
    if (isSame) return true;
    throw new ConflictError('The request is already approved with other arguments.');
  }
  if (own) throw new ConflictError(`You have already ${own.decision} the request.`);
  if (status !== AgentApprovalStatus.EXPIRED) throw new ConflictError(`The request is already ${status}.`);
  if (hasRunEnded) throw new ConflictError('The run has ended, so the request can no longer be decided.');
  if (kind === 'decision') throw new ConflictError('The request has expired.');
  if (decision === 'rejected') return true;
  throw new ConflictError('The request has expired, which counts as a rejection.');
}

function readComment(comment: string | null): string | null {
  const faults = new Faults();
  faults.text('comment', comment, { max: MAX_COMMENT_CHARACTERS });
  faults.throwIfAny();
  return comment?.trim() || null;
}

/** Maximum number of member names in an entry of the audit log. */
const MAX_AUDITED_NAMES = 50;

/** Names of the members whose values differ. The audit log does not contain the values, which may be secret. */
function changedMembers(edited: unknown, shown: unknown): string[] {
  const [after, before] = [edited, shown ?? {}] as [Record<string, unknown>, Record<string, unknown>];
  const names = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...names].filter(name => !isDeepStrictEqual(after[name], before[name])).slice(0, MAX_AUDITED_NAMES);
}

function approvals(sql: Sql) {
  return queryBuilder<RunTables & Pick<AccountTables, 'app_user'>>(sql)
    .selectFrom('workflow_run_approval as a')
    .innerJoin('workflow_run as r', 'r.id', 'a.run_id')
    .leftJoin('app_user as d', 'd.id', 'a.decided_by_id');
}
