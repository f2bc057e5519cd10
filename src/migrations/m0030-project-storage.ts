import { Migration } from '@mikro-orm/migrations';

/** Tables of stored files. Each row has a size and belongs to a project. */
const FILES = ['document', 'scenario_run_file'];

export class M0030ProjectStorage extends Migration {
  override up(): void {
    // limit_bytes null: the configured default. Each change of the project's files locks the row, so that concurrent
    // uploads see each other.
    this.addSql(`
      create table project_storage (
        project_id int primary key references project on delete cascade,
        used_bytes bigint not null default 0,
        limit_bytes bigint null) with (fillfactor = 50)`);

    // A run may be deleted before its files, so the files reference their project directly.
    this.addSql('alter table scenario_run_file add project_id int null');
    this.addSql(`
      update scenario_run_file f set project_id = r.project_id from scenario_run r where r.id = f.run_id`);
    this.addSql(`
      create function scenario_run_file_of_project() returns trigger language plpgsql as $$
      begin
        new.project_id := coalesce(new.project_id, (select project_id from scenario_run where id = new.run_id));
        return new;
      end $$`);
    this.addSql(`
      create trigger scenario_run_file_of_project before insert on scenario_run_file
        for each row execute function scenario_run_file_of_project()`);

    this.addSql(`
      create function project_storage_grows() returns trigger language plpgsql as $$
      begin
        insert into project_storage as s (project_id, used_bytes)
        select project_id, sum(size) from added where project_id is not null group by project_id order by project_id
        on conflict (project_id) do update set used_bytes = s.used_bytes + excluded.used_bytes;
        return null;
      end $$`);
    this.addSql(`
      create function project_storage_shrinks() returns trigger language plpgsql as $$
      begin
        update project_storage s set used_bytes = s.used_bytes - g.bytes
          from (select project_id, sum(size) as bytes from gone group by project_id) g where s.project_id = g.project_id;
        return null;
      end $$`);
    this.addSql(`
      create function project_storage_changes() returns trigger language plpgsql as $$
      begin
        insert into project_storage as s (project_id, used_bytes) values (new.project_id, new.size)
        on conflict (project_id) do update set used_bytes = s.used_bytes + new.size - old.size;
        return null;
      end $$`);
    for (const table of FILES) {
      this.addSql(`
        create trigger ${table}_stored after insert on ${table} referencing new table as added
          for each statement execute function project_storage_grows()`);
      this.addSql(`
        create trigger ${table}_unstored after delete on ${table} referencing old table as gone
          for each statement execute function project_storage_shrinks()`);
    }
    this.addSql(`
      create trigger document_resized after update of size on document for each row
        when (old.size <> new.size) execute function project_storage_changes()`);

    // The triggers lock the tables until the commit, so no write can occur between them and this count.
    this.addSql(`
      insert into project_storage (project_id, used_bytes)
      select project_id, sum(size) from (
        select project_id, size from document
        union all select project_id, size from scenario_run_file where project_id is not null) f
       group by project_id`);
  }
}
