import type { Database, Sql } from '../../../platform/database/database.js';
import { anyInt, expression, queryBuilder } from '../../../platform/database/typed-queries.js';
import type { WorkflowTables } from '../../workflows/workflow-tables.js';
import type { RunTables } from '../run-tables.js';

/** Runs or revisions per deleting statement. */
const BATCH = 500;

interface Tables extends RunTables, WorkflowTables {
  /** Owned by a module that depends on this one. */
  marketplace_use: { workflow_id: number; copy_id: number | null };
}

/** Deletes workflows after their archive period, and unused revisions. */
export class ArchiveRetention {
  constructor(
    private readonly database: Database,
    private readonly days: { archive: number; result: number },
  ) {}

  /** Deletes everything that is due. It is idempotent and may run concurrently. Ledger rows are preserved. */
  async run(): Promise<void> {
    const { archive, result } = this.days;
    for (let last = 0; ; ) {
      const id = await findDueWorkflow(this.database, { days: archive, last });
      if (id === undefined) break;
      // Runs are deleted first, in batches. Deleting the workflow row would delete all of them in one statement.
      while ((await deleteRuns(this.database, id)) === BATCH);
      await deleteWorkflow(this.database, id);
      last = id;
    }
    while ((await this.database.transaction(sql => deleteRevisions(sql, result))) === BATCH);
  }
}

/**
 * Returns the next deletable archived workflow after the id `last`. Workflows with marketplace copies, copies and
 * workflows with unfinished runs are excluded.
 */
async function findDueWorkflow(sql: Sql, { days, last }: { days: number; last: number }): Promise<number | undefined> {
  const row = await queryBuilder<Tables>(sql)
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

/** Deletes up to `BATCH` runs of a workflow. Returns the number of deleted runs. */
async function deleteRuns(sql: Sql, workflowId: number): Promise<number> {
  const deleted = await queryBuilder<Tables>(sql)
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

/**
 * Deletes a workflow without runs. A transaction that inserts a run locks the workflow or its revision, and thereby
 * prevents the deletion.
 */
async function deleteWorkflow(sql: Sql, id: number): Promise<void> {
  await queryBuilder<Tables>(sql)
    .deleteFrom('workflow as w')
    .where('w.id', '=', id)
    .where('w.archived_at', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('workflow_run as r').select('r.id').whereRef('r.workflow_id', '=', 'w.id'))),
    )
    .execute();
}

/**
 * Deletes up to `BATCH` unused revisions that are older than `days` days. Returns the number
 * of locked revisions.
 */
async function deleteRevisions(sql: Sql, days: number): Promise<number> {
  const locked = await unusedRevisions(sql)
    .select('v.id')
    .where('v.created_at', '<', daysAgo(days))
    .limit(BATCH)
    .forUpdate('v')
    .skipLocked()
    .execute();
  if (locked.length === 0) return 0;
  // The condition is checked again under the lock. No new run can reference a locked revision, and a run committed
  // just earlier is now visible.
  const unused = unusedRevisions(sql)
    .select('v.id')
    .where('v.id', '=', anyInt(locked.map(({ id }) => id)));
  await queryBuilder<Tables>(sql).deleteFrom('workflow_revision').where('id', 'in', unused).execute();
  return locked.length;
}

/** Selects revisions `v` without a run, name or publication, which are not the current one of a workflow. */
function unusedRevisions(sql: Sql) {
  return queryBuilder<Tables>(sql)
    .selectFrom('workflow_revision as v')
    .where(({ and, eb, not, exists, selectFrom }) =>
      and([
        eb('v.name', '=', ''),
        not(exists(selectFrom('workflow as w').select('w.id').whereRef('w.revision_id', '=', 'v.id'))),
        not(exists(selectFrom('workflow_publication as x').select('x.id').whereRef('x.revision_id', '=', 'v.id'))),
        not(exists(selectFrom('workflow_run as r').select('r.id').whereRef('r.revision_id', '=', 'v.id'))),
      ]),
    );
}

function daysAgo(days: number) {
  return expression<Date>`now() - make_interval(days => ${days})`;
}
