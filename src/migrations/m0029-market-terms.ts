import { Migration } from '@mikro-orm/migrations';

export class M0029MarketTerms extends Migration {
  override up(): void {
    // The terms that the user of a marketplace copy accepted. Copies, their duplicates and equal graphs reference them.
    // They outlive the copy and its project, so that deleting either does not end the terms.
    this.addSql(`
      create table market_terms (
        id serial primary key,
        workflow_id int not null references workflow on delete cascade,
        user_id int null references app_user on delete set null,
        project_id int null references project on delete set null,
        fingerprint text null,
        run_fee int not null,
        free_runs int not null,
        accepted_at timestamptz(3) not null default now())`);
    this.addSql('create index market_terms_of_workflow on market_terms (workflow_id)');
    this.addSql('create index market_terms_of_user on market_terms (user_id)');
    this.addSql('create index market_terms_of_project on market_terms (project_id)');
    this.addSql('create index market_terms_of_graph on market_terms (fingerprint) where fingerprint is not null');
    this.addSql('alter table workflow add market_terms_id int null references market_terms on delete set null');
    this.addSql(
      'create index workflow_of_market_terms on workflow (market_terms_id) where market_terms_id is not null',
    );
    this.addSql(
      'alter table workflow_revision add market_terms_id int null references market_terms on delete set null',
    );
    this.addSql(
      'create index workflow_revision_of_market_terms on workflow_revision (market_terms_id) where market_terms_id is not null',
    );
    // Existing copies keep the current terms of their author.
    this.addSql(`
      with made as materialized (
        select nextval('market_terms_id_seq')::int as id, c.id as copy_id, c.created_by_id, c.project_id,
               m.id as workflow_id, m.run_fee, m.free_runs_per_user
          from workflow c join workflow m on m.id = c.copied_from_id),
      kept as (
        insert into market_terms (id, workflow_id, user_id, project_id, run_fee, free_runs)
        select id, workflow_id, created_by_id, project_id, run_fee, free_runs_per_user from made)
      update workflow w set market_terms_id = made.id from made where w.id = made.copy_id`);
  }
}
