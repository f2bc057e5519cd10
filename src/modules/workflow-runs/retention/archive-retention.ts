import type { Database, Sql } from '../../../platform/database/database.js';
import { anyInt, expression, queries } from '../../../platform/database/typed-queries.js';
import type { WorkflowTables } from '../../workflows/workflow-tables.js';
import type { RunTables } from '../run-tables.js';

/** Runs, or revisions, that one statement deletes. */
const BATCH = 500;

interface Tables extends RunTables, WorkflowTables {
  /** Of a module above. */
  marketplace_use: { workflow_id: number; copy_id: number | null };
}

/** Deletes workflows that were archived long ago, and revisions that neither a workflow nor a run names. */
export class ArchiveRetention {
  constructor(
    private readonly database: Database,
    private readonly days: { archive: number; result: number },
  ) {}

  /** Safe to run twice, and beside itself in another process. Ledger rows stay. */
  async run(): Promise<void> {
    const { archive, result } = this.days;
    for (let last = 0; ; ) {
      const id = await findDueWorkflow(this.database, { days: archive, last });
      if (id === undefined) break;
      // Its runs first, a batch at a time: with the row they would all go in one statement.
      while ((await deleteRuns(this.database, id)) === BATCH);
      await deleteWorkflow(this.database, id);
      last = id;
    }
    while ((await this.database.transaction(sql => deleteRevisions(sql, result))) === BATCH);
  }
}

/**
 * The next archived workflow behind `last` that can be deleted. What the terms of the marketplace refer to stays: a workflow
 * that was copied, and a copy. So does one with an unfinished run.
 */
async function findDueWorkflow(sql: Sql, { days, last }: { days: number; last: number }): Promise<number | undefined> {
  const row = await queries<Tables>(sql)
    .selectFrom('workflow as w')
    .select('w.id')
    .where('w.archived_at', '<', daysAgo(days))
    .where('w.id', '>', last)
    .where('w.copied_from_id', 'is', null)
    .where(({ and, not, exists, selectFrom }) =>
      and([
        not(exists(selectFrom('workflow as c').select('c.id').whereRef('c.copied_from_id', '=', 'w.id'))),
        not(exists(selectFrom('market_terms as t').select('t.id').whereRef('t.workflow_id', '=', 'w.id'))),
        not(
          exists(
            selectFrom('marketplace_use as u')
              .select('u.workflow_id')
              .where(({ eb, or }) =>
                or([eb('u.workflow_id', '=', eb.ref('w.id')), eb('u.copy_id', '=', eb.ref('w.id'))]),
              ),
          ),
        ),
        not(
          exists(
            selectFrom('workflow_run as r')
              .select('r.id')
              .whereRef('r.workflow_id', '=', 'w.id')
              .where('r.run_finished_at', 'is', null)
              .where('r.state', '!=', 'draft'),
          ),
        ),
      ]),
    )
    .orderBy('w.id')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** Deletes some runs of a workflow; returns how many. */
async function deleteRuns(sql: Sql, workflowId: number): Promise<number> {
  const deleted = await queries<Tables>(sql)
    .deleteFrom('workflow_run')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('workflow_run')
        .select('id')
        .where('workflow_id', '=', workflowId)
        .where(({ eb, or }) => or([eb('run_finished_at', 'is not', null), eb('state', '=', 'draft')]))
        .limit(BATCH)
        .forUpdate()
        .skipLocked(),
    )
    .returning('id')
    .execute();
  return deleted.length;
}

/** A transaction that accepts a run of a workflow locks its row, or a revision of it, against this. */
async function deleteWorkflow(sql: Sql, id: number): Promise<void> {
  await queries<Tables>(sql)
    .deleteFrom('workflow as w')
    .where('w.id', '=', id)
    .where('w.archived_at', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('workflow_run as r').select('r.id').whereRef('r.workflow_id', '=', 'w.id'))),
    )
    .execute();
}

/** Deletes some revisions that neither a workflow nor a run has named for so many days; returns how many it locked. */
async function deleteRevisions(sql: Sql, days: number): Promise<number> {
  const locked = await unnamedRevisions(sql)
    .select('v.id')
    .where('v.created_at', '<', daysAgo(days))
    .limit(BATCH)
    .forUpdate('v')
    .skipLocked()
    .execute();
  if (locked.length === 0) return 0;
  // A second look: under the lock no new run can name a revision, and one that was accepted just before is seen.
  const unnamed = unnamedRevisions(sql)
    .select('v.id')
    .where('v.id', '=', anyInt(locked.map(({ id }) => id)));
  await queries<Tables>(sql).deleteFrom('workflow_revision').where('id', 'in', unnamed).execute();
  return locked.length;
}

/** Revisions `v` that neither a workflow nor a run names. */
function unnamedRevisions(sql: Sql) {
  return queries<Tables>(sql)
    .selectFrom('workflow_revision as v')
    .where(({ and, not, exists, selectFrom }) =>
      and([
        not(exists(selectFrom('workflow as w').select('w.id').whereRef('w.revision_id', '=', 'v.id'))),
        not(exists(selectFrom('workflow_run as r').select('r.id').whereRef('r.revision_id', '=', 'v.id'))),
      ]),
    );
}

function daysAgo(days: number) {
  return expression<Date>`now() - make_interval(days => ${days})`;
}
