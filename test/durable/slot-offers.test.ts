import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { RemoteSlots } from '../../src/durable/assignment/remote-slots.js';
import {
  ASSIGNMENT_CHANNEL_PREFIX,
  parseOffer,
  SLOT_CHANNEL,
  SLOT_REQUEST,
} from '../../src/durable/assignment/slot-messages.js';
import { SlotOffers } from '../../src/durable/assignment/slot-offers.js';
import type { Database } from '../../src/platform/database/database.js';
import { createLog } from '../../src/platform/logging/log.js';
import { Bus } from '../../src/platform/messaging/bus.js';
import { ADVISORY_LOCKS } from '../../src/platform/sql/advisory-locks.js';
import { openDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

const log = createLog('silent');
let database: Database;
/** The connection of a process that accepts runs. */
let apiBus: Bus;
/** The connection of a worker. */
let workerBus: Bus;
beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database?.close());

let offers: SlotOffers<{ id: string }>;
let slots: RemoteSlots;
let started: string[];
let missed: string[];
let slotsToOffer: number;
/** The numbers of slots in the offers. */
let offered: number[];
beforeEach(async () => {
  [started, missed, slotsToOffer, offered] = [[], [], 4, []];
  [apiBus, workerBus] = [new Bus(database.url, log), new Bus(database.url, log, 'scenarium worker')];
  await Promise.all([apiBus.start(), workerBus.start()]);
  slots = new RemoteSlots(database, apiBus, log);
  offers = new SlotOffers({
    ...{ database, bus: workerBus, log },
    source: {
      get slotsToOffer() {
        return slotsToOffer;
      },
      startAssigned: ({ id }) => void started.push(id),
    },
    reader: {
      read: async ids => ids.filter(id => id !== 'taken over').map(id => ({ id })),
      findIds: async () => missed,
    },
  });
  offers.start();
});
afterEach(async () => {
  slots.stop();
  await offers.stop();
  await Promise.all([apiBus.stop(), workerBus.stop()]);
});

const notify = (channel: string, message: string) => database.query('select pg_notify($1, $2)', [channel, message]);
/** A worker that has lost its connection meanwhile, on a busy machine, finds the runs. */
const assign = (...ids: string[]) => {
  missed.push(...ids);
  return notify(`${ASSIGNMENT_CHANNEL_PREFIX}${offers.workerId}`, ids.join(','));
};
const awaitOffer = (isOffered = true) =>
  eventually(
    async () => slots.startsSoon,
    startsSoon => startsSoon === isOffered,
  );
const awaitStarts = (count: number) =>
  eventually(
    async () => started,
    ids => ids.length >= count,
  );

/** Sends one request and records the offers. */
async function requestOnce(): Promise<void> {
  await eventually(
    async () => workerBus.holdsLock,
    isHeld => isHeld,
  );
  await apiBus.listen(
    SLOT_CHANNEL,
    message => {
      const offer = parseOffer(message);
      if (offer) offered.push(offer.slots);
    },
    () => {},
  );
  // Statements of a connection are sequential: the worker listens now.
  await (
    await workerBus.listen(
      'other',
      () => {},
      () => {},
    )
  ).close();
  await notify(SLOT_CHANNEL, SLOT_REQUEST);
}

const awaitOffers = (count: number) =>
  eventually(
    async () => offered,
    all => all.length === count,
  );

it('a worker offers slots on request, and starts each assigned run once', async () => {
  slots.start();
  await awaitOffer();
  expect(slots.reserveSlots(3)).toMatchObject({ count: 3, workerId: offers.workerId });
  await assign('a', 'taken over', 'b');
  await assign('a');
  await assign('c');
  expect(await awaitStarts(3)).toEqual(['a', 'b', 'c']);
});

it('a worker starts a run whose notification arrives together with one of a known run', async () => {
  slots.start();
  await awaitOffer();
  await assign('a');
  await awaitStarts(1);
  // The notifications of one transaction arrive in one piece.
  const channel = `${ASSIGNMENT_CHANNEL_PREFIX}${offers.workerId}`;
  await database.query(`select pg_notify($1, id) from unnest(array['a', 'b']) as id`, [channel]);
  expect(await awaitStarts(2)).toEqual(['a', 'b']);
});

it('an offer of four slots is renewed after two runs, without a request', async () => {
  await requestOnce();
  expect(await awaitOffers(1)).toEqual([4]);
  await assign('a');
  await awaitStarts(1);
  expect(offered).toEqual([4]);
  slotsToOffer = 8;
  await assign('b');
  expect(await awaitOffers(2)).toEqual([4, 8]);
});

it('an offer is withdrawn when a worker has no free slots any more', async () => {
  await requestOnce();
  await awaitOffers(1);
  slotsToOffer = 0;
  await assign('a', 'b');
  expect(await awaitOffers(2)).toEqual([4, 0]);
  // Without an offer there is nothing to withdraw.
  offers.withdraw();
  slotsToOffer = 4;
  await eventually(
    async () => notify(SLOT_CHANNEL, SLOT_REQUEST).then(() => offered.length),
    count => count > 2,
  );
  expect(offered).toEqual([4, 0, 4]);
});

it('an offer expires', async () => {
  slots.start();
  await awaitOffer();
  // The requests go to a worker that is suspended.
  await (
    await workerBus.listen(
      SLOT_CHANNEL,
      () => {},
      () => {},
    )
  ).close();
  await awaitOffer(false);
  expect(slots.reserveSlots(1)).toBeUndefined();
});

it('a worker that stops waits for insertions in progress and starts their runs', async () => {
  slots.start();
  await awaitOffer();
  let stopping: Promise<void> | undefined;
  await database.transaction(async sql => {
    await sql.query('select pg_advisory_xact_lock_shared($1, $2)', [ADVISORY_LOCKS.assignment, offers.workerId]);
    stopping = offers.stop();
    const isHeld = () =>
      sql.query(
        `select 1 from pg_locks l join pg_database d on d.oid = l.database
          where d.datname = current_database() and l.locktype = 'advisory' and l.classid = $1`,
        [ADVISORY_LOCKS.worker],
      );
    await eventually(isHeld, rows => rows.length === 0);
    missed = ['late'];
  });
  await stopping;
  expect(started).toEqual(['late']);
});

it('a worker starts the runs whose notifications it missed', async () => {
  await assign('known');
  await eventually(
    () => assign('known').then(async () => started.length),
    count => count === 1,
  );
  missed.push('missed');
  await database.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'scenarium worker' and datname = current_database()`);
  expect(await awaitStarts(2)).toEqual(['known', 'missed']);
  await eventually(
    async () => workerBus.holdsLock,
    isHeld => isHeld,
  );
});
