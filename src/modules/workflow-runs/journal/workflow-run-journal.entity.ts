import { defineEntity, p } from '@mikro-orm/core';

/** The events of runs, appended in groups. Partitioned by the month of `run_created_at`. */
export const WorkflowRunJournalEntity = defineEntity({
  name: 'WorkflowRunJournal',
  tableName: 'workflow_run_journal',
  properties: {
    /** No foreign key: a trigger of `workflow_run` deletes these rows. */
    runId: p.uuid().primary(),
    runCreatedAt: p.datetime(3).primary(),
    firstSequence: p.integer().primary(),
    lastSequence: p.integer(),
    events: p.json<unknown>().columnType('json'),
    sealedContents: p.text().nullable(),
  },
  uniques: [
    {
      name: 'workflow_run_journal_one_end',
      properties: ['runId', 'runCreatedAt'],
      where: `((events -> '-1'::integer) ->> 'type') in ('run.succeeded', 'run.failed', 'run.cancelled')`,
    },
  ],
});
