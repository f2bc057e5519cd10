import { Migration } from '@mikro-orm/migrations';

/**
 * Tables whose rows change with every run. They are vacuumed after thousands of changes instead of a fifth of all rows.
 */
const HOT = ['workflow_run', 'scenario_run', 'webhook_delivery', 'idempotency_key', 'budget_reservation'];
/**
 * Rows that many runs change in columns without an index. With free space in their pages, a new version needs no index
 * entry.
 */
const ROOMY = ['project', 'api_key'];

export class M0022Load extends Migration {
  override up(): void {
    // Runs waiting for their first worker, by project. Claims take turns between projects with this index.
    this.addSql(`create index workflow_run_queued on workflow_run (project_id, queued_at, id) where state = 'queued'`);
    for (const table of ['scenario_run', 'keyword_run'])
      this.addSql(
        `create index ${table}_queued on ${table} (project_id, queued_at, billing_id) where status = 'created'`,
      );

    // The order in which documents are read. Each run of a project is one turn after the project's last waiting run.
    this.addSql('alter table recognition_run add turn int not null default 0');
    this.addSql(`create index recognition_run_turns on recognition_run (turn) where state = 'created'`);
    this.addSql(
      `create index recognition_run_turns_of_project on recognition_run (project_id, turn) where state = 'created'`,
    );

    for (const table of HOT)
      this.addSql(
        `alter table ${table} set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02,
           autovacuum_vacuum_insert_scale_factor = 0.05)`,
      );
    for (const table of ROOMY) this.addSql(`alter table ${table} set (fillfactor = 50)`);

    // A month is created separately and attached, so that reads and writes of other months continue. If the default
    // partition has rows of the month or the lock is not available, the next round retries.
    this.addSql(`
      create or replace function ensure_month_partitions(months_ahead int) returns void language plpgsql as $$
      declare
        parent text; month timestamptz; child text;
      begin
        perform pg_advisory_xact_lock(7266303);
        set local lock_timeout = '200ms';
        foreach parent in array array['workflow_run_payload', 'workflow_run_journal'] loop
          for ahead in 0..months_ahead loop
            month := (date_trunc('month', now() at time zone 'UTC') + make_interval(months => ahead)) at time zone 'UTC';
            child := parent || '_' || to_char(month at time zone 'UTC', 'YYYY_MM');
            continue when to_regclass(child) is not null;
            begin
              execute format('create table %I (like %I including all)', child, parent);
              execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, child, month,
                ((month at time zone 'UTC') + interval '1 month') at time zone 'UTC');
            exception when check_violation or lock_not_available then
              raise warning 'the month % waits for the next round: %', child, sqlerrm;
            end;
          end loop;
        end loop;
      end $$`);

    // Runs whose rows stay when their month is dropped. They are collected in advance, so that the month is locked only
    // briefly.
    this.addSql(
      'create table workflow_run_kept (child text not null, run_id uuid not null, primary key (child, run_id))',
    );
    // Detaches a month and moves its kept rows to the default partition. Returns false if another process did so.
    this.addSql(`
      create function detach_month(parent text, month text) returns boolean language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(7266303);
        if not exists (select from pg_inherits where inhparent = parent::regclass and inhrelid = to_regclass(month)) then
          return false;
        end if;
        set local lock_timeout = '200ms';
        lock table workflow_run in share row exclusive mode;
        execute format('lock table %I in access exclusive mode', parent);
        execute format('alter table %I detach partition %I', parent, month);
        execute format(
          'insert into %I select t.* from workflow_run_kept k join %I t on t.run_id = k.run_id where k.child = %L',
          parent, month, month);
        delete from workflow_run_kept where child = month;
        return true;
      end $$`);
  }
}
