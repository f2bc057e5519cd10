import { Migration } from '@mikro-orm/migrations';

export class M0002WorkflowRuns extends Migration {
  override up(): void {
    // A narrow row for lists and claims. Payloads and journal are separate tables, partitioned by month.
    this.addSql(`
      create table workflow_run (
        id uuid primary key,
        project_id int not null references project on delete cascade,
        workflow_id int null references workflow on delete cascade,
        revision_id int not null references workflow_revision on delete cascade,
        user_id int null references app_user on delete set null,
        state text not null check (state in ('draft', 'queued', 'running', 'succeeded', 'failed', 'cancelled')),
        sequence int not null default 0,
        attempts int not null default 0,
        lease_token bigint not null default 0,
        lease_until timestamptz(3) null,
        queued_at timestamptz(3) null,
        cost_usd numeric not null default 0,
        commission_usd numeric not null default 0,
        is_api_run boolean not null default false,
        use_in_marketplace_example boolean not null default false,
        use_as_marketplace_template boolean not null default false,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        run_started_at timestamptz(3) null,
        run_finished_at timestamptz(3) null
      ) with (fillfactor = 80)`);
    this.addSql('create index workflow_run_history_by_time on workflow_run (workflow_id, created_at desc, id desc)');
    this.addSql('create index workflow_run_history_by_cost on workflow_run (workflow_id, cost_usd, id)');
    this.addSql('create index workflow_run_of_project on workflow_run (project_id)');
    this.addSql('create index workflow_run_of_revision on workflow_run (revision_id)');
    this.addSql(
      `create index workflow_run_alive on workflow_run (state, lease_until, queued_at) where state in ('queued', 'running')`,
    );
    // Terminal states are final. A trigger in the database prevents any later change of state.
    this.addSql(`
      create function workflow_run_end_is_final() returns trigger language plpgsql as $$
      begin
        raise exception 'run % has ended as %', old.id, old.state using errcode = 'check_violation';
      end $$`);
    this.addSql(`
      create trigger workflow_run_end_is_final before update of state on workflow_run for each row
      when (old.state in ('succeeded', 'failed', 'cancelled') and new.state is distinct from old.state)
      execute function workflow_run_end_is_final()`);

    this.addSql(`
      create table workflow_run_payload (
        run_id uuid not null references workflow_run on delete cascade,
        run_created_at timestamptz(3) not null,
        input json not null,
        sealed_input text null,
        result json null,
        primary key (run_id, run_created_at)
      ) partition by range (run_created_at)`);
    this.addSql(`
      create table workflow_run_journal (
        run_id uuid not null references workflow_run on delete cascade,
        run_created_at timestamptz(3) not null,
        first_sequence int not null,
        last_sequence int not null,
        events json not null,
        sealed_contents text null,
        primary key (run_id, run_created_at, first_sequence)
      ) partition by range (run_created_at)`);
    // ensure_month_partitions creates and drops months. Rows outside of all months are stored in the default partition.
    this.addSql('create table workflow_run_payload_default partition of workflow_run_payload default');
    this.addSql('create table workflow_run_journal_default partition of workflow_run_journal default');
    this.addSql(`
      create function ensure_month_partitions(months_ahead int) returns void language plpgsql as $$
      declare
        parent text; month timestamptz; child text;
      begin
        perform pg_advisory_xact_lock(7266303);
        foreach parent in array array['workflow_run_payload', 'workflow_run_journal'] loop
          for ahead in 0..months_ahead loop
            month := (date_trunc('month', now() at time zone 'UTC') + make_interval(months => ahead)) at time zone 'UTC';
            child := parent || '_' || to_char(month at time zone 'UTC', 'YYYY_MM');
            if to_regclass(child) is null then
              execute format('create table %I partition of %I for values from (%L) to (%L)', child, parent, month,
                ((month at time zone 'UTC') + interval '1 month') at time zone 'UTC');
            end if;
          end loop;
        end loop;
      end $$`);
    this.addSql('select ensure_month_partitions(2)');
    // Drops the months that are completely older than the time to live. Flagged, active and later ended runs first move
    // to the default partition. The parent is locked only briefly; without the lock the next round retries.
    this.addSql(`
      create function drop_expired_months(ttl_days int) returns void language plpgsql as $$
      declare
        parent text; child text; cutoff timestamptz := now() - make_interval(days => ttl_days);
      begin
        perform pg_advisory_xact_lock(7266303);
        set local lock_timeout = '2s';
        foreach parent in array array['workflow_run_payload', 'workflow_run_journal'] loop
          for child in
            select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
             where i.inhparent = parent::regclass and c.relname ~ '_\\d{4}_\\d{2}$'
               and (to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month') at time zone 'UTC' <= cutoff
          loop
            execute format('alter table %I detach partition %I', parent, child);
            execute format('insert into %I select t.* from %I t join workflow_run r on r.id = t.run_id
              where r.run_finished_at is null or r.run_finished_at >= $1
                 or r.is_api_run or r.use_in_marketplace_example or r.use_as_marketplace_template', parent, child)
              using cutoff;
            execute format('drop table %I', child);
          end loop;
        end loop;
      end $$`);

    this.addSql(`
      create table billing_transaction (
        id uuid primary key default gen_random_uuid(),
        project_id int not null references project on delete cascade,
        run_id uuid not null,
        node_id text not null,
        iteration text not null default '',
        user_id int null references app_user on delete set null,
        operation text not null,
        status text not null check (status in ('Success', 'Error')),
        amount_usd numeric not null,
        reason text not null default '',
        description text not null default '',
        usage json null,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        unique (run_id, node_id, iteration, operation))`);
    this.addSql('create index billing_transaction_of_project on billing_transaction (project_id, created_at desc)');
  }
}
