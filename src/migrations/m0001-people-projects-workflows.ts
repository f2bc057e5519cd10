import { Migration } from '@mikro-orm/migrations';

export class M0001PeopleProjectsWorkflows extends Migration {
  override up(): void {
    this.addSql(`
      create table app_user (
        id serial primary key,
        email text not null constraint app_user_email_unique unique,
        name text not null default '',
        password_hash text null,
        is_admin boolean not null default false,
        is_api_allowed boolean not null default false,
        created_at timestamptz(3) not null default now())`);
    this.addSql(`
      create table api_key (
        id serial primary key,
        user_id int not null constraint api_key_user_id_foreign references app_user on delete cascade,
        name text not null,
        prefix text not null,
        hash bytea not null constraint api_key_hash_unique unique,
        rate_limit int null,
        created_at timestamptz(3) not null default now(),
        last_used_at timestamptz(3) null,
        expires_at timestamptz(3) null)`);
    this.addSql(`
      create table project (
        id serial primary key,
        name text not null,
        webhook_url text not null default '',
        is_webhook_enabled boolean not null default false,
        stopwords text[] not null default '{}',
        total_spent_usd numeric not null default 0,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now())`);
    this.addSql(`
      create table project_member (
        id serial primary key,
        project_id int not null constraint project_member_project_id_foreign references project on delete cascade,
        user_id int not null constraint project_member_user_id_foreign references app_user on delete cascade,
        role text not null constraint project_member_role_check check (role in ('viewer', 'editor', 'admin', 'owner')),
        created_at timestamptz(3) not null default now(),
        constraint project_member_user_id_project_id_unique unique (user_id, project_id))`);
    this.addSql('create index project_member_project_id_index on project_member (project_id)');
    this.addSql(`
      create table workflow (
        id serial primary key,
        project_id int not null constraint workflow_project_id_foreign references project on delete cascade,
        created_by_id int null constraint workflow_created_by_id_foreign references app_user on delete set null,
        title text not null,
        sort_id int not null,
        market_title text not null default '',
        short_description text not null default '',
        readme_guide text not null default '',
        available_languages text[] not null default '{}',
        run_fee int not null default 0,
        free_runs_per_user int not null default 0,
        category_id int null,
        subcategory_id int null,
        slug text null constraint workflow_slug_unique unique,
        is_published boolean not null default false,
        copied_from_id int null constraint workflow_copied_from_id_foreign references workflow on delete set null,
        archived_at timestamptz(3) null,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now())`);
    this.addSql('create index workflow_project_id_sort_id_index on workflow (project_id, sort_id)');
    this.addSql('create index workflow_copied_from_id_index on workflow (copied_from_id)');
    this.addSql('create index workflow_created_by_id_index on workflow (created_by_id)');
    // Revisions are immutable; a run references the one it used. `data` contains masks, `sealed_secrets` the values.
    // The type is json, not jsonb, because no query searches in it and members must keep their order.
    this.addSql(`
      create table workflow_revision (
        id serial primary key,
        project_id int not null constraint workflow_revision_project_id_foreign references project on delete cascade,
        workflow_id int null constraint workflow_revision_workflow_id_foreign references workflow on delete cascade,
        data json not null,
        sealed_secrets text null,
        created_at timestamptz(3) not null default now())`);
    this.addSql('create index workflow_revision_workflow_id_index on workflow_revision (workflow_id)');
    this.addSql('create index workflow_revision_project_id_index on workflow_revision (project_id)');
    this.addSql(`alter table workflow add revision_id int null
      constraint workflow_revision_id_foreign references workflow_revision on delete set null`);
    this.addSql('create index workflow_revision_id_index on workflow (revision_id)');
  }
}
