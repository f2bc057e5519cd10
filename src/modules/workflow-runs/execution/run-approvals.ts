import type { Approvals, Decision } from '../../../engine/ports.js';
import type { RunEvent } from '../../../engine/workflow/run/run-event.js';
import { timeOrderedUuid } from '../../../platform/crypto/uuid.js';
import type { Sql } from '../../../platform/database/database.js';
import { queries } from '../../../platform/database/typed-queries.js';
import type { RunTables } from '../run-tables.js';

/** A row of an approval request, as recorded. Secrets in its arguments are masked. */
export interface ApprovalRow {
  id: string;
  runId: string;
  nodeId: string;
  iteration: string;
  kind: 'start' | 'tool';
  tool: string | null;
  arguments: unknown;
  requestedAt: string;
  expiresAt: string;
}

/** Columns of ApprovalRow for json_to_recordset. */
export const APPROVAL_COLUMNS = `id uuid, "runId" uuid, "nodeId" text, iteration text, kind text, tool text, arguments json,
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

/** Implements the approval port of the engine. */
export function createApprovalPort(sql: Sql): Approvals {
  return {
    newId: timeOrderedUuid,
    async decision(requestId) {
      const row = await queries<RunTables>(sql)
        .selectFrom('workflow_run_approval')
        .select('decision')
        .where('id', '=', requestId)
        .executeTakeFirst();
      return (row?.decision as Decision | null | undefined) ?? undefined;
    },
  };
}
