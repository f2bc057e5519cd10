import { Migration } from '@mikro-orm/migrations';

export class M0023Uploads extends Migration {
  override up(): void {
    // The documents of an upload with an idempotency key, by the id reserved for the key. Concurrent retries in any
    // process create them once. `place` is the position of the file in the upload, from 1.
    this.addSql(`
      create table document_upload (
        id uuid not null,
        place smallint not null,
        document_id int not null unique references document on delete cascade,
        primary key (id, place)
      )`);
  }
}
