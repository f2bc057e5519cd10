/**
 * Inserts no row into the tables that every run writes. It fails like a real insert: on a read-only server and while a
 * table is locked.
 */
export const WRITE_PROBE = `
  with run as (insert into workflow_run (id) select null::uuid where false),
       ledger as (insert into billing_transaction (run_id) select null::uuid where false)
  select 1`;
