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

let offers: SlotOffers<{ id: string }, { id: string }>;
let slots: RemoteSlots;
let started: string[];
let missed: string[];
/** Ids of the runs that the worker has read. */
let reads: string[];
/** Ages of the restored runs, by id. */
let ages: Record<string, number>;
let slotsToOffer: number;
/** The numbers of slots in the offers. */
let offered: number[];
beforeEach(async () => {
  [started, missed, reads, ages, slotsToOffer, offered] = [[], [], [], {}, 4, []];
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
      read: async ids => {
        reads.push(...ids);
        return ids.filter(id => id !== 'taken over').map(id => ({ id }));
      },
      restore: ({ id }, ageMs) => {
        ages[id] = ageMs;
        return id === 'unreadable' ? undefined : { id };
      },
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
const notifyWorker = (messages: readonly string[]) =>
  database.query('select pg_notify($1, message) from unnest($2::text[]) as message', [
    `${ASSIGNMENT_CHANNEL_PREFIX}${offers.workerId}`,
    messages,
  ]);
/** Assigns runs that the worker has to read. If it has lost its connection meanwhile, on a busy machine, it finds them. */
const assign = (...ids: string[]) => {
  missed.push(...ids);
  return notifyWorker(ids);
};
/** Assigns a run with its columns. */
const assignWhole = (id: string, offeredAt?: number) => {
  missed.push(id);
  return notifyWorker([JSON.stringify({ id, offeredAt })]);
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
  expect(slots.reserveSlots(3)).toMatchObject({ count: 3, offer: { workerId: offers.workerId } });
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
  await assign('a', 'b');
  expect(await awaitStarts(2)).toEqual(['a', 'b']);
});

it('a worker does not read a run whose notification contains it, and its age counts from the offer', async () => {
  slots.start();
  await awaitOffer();
  const { offer } = slots.reserveSlots(1)!;
  expect(offer).toEqual({ workerId: offers.workerId, offeredAt: expect.any(Number) });
  // The worker of this test has the same clock.
  expect(offer!.offeredAt).toBeLessThanOrEqual(performance.now());
  await assignWhole('whole', offer!.offeredAt);
  await assignWhole('unreadable', offer!.offeredAt);
  await assignWhole('whole', offer!.offeredAt);
  expect(await awaitStarts(1)).toEqual(['whole']);
  expect(reads).toEqual([]);
  expect(ages).toEqual({ whole: expect.any(Number), unreadable: expect.any(Number) });
  expect(ages.whole).toBeGreaterThan(0);
});

it('a worker reads a run whose offer is old or not its own, and ignores a malformed message', async () => {
  slots.start();
  await awaitOffer();
  await notifyWorker(['{"id":']);
  await assignWhole('late', performance.now() - 5_001);
  await assignWhole('future', performance.now() + 60_000);
  await assignWhole('unknown');
  await awaitStarts(3);
  expect(started.toSorted()).toEqual(['future', 'late', 'unknown']);
  expect(reads.toSorted()).toEqual(['future', 'late', 'unknown']);
  expect(ages).toEqual({});
});

it('runs whose notifications contain them use up an offer, too', async () => {
  await requestOnce();
  expect(await awaitOffers(1)).toEqual([4]);
  await assignWhole('a', performance.now() - 1_000);
  await assignWhole('b', performance.now() - 1_000);
  expect(await awaitOffers(2)).toEqual([4, 4]);
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
