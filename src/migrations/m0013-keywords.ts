import { Migration } from '@mikro-orm/migrations';

export class M0013Keywords extends Migration {
  override up(): void {
    // billing_id identifies the run in the ledger, the queue and reservations, whose runs have UUIDs.
    this.addSql(`
      create table keyword_run (
        id serial primary key,
        billing_id uuid not null default gen_random_uuid() constraint keyword_run_billing_id_unique unique,
        project_id int not null references project on delete cascade,
        user_id int null references app_user on delete set null,
        topic text not null default '',
        url text not null default '',
        preset int not null,
        do_clusterize boolean not null default false,
        status text not null default 'created' check (status in ('created', 'in_progress', 'finished', 'error')),
        error text null,
        cost_usd numeric not null default 0,
        found json not null default '[]',
        attempts int not null default 0,
        lease_token bigint not null default 0,
        lease_until timestamptz(3) null,
        queued_at timestamptz(3) not null default now(),
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        started_at timestamptz(3) null,
        finished_at timestamptz(3) null)`);
    this.addSql('create index keyword_run_of_project on keyword_run (project_id, created_at desc, id desc)');
    this.addSql('create index keyword_run_of_user on keyword_run (user_id)');
    this.addSql(
      `create index keyword_run_alive on keyword_run (status, lease_until, queued_at) where status in ('created', 'in_progress')`,
    );
    this.addSql(`
      create table keyword_cluster (
        id serial primary key,
        run_id int not null references keyword_run on delete cascade,
        name text not null,
        position int not null)`);
    this.addSql('create index keyword_cluster_of_run on keyword_cluster (run_id, position)');
    this.addSql(`
      create table keyword (
        id serial primary key,
        project_id int not null references project on delete cascade,
        keywordrun_id int null references keyword_run on delete cascade,
        keyword_cluster_id int null references keyword_cluster on delete set null,
        name text not null,
        volume int null,
        competitor_url text not null default '',
        mode text not null default '',
        is_enabled boolean not null default true,
        rank int null,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now())`);
    this.addSql('create index keyword_of_project on keyword (project_id, created_at desc, id)');
    this.addSql('create index keyword_of_run on keyword (keywordrun_id)');
    this.addSql('create index keyword_of_cluster on keyword (keyword_cluster_id)');

    // Until now there were no runs that a variable could refer to.
    this.addSql('update variable set keywordrun_id = null where keywordrun_id is not null');
    this.addSql(`
      alter table variable add constraint variable_of_keyword_run
        foreign key (keywordrun_id) references keyword_run on delete set null`);
    this.addSql('create index variable_of_keyword_run on variable (keywordrun_id) where keywordrun_id is not null');
  }
}
