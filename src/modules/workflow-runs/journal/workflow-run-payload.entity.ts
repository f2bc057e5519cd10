import { defineEntity, p } from '@mikro-orm/core';

/** Inputs and results of runs, which lists do not read. Partitioned by the month of `run_created_at`. */
export const WorkflowRunPayloadEntity = defineEntity({
  name: 'WorkflowRunPayload',
  tableName: 'workflow_run_payload',
  properties: {
    /** No foreign key: a trigger of `workflow_run` deletes these rows. */
    runId: p.uuid().primary(),
    runCreatedAt: p.datetime(3).primary(),
    input: p.json<unknown>().columnType('json'),
    sealedInput: p.text().nullable(),
    result: p.json<unknown>().columnType('json').nullable(),
  },
});
