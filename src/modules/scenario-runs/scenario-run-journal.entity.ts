import { defineEntity, p } from '@mikro-orm/core';
import { ScenarioRunEntity } from './scenario-run.entity.js';

/** Batches of journal events of scenario runs. A unique index allows one final event for each run. */
export const ScenarioRunJournalEntity = defineEntity({
  name: 'ScenarioRunJournal',
  tableName: 'scenario_run_journal',
  properties: {
    run: () =>
      p
        .manyToOne(ScenarioRunEntity)
        .primary()
        .deleteRule('cascade')
        .updateRule('no action')
        .foreignKeyName('scenario_run_journal_run_id_fkey'),
    firstSequence: p.integer().primary(),
    lastSequence: p.integer(),
    events: p.json<unknown>().columnType('json'),
  },
  uniques: [
    {
      name: 'scenario_run_journal_one_end',
      properties: ['run'],
      where: `((events -> '-1'::integer) ->> 'type') in ('run.finished', 'run.failed')`,
    },
  ],
});
