import { expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import {
  accept,
  complete,
  ledgerService,
  metric,
  REFUSED,
  refuse,
  spooled,
  startLedgerServices,
  WAITING,
  written,
} from './ledger-service.js';

startLedgerServices();

it('counts an answer as spent by the key, and keeps no reservation, once it is written', async () => {
  const { key } = await ledgerService().createUser('payer');
  const id = (await ledgerService().sql('select id from api_key order by id desc limit 1'))[0]?.id;
  await ledgerService().sql('update api_key set budget_usd = 1 where id = $1', [id]);
  await refuse('57014');
  await complete(3, key);
  await spooled();
  await accept();
  await written(3);
  expect(
    await ledgerService().sql(
      'select spent_usd::float as spent, reserved_usd::float as reserved from api_key where id = $1',
      [id],
    ),
  ).toEqual([{ spent: 0.00135, reserved: 0 }]);
}, 120_000);

it('sets aside what the database refuses permanently, and writes the rest', async () => {
  await refuse('22003');
  await complete(1);
  await eventually(
    () => metric(REFUSED),
    bytes => bytes > 0,
  );
  await eventually(
    () => metric('scenarium_ledger_waiting'),
    entries => entries === 0,
  );
  await eventually(
    () => metric(WAITING),
    bytes => bytes === 0,
  );
  await accept();
  await complete(1);
  await written(1);
  await eventually(
    () => metric(WAITING),
    bytes => bytes === 0,
  );
}, 120_000);

it('writes nothing a second time when the answer of the database was lost', async () => {
  await complete(1);
  await written(1);
  const locker = `begin; lock table billing_transaction in exclusive mode; select pg_sleep(2); commit`;
  const locked = ledgerService().sql(locker);
  await eventually(
    () =>
      ledgerService().sql(
        `select 1 from pg_locks where relation = 'billing_transaction'::regclass and mode = 'ExclusiveLock'`,
      ),
    found => found.length > 0,
  );
  await complete(5);
  await spooled();
  await locked;
  await written(6);
  await eventually(
    () => metric(WAITING),
    bytes => bytes === 0,
  );
  await written(6);
}, 120_000);
