import type { Approvals } from '../../../engine/wait-ports.js';
import type { ApprovalKind } from '../../../engine/workflow/graph/approvals/approval.js';
import type { RunEvent } from '../../../engine/workflow/run/run-event.js';
import { timeOrderedUuid } from '../../../platform/crypto/uuid.js';
import type { Sql } from '../../../platform/database/database.js';
import { queryBuilder } from '../../../platform/database/typed-queries.js';
import type { RunTables } from '../run-tables.js';

/** A row of an approval request, as recorded. Secrets in its arguments are masked. */
export interface ApprovalRow {
  id: string;
  runId: string;
  nodeId: string;
  iteration: string;
  kind: ApprovalKind;
  tool: string | null;
  arguments: unknown;
  details?: unknown;
  requestedAt: string;
  expiresAt: string;
}

/** Columns of ApprovalRow for json_to_recordset. */
export const APPROVAL_COLUMNS = `id uuid, "runId" uuid, "nodeId" text, iteration text, kind text, tool text, arguments json, details json,
  "requestedAt" timestamptz, "expiresAt" timestamptz`;

/** Returns the topic that announces new approval requests of a project. */
export function approvalsTopic(projectId: number): string {
  return `approvals:${projectId}`;
}

export function approvalRows(runId: string, event: Extract<RunEvent, { type: 'node.waiting' }>): ApprovalRow[] {
  if (event.wait.kind !== 'approval') return [];
  const { node, iteration = '' } = event;
  return [{ runId, nodeId: node, iteration, ...event.wait.request }];
}

/** Returns an event as the journal stores it: the details of an approval are only in its row. */
export function withoutDetails(event: RunEvent): RunEvent {
  if (event.type !== 'node.waiting' || event.wait.kind !== 'approval' || !event.wait.request.details) return event;
  const { details: _, ...request } = event.wait.request;
  return { ...event, wait: { ...event.wait, request } };
}

/** Implements the approval port of the engine. */
export function createApprovalPort(sql: Sql): Approvals {
  return {
    newId: timeOrderedUuid,
    async findDecision(requestId) {
      const row = await queryBuilder<RunTables>(sql)
        .selectFrom('workflow_run_approval')
        .select(['decision', 'comment', 'arguments as shown', 'edited_arguments as edited', 'kind', 'votes'])
        .where('id', '=', requestId)
        .executeTakeFirst();
      if (!row?.decision) return undefined;
      const { decision, comment, shown, edited, kind, votes } = row;
      return {
        decision,
        ...(comment === null ? {} : { comment }),
        ...(edited === null ? {} : { edit: { shown, edited } }),
        ...(kind === 'decision' ? { votes } : {}),
      };
    },
  };
}
