import type { TestService } from '../service.js';

/**
 * Creates the table `refusal` and the trigger function `refuse`, with which writes fail with the code, a SQLSTATE, in the table. While it
 * is empty, they succeed.
 */
export async function createRefusals({ sql }: Pick<TestService, 'sql'>): Promise<void> {
  await sql('create table refusal (code text)');
  await sql(`
    create function refuse() returns trigger language plpgsql as $$
    declare refused text := (select code from refusal limit 1);
    begin
      if refused is not null then raise exception 'refused by a test' using errcode = refused; end if;
      return null;
    end $$`);
}

/** Creates refusals of rows of the ledger. */
export async function createLedgerRefusals(service: Pick<TestService, 'sql'>): Promise<void> {
  await createRefusals(service);
  await service.sql(
    'create trigger refuse before insert on billing_transaction for each statement execute function refuse()',
  );
}
