import { Migration } from '@mikro-orm/migrations';

/** Journals with the key of their runs and the SQL condition that a run has ended. */
const JOURNALS = [
  {
    journal: 'workflow_run_journal',
    run: 'workflow_run',
    key: ['run_id', 'run_created_at'],
    hasEnded: 'r.run_finished_at is not null',
    ends: `('run.succeeded', 'run.failed', 'run.cancelled')`,
  },
  {
    journal: 'scenario_run_journal',
    run: 'scenario_run',
    key: ['run_id'],
    hasEnded: 'r.finished_at is not null',
    ends: `('run.finished', 'run.failed')`,
  },
];

export class M0031OneEnd extends Migration {
  override up(): void {
    for (const { journal, run, key, hasEnded, ends } of JOURNALS) {
      const isEnd = `(events -> -1 ->> 'type') in ${ends}`;
      // A final event could be written without the state in the row of the run. The run was then continued and got a
      // second final event, which is valid. A run that has not ended loses its final event and resumes at its last
      // position.
      const superfluous = `
        select j.run_id, j.first_sequence
          from (select *, row_number() over (partition by run_id order by first_sequence desc) as nth
                  from ${journal} where ${isEnd}) j
          join ${run} r on r.id = j.run_id
         where j.nth > 1 or not (${hasEnded})`;
      this.addSql(`
        delete from ${journal} j using (${superfluous}) s
         where j.run_id = s.run_id and j.first_sequence = s.first_sequence and json_array_length(j.events) = 1`);
      // Each event has its own sequence, so `greatest` applies only to damaged rows.
      this.addSql(`
        update ${journal} j
           set last_sequence = greatest(j.first_sequence, j.last_sequence - 1),
               events = (select json_agg(e.event order by e.place) from json_array_elements(j.events) with ordinality as e(event, place)
                          where e.place < json_array_length(j.events))
          from (${superfluous}) s
         where j.run_id = s.run_id and j.first_sequence = s.first_sequence`);
      this.addSql(`create unique index ${journal}_one_end on ${journal} (${key.join(', ')}) where ${isEnd}`);
    }
  }
}
