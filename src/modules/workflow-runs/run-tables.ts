import type { Table } from '../../platform/database/typed-queries.js';
import type { WorkflowRunApprovalEntity } from './approvals/workflow-run-approval.entity.js';
import type { WorkflowEventEntity, WorkflowRunEventWaitEntity } from './events/workflow-event.entity.js';
import type { WorkflowRunJournalEntity } from './journal/workflow-run-journal.entity.js';
import type { WorkflowRunPayloadEntity } from './journal/workflow-run-payload.entity.js';
import type { WorkflowRunTagEntity } from './tags/workflow-run-tag.entity.js';
import type { WorkflowRunEntity } from './workflow-run.entity.js';

export interface RunTables {
  workflow_run: Table<typeof WorkflowRunEntity>;
  workflow_event: Table<typeof WorkflowEventEntity>;
  workflow_run_event_wait: Table<typeof WorkflowRunEventWaitEntity>;
  workflow_run_approval: Table<typeof WorkflowRunApprovalEntity>;
  workflow_run_journal: Table<typeof WorkflowRunJournalEntity>;
  workflow_run_tag: Table<typeof WorkflowRunTagEntity>;
  workflow_run_payload: Table<typeof WorkflowRunPayloadEntity>;
}
