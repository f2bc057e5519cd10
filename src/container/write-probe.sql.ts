/**
 * Adds no row to the tables that every run writes. PostgreSQL refuses it as it would refuse a row: on a read-only server,
 * and while somebody holds one of the tables.
 */
export const WRITE_PROBE = `
  with run as (insert into workflow_run (id) select null::uuid where false),
       ledger as (insert into billing_transaction (run_id) select null::uuid where false)
  select 1`;
