import type { Approvals, Decision } from '../../../engine/ports.js';
import type { RunEvent } from '../../../engine/workflow/run/run-event.js';
import { timeOrderedUuid } from '../../../platform/crypto/uuid.js';
import type { Sql } from '../../../platform/database/database.js';
import { queries } from '../../../platform/database/typed-queries.js';
import type { RunTables } from '../run-tables.js';

/** A request for approval as the record statement writes it. Secrets in its arguments are masked. */
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

/** Columns of ApprovalRow in a JSON array, for json_to_recordset. */
export const APPROVAL_COLUMNS = `id uuid, "runId" uuid, "nodeId" text, iteration text, kind text, tool text, arguments json,
  "requestedAt" timestamptz, "expiresAt" timestamptz`;

/** The topic on which those who watch a project hear that something was asked. */
export function approvalsTopic(projectId: number): string {
  return `approvals:${projectId}`;
}

export function approvalRows(runId: string, event: Extract<RunEvent, { type: 'node.waiting' }>): ApprovalRow[] {
  if (event.wait.kind !== 'approval') return [];
  const { node, iteration = '' } = event;
  return [{ runId, nodeId: node, iteration, ...event.wait.request }];
}

/** The engine's port: what was decided about requests. */
export function approvalsOf(sql: Sql): Approvals {
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
