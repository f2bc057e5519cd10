import { Migration } from '@mikro-orm/migrations';

export class M0007People extends Migration {
  override up(): void {
    // The service never created a second owner. If other software did, the earliest one stays.
    this.addSql(`
      update project_member m set role = 'admin'
       where role = 'owner' and exists (
         select 1 from project_member o where o.project_id = m.project_id and o.role = 'owner' and o.id < m.id)`);
    this.addSql(`create unique index project_member_one_owner on project_member (project_id) where role = 'owner'`);
    this.addSql('create index api_key_user_id_index on api_key (user_id)');

    // A session is a family of refresh tokens in a chain, with at most one unspent token.
    this.addSql(`
      create table user_session (
        id uuid primary key,
        user_id int not null references app_user on delete cascade,
        created_at timestamptz(3) not null default now(),
        expires_at timestamptz(3) not null,
        ended_at timestamptz(3) null)`);
    this.addSql('create index user_session_of_user on user_session (user_id)');
    this.addSql('create index user_session_by_expiry on user_session (expires_at)');
    this.addSql(`
      create table refresh_token (
        hash bytea primary key,
        session_id uuid not null references user_session on delete cascade,
        expires_at timestamptz(3) not null,
        spent_at timestamptz(3) null)`);
    this.addSql('create index refresh_token_of_session on refresh_token (session_id)');

    // Emails are hashed, because people type passwords into the wrong field.
    this.addSql(`
      create table login_brake (
        email_hash bytea primary key,
        attempts int not null,
        window_ends_at timestamptz(3) not null)`);
    this.addSql('create index login_brake_by_end on login_brake (window_ends_at)');

    // No foreign keys: audit entries outlive the rows that they refer to.
    this.addSql(`
      create table audit_entry (
        id uuid primary key,
        created_at timestamptz(3) not null default now(),
        action text not null,
        user_id int null,
        user_email text null,
        via text not null,
        address text null,
        object_type text not null,
        object_id text not null,
        project_id int null,
        detail json not null)`);
    this.addSql('create index audit_entry_by_time on audit_entry (created_at desc, id desc)');
    this.addSql('create index audit_entry_of_project on audit_entry (project_id, created_at desc, id desc)');
  }
}
