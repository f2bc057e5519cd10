import { Migration } from '@mikro-orm/migrations';

export class M0014Marketplace extends Migration {
  override up(): void {
    this.#publication();
    this.#fees();
    this.#figures();
    this.addSql(`
      create table workflow_bookmark (
        user_id int not null references app_user on delete cascade,
        workflow_id int not null references workflow on delete cascade,
        created_at timestamptz(3) not null default now(),
        primary key (user_id, workflow_id))`);
    this.addSql('create index workflow_bookmark_of_workflow on workflow_bookmark (workflow_id)');
  }

  #publication(): void {
    this.addSql('alter table workflow add published_at timestamptz(3) null');
    this.addSql('create index workflow_published_by_age on workflow (created_at desc, id desc) where is_published');
    this.addSql(
      'create index workflow_published_of_category on workflow (category_id, created_at desc, id desc) where is_published',
    );
    this.addSql(
      'create index workflow_published_of_subcategory on workflow (subcategory_id, created_at desc, id desc) where is_published',
    );
    this.addSql('create index workflow_published_by_date on workflow (published_at) where is_published');
    this.addSql(
      'create index workflow_published_in_languages on workflow using gin (available_languages) where is_published',
    );
    // Accelerates searches for a part of the title. The search also works without the extension.
    this.addSql(`
      do $$ begin
        create extension if not exists pg_trgm;
        create index workflow_published_by_title on workflow using gin (market_title gin_trgm_ops) where is_published;
      exception when insufficient_privilege or undefined_file or feature_not_supported or undefined_object then
        raise notice 'pg_trgm is not available: searching titles reads all of them';
      end $$`);
    this.addSql(
      'create index workflow_run_examples on workflow_run (workflow_id, created_at desc, id desc) where use_in_marketplace_example',
    );
    this.addSql(
      'create unique index workflow_run_template on workflow_run (workflow_id) where use_as_marketplace_template',
    );
  }

  #fees(): void {
    // The terms under which a run was accepted. Later changes by the author do not affect them.
    this.addSql(`
      alter table workflow_run
        add market_workflow_id int null references workflow on delete set null,
        add run_fee int null,
        add free_runs int null`);
    this.addSql(
      'create index workflow_run_of_market on workflow_run (market_workflow_id) where market_workflow_id is not null',
    );
    // One row per user of a marketplace workflow: the copy, and the number of runs counted as free runs.
    this.addSql(`
      create table marketplace_use (
        workflow_id int not null references workflow on delete cascade,
        user_id int not null references app_user on delete cascade,
        copy_id int null references workflow on delete set null,
        copied_at timestamptz(3) null,
        counted_runs int not null default 0,
        primary key (workflow_id, user_id))`);
    this.addSql('create index marketplace_use_of_user on marketplace_use (user_id)');
    this.addSql('create index marketplace_use_of_copy on marketplace_use (copy_id) where copy_id is not null');
    // The author's side of a commission. The run's row in billing_transaction is the other side.
    this.addSql(`
      create table billing_credit (
        run_id uuid primary key,
        project_id int not null references project on delete cascade,
        workflow_id int null references workflow on delete set null,
        amount_usd numeric not null,
        created_at timestamptz(3) not null default now())`);
    this.addSql('create index billing_credit_of_project on billing_credit (project_id, created_at desc, run_id desc)');
    this.addSql('create index billing_credit_of_workflow on billing_credit (workflow_id)');
    this.addSql('alter table project add total_earned_usd numeric not null default 0');
  }

  #figures(): void {
    // Totals of the workflow's own runs, and of these and the runs of copies together (market_…). gone_… is the part of
    // the market totals whose runs were deleted with a project.
    this.addSql(`
      create table workflow_figures (
        workflow_id int primary key references workflow on delete cascade,
        is_published boolean not null default false,
        runs_count int not null default 0,
        duration_ms bigint not null default 0,
        total_cost_usd numeric not null default 0,
        last_run_id uuid null,
        last_run_at timestamptz(3) null,
        market_users_count int not null default 0,
        market_runs_count int not null default 0,
        market_cost_usd numeric not null default 0,
        market_last_run_at timestamptz(3) null,
        gone_runs_count int not null default 0,
        gone_cost_usd numeric not null default 0
      ) with (fillfactor = 70)`);
    this.addSql(
      'create index workflow_figures_by_cost on workflow_figures (market_cost_usd desc, workflow_id desc) where is_published',
    );
    this.addSql(
      'create index workflow_figures_by_run on workflow_figures (market_last_run_at desc nulls last, workflow_id desc) where is_published',
    );
    this.addSql(`
      insert into workflow_figures (workflow_id, is_published, runs_count, duration_ms, total_cost_usd, last_run_id,
                                    last_run_at, market_runs_count, market_cost_usd, market_last_run_at)
      select r.workflow_id, false, count(*),
             sum(greatest(round(extract(epoch from r.run_finished_at - r.run_started_at) * 1000), 0)),
             sum(r.cost_usd), (array_agg(r.id order by r.run_finished_at desc, r.id desc))[1], max(r.run_finished_at),
             count(*), sum(r.cost_usd), max(r.run_finished_at)
        from workflow_run r
       where r.workflow_id is not null and r.run_started_at is not null and r.run_finished_at is not null
       group by r.workflow_id`);
    this.addSql(`
      create function workflow_publication_counts() returns trigger language plpgsql as $$
      begin
        insert into workflow_figures (workflow_id, is_published) values (new.id, new.is_published)
        on conflict (workflow_id) do update set is_published = excluded.is_published;
        return null;
      end $$`);
    this.addSql(`
      create trigger workflow_made_published after insert on workflow for each row
      when (new.is_published) execute function workflow_publication_counts()`);
    this.addSql(`
      create trigger workflow_publication_changed after update of is_published on workflow for each row
      when (old.is_published is distinct from new.is_published) execute function workflow_publication_counts()`);
    // Totals of a marketplace workflow keep the runs of a project that is deleted.
    this.addSql(`
      create function project_leaves_figures() returns trigger language plpgsql as $$
      begin
        with gone as (
          select market_workflow_id as id, count(*)::int as runs, sum(cost_usd) as cost from workflow_run
           where project_id = old.id and market_workflow_id is not null
             and run_started_at is not null and run_finished_at is not null
           group by market_workflow_id),
        locked as (
          select workflow_id from workflow_figures where workflow_id in (select id from gone)
           order by workflow_id for no key update)
        update workflow_figures f
           set gone_runs_count = f.gone_runs_count + g.runs, gone_cost_usd = f.gone_cost_usd + g.cost
          from gone g join locked l on l.workflow_id = g.id where f.workflow_id = g.id;
        return old;
      end $$`);
    this.addSql(`
      create trigger project_leaves_figures before delete on project for each row
      execute function project_leaves_figures()`);
  }
}
