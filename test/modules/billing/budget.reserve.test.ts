import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PortError } from '../../../src/engine/ports.js';
import { Budget } from '../../../src/modules/billing/budgets/budget.js';
import type { Database } from '../../../src/platform/database/database.js';
import { openDatabase } from '../../support/database.js';
import { awaitLock } from '../../support/transactions/held-transaction.js';

let database: Database;
let budget: Budget;
beforeAll(async () => {
  database = await openDatabase();
  budget = new Budget(database);
});
afterAll(() => database.close());

async function project(limitUsd: string | null): Promise<number> {
  const [row] = await database.query<{ id: number }>(
    `insert into project (name, budget_usd) values ('p', $1) returning id`,
    [limitUsd],
  );
  return row!.id;
}

async function reservedOf(id: number): Promise<{ counter: number; rows: number }> {
  const [row] = await database.query<{ counter: string; rows: string }>(
    `select reserved_usd as counter, (select coalesce(sum(amount_usd), 0) from budget_reservation where project_id = p.id) as rows
       from project p where id = $1`,
    [id],
  );
  return { counter: Number(row!.counter), rows: Number(row!.rows) };
}

/** The reservation’s id; undefined when it was refused. */
const attempt = (id: number, usd: string, holder: string = randomUUID()) =>
  budget.reserve(id, holder, usd).catch(error => {
    expect(error).toBeInstanceOf(PortError);
    const message = 'The remaining spending limit of the project does not cover this call.';
    expect(error).toMatchObject({ code: 'budget_exceeded', isFinal: true, message });
    return undefined;
  });

it('never reserves more than the limit for simultaneous callers, and returns to zero', async () => {
  const whole = fc.integer({ min: 1, max: 40 });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 200 }),
      fc.array(whole, { minLength: 1, maxLength: 30 }),
      async (limit, amounts) => {
        const id = await project(String(limit));
        const ids = await Promise.all(amounts.map(amount => attempt(id, String(amount))));
        const granted = amounts.filter((_, index) => ids[index] !== undefined).reduce((sum, amount) => sum + amount, 0);
        expect(granted).toBeLessThanOrEqual(limit);
        expect(await reservedOf(id)).toEqual({ counter: granted, rows: granted });
        // Half of the callers release twice.
        const back = ids.flatMap((each, index) => (each ? (index % 2 ? [each] : [each, each]) : []));
        await Promise.all(back.map(each => budget.release(each)));
        expect(await reservedOf(id)).toEqual({ counter: 0, rows: 0 });
      },
    ),
    // Not shrunk, because the interleaving of simultaneous callers is rarely reproduced.
    { numRuns: 25, endOnFailure: true },
  );
});

it('grants exactly as many equal amounts as fit', async () => {
  const id = await project('0.3');
  const ids = await Promise.all(Array.from({ length: 20 }, () => attempt(id, '0.1')));
  expect(ids.filter(each => each !== undefined)).toHaveLength(3);
});

it('reserves nothing without a limit, for an amount of zero, and in a deleted project', async () => {
  expect(await attempt(await project(null), '5')).toBeNull();
  expect(await attempt(await project('0'), '0')).toBeNull();
  expect(await attempt(2_000_000_000, '5')).toBeNull();
});

it('refuses no caller because a limit is removed at the same moment', async () => {
  const id = await project('1');
  const lifting = database.transaction(async sql => {
    await sql.query('update project set budget_usd = null where id = $1', [id]);
    const waiting = attempt(id, '1');
    await awaitLock(sql => database.query(sql));
    return { waiting };
  });
  expect(await (await lifting).waiting).not.toBeUndefined();
});

it('drops expired reservations, except those of runs in progress', async () => {
  const id = await project('10');
  const run = randomUUID();
  await database.query(`insert into workflow_revision (id, project_id, data) values (1, $1, '{}')`, [id]);
  await database.query(`insert into workflow_run (id, project_id, revision_id, state) values ($1, $2, 1, 'running')`, [
    run,
    id,
  ]);
  await attempt(id, '1', run);
  await attempt(id, '2');
  await database.query(`update budget_reservation set expires_at = now() - interval '1 second'`);
  await attempt(id, '4');
  await Promise.all([budget.expire(), budget.expire()]);
  expect(await reservedOf(id)).toEqual({ counter: 5, rows: 5 });
  await database.query(`update workflow_run set state = 'failed' where id = $1`, [run]);
  await budget.expire();
  expect(await reservedOf(id)).toEqual({ counter: 4, rows: 4 });
});

it('replaces the reservation of a holder by its known cost, whether that fits the limit or not', async () => {
  const id = await project('1');
  const holder = randomUUID();
  await attempt(id, '0.4', holder);
  await attempt(id, '0.1');
  expect(await budget.replace(id, holder, ['0.7', '0.8'])).toHaveLength(2);
  expect((await reservedOf(id)).counter).toBeCloseTo(1.6);
  expect(await attempt(id, '0.01')).toBeUndefined();
  await budget.replace(id, holder, []);
  expect((await reservedOf(id)).counter).toBeCloseTo(0.1);
});

it('is exhausted when the ledger has reached the limit, and never without a limit', async () => {
  const spentOf = async (limitUsd: string | null, spentUsd: string) => {
    const id = await project(limitUsd);
    await database.query('update project set total_spent_usd = $2 where id = $1', [id, spentUsd]);
    return budget.isSpent(id);
  };
  expect(await spentOf('1', '0.99')).toBe(false);
  expect(await spentOf('1', '1')).toBe(true);
  expect(await spentOf('1', '1.01')).toBe(true);
  expect(await spentOf('0', '0')).toBe(true);
  expect(await spentOf(null, '5')).toBe(false);
  expect(await budget.isSpent(2_000_000_000)).toBe(false);
});

it('reserves nothing for a run that another worker has taken over', async () => {
  const id = await project('1');
  const [run] = await database.query<{ holder: string }>(
    `insert into keyword_run (project_id, topic, preset, status, lease_token)
     values ($1, 'tea', 1, 'in_progress', 2) returning billing_id as holder`,
    [id],
  );
  await expect(budget.reserve(id, run!.holder, '0.1', 1)).rejects.toMatchObject({ code: 'lease_lost', isFinal: true });
  expect(await reservedOf(id)).toEqual({ counter: 0, rows: 0 });
  expect(await budget.reserve(id, run!.holder, '0.1', 2)).not.toBeNull();
  expect(await reservedOf(id)).toEqual({ counter: 0.1, rows: 0.1 });
});
