import { defineEntity, p } from '@mikro-orm/core';
import { WorkflowRunEntity } from '../workflow-run.entity.js';

/** Input and result of runs, which lists never read. Partitioned by the month of `run_created_at`. */
export const WorkflowRunPayloadEntity = defineEntity({
  name: 'WorkflowRunPayload',
  tableName: 'workflow_run_payload',
  properties: {
    run: () =>
      p
        .manyToOne(WorkflowRunEntity)
        .primary()
        .deleteRule('cascade')
        .updateRule('no action')
        .foreignKeyName('workflow_run_payload_run_id_fkey'),
    runCreatedAt: p.datetime(3).primary(),
    input: p.json<unknown>().columnType('json'),
    sealedInput: p.text().nullable(),
    result: p.json<unknown>().columnType('json').nullable(),
  },
});
