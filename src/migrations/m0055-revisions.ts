import { Migration } from '@mikro-orm/migrations';

/** Revisions get a number, an author, a name and a note; projects get drafts. */
export class M0055Revisions extends Migration {
  override up(): void {
    this.addSql('alter table project add uses_drafts boolean not null default false');
    this.addSql(`
      alter table workflow_revision
        add number int,
        add user_id int constraint workflow_revision_user_id_foreign references app_user on delete set null,
        add name text not null default '',
        add note text not null default ''`);
    this.addSql(`
      update workflow_revision v set number = n.number
        from (select id, row_number() over (partition by workflow_id order by id) as number
                from workflow_revision where workflow_id is not null) n
       where n.id = v.id`);
    this.addSql(
      'alter table workflow_revision add constraint workflow_revision_number_key unique (workflow_id, number)',
    );
    this.addSql('drop index workflow_revision_workflow_id_index');
    this.addSql('create index workflow_revision_user_id_index on workflow_revision (user_id)');
    this.addSql(`alter table workflow add published_revision_id int null
      constraint workflow_published_revision_id_foreign references workflow_revision on delete set null`);
    this.addSql('create index workflow_published_revision_id_index on workflow (published_revision_id)');
    this.addSql(`
      create table workflow_publication (
        id serial primary key,
        workflow_id int not null constraint workflow_publication_workflow_id_fkey references workflow on delete cascade,
        revision_id int not null
          constraint workflow_publication_revision_id_fkey references workflow_revision on delete cascade,
        user_id int constraint workflow_publication_user_id_fkey references app_user on delete set null,
        note text not null default '',
        created_at timestamptz(3) not null default now())`);
    this.addSql('create index workflow_publication_of_workflow on workflow_publication (workflow_id, id)');
    this.addSql('create index workflow_publication_of_revision on workflow_publication (revision_id)');
    this.addSql('create index workflow_publication_of_user on workflow_publication (user_id)');
  }
}
