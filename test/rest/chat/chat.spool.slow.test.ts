import { describe, expect, it } from '@jest/globals';
import { cli } from '../../cli/entry.js';
import { testEnvironment } from '../../support/config.js';
import { eventually } from '../../support/eventually.js';
import {
  accept,
  complete,
  ledgerService,
  metric,
  refuse,
  restart,
  rows,
  spooled,
  startLedgerServices,
  WAITING,
  written,
} from './ledger-service.js';

startLedgerServices();

describe.each([
  ['a server that takes no writes', '25006'],
  ['a statement timeout', '57014'],
  ['a lock timeout', '55P03'],
])('%s (%s)', (_what, code) => {
  it('keeps paid answers and writes them when the database accepts them', async () => {
    await complete(1);
    await written(1);
    await refuse(code);
    await complete(20);
    await spooled();
    expect((await rows()).rows).toBe(1);
    await accept();
    await written(21);
    await eventually(
      () => metric(WAITING),
      bytes => bytes === 0,
    );
    expect(await metric('scenarium_ledger_spool_oldest_seconds')).toBe(0);
  }, 120_000);
});

it('keeps paid answers over a restart', async () => {
  await refuse('25006');
  await complete(20);
  await restart();
  expect((await rows()).rows).toBe(0);
  await complete(1);
  await accept();
  await written(21);
}, 120_000);

it('reconcile reports answers that are not on the ledger', async () => {
  await complete(20);
  await written(20);
  await restart();
  const environment = testEnvironment(ledgerService().database);
  expect(await cli(['reconcile'], environment)).toMatchObject({ code: 0 });
  await ledgerService().sql(`delete from billing_transaction`);
  await ledgerService().sql('update api_key set spent_usd = 0');
  await ledgerService().sql('update app_user set service_spent_usd = 0');
  expect(await cli(['reconcile'], environment)).toMatchObject({
    code: 1,
    stdout: 'chat completions of openai/gpt-4o-mini on the ledger: is 0, should be 20\n',
  });
}, 120_000);
