import { defineEntity, p } from '@mikro-orm/core';

/** Runs whose rows are preserved when the partition of their month is dropped. */
export const WorkflowRunKeptEntity = defineEntity({
  name: 'WorkflowRunKept',
  tableName: 'workflow_run_kept',
  properties: {
    /** Name of the partition. */
    child: p.text().primary(),
    runId: p.uuid().primary(),
  },
});
