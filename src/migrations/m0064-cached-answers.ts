import { Migration } from '@mikro-orm/migrations';

/** Answers of models, for nodes with `cache_seconds`. */
export class M0064CachedAnswers extends Migration {
  override up(): void {
    this.addSql(`
      create table cached_answer (
        project_id int not null constraint cached_answer_project_id_fkey references project on delete cascade,
        digest bytea not null,
        sealed_answer text not null,
        created_at timestamptz(3) not null default now(),
        expires_at timestamptz(3) not null,
        primary key (project_id, digest))`);
    this.addSql('create index cached_answer_expiry on cached_answer (expires_at)');
  }
}
