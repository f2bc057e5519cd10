import { Migration } from '@mikro-orm/migrations';

/** Tables whose rows change with every run: emptied of dead versions after thousands of changes, not after a fifth of all. */
const HOT = ['workflow_run', 'scenario_run', 'webhook_delivery', 'idempotency_key', 'budget_reservation'];
/** Rows that many runs change, and in no indexed column: with room in their pages the next version needs no index entry. */
const ROOMY = ['project', 'api_key'];

export class M0022Load extends Migration {
  override up(): void {
    // Runs that wait for their first worker, by project: claims go from one project to the next on them.
    this.addSql(`create index workflow_run_queued on workflow_run (project_id, queued_at, id) where state = 'queued'`);
    for (const table of ['scenario_run', 'keyword_run'])
      this.addSql(
        `create index ${table}_queued on ${table} (project_id, queued_at, billing_id) where status = 'created'`,
      );

    // Documents are read in the order of this: each run of a project one turn after the last of it that waits.
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

    // A month is made beside its parent and attached: reads and writes of the other months go on meanwhile. One that the
    // default partition has rows of stays there, as does one that cannot have its lock; the next round tries again.
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

    // Runs whose rows stay when their month goes: gathered beforehand, so that the month is locked for a moment alone.
    this.addSql(
      'create table workflow_run_kept (child text not null, run_id uuid not null, primary key (child, run_id))',
    );
    // Takes a month out and its kept rows to the default partition. False: somebody else did.
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
