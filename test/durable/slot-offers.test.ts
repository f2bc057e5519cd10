import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { OfferedSlots } from '../../src/durable/assignment/offered-slots.js';
import { assignmentChannel } from '../../src/durable/assignment/slot-messages.js';
import { SlotOffers } from '../../src/durable/assignment/slot-offers.js';
import type { Database } from '../../src/platform/database/database.js';
import { createLog } from '../../src/platform/logging/log.js';
import { Bus } from '../../src/platform/messaging/bus.js';
import { openDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

const log = createLog('silent');
let database: Database;
/** The buses of a process that accepts runs and of a worker. */
let apiBus: Bus;
let workerBus: Bus;
beforeAll(async () => {
  database = await openDatabase();
  [apiBus, workerBus] = [new Bus(database.url, log), new Bus(database.url, log, 'scenarium worker')];
  await Promise.all([apiBus.start(), workerBus.start()]);
});
afterAll(async () => {
  await Promise.all([apiBus?.stop(), workerBus?.stop()]);
  await database?.close();
});

let started: string[];
let missed: string[];
let slotsToOffer: number;
beforeEach(() => {
  [started, missed, slotsToOffer] = [[], [], 4];
});

function createOffers(): SlotOffers<{ id: string }> {
  return new SlotOffers({
    ...{ database, bus: workerBus, log },
    source: {
      get slotsToOffer() {
        return slotsToOffer;
      },
      startAssigned: ({ id }) => void started.push(id),
    },
    runs: {
      read: async ids => ids.filter(id => id !== 'taken over').map(id => ({ id })),
      findIds: async () => missed,
    },
  });
}

/** Starts a worker and a process that uses its slots, and waits for the first offer. */
async function offer() {
  const offers = createOffers();
  const slots = new OfferedSlots(database, apiBus, log);
  offers.start();
  await slots.start();
  await eventually(
    async () => slots.startsSoon,
    isOffered => isOffered,
  );
  const assign = (...ids: string[]) =>
    database.query('select pg_notify($1, $2)', [assignmentChannel(offers.workerId), ids.join(',')]);
  const stop = async () => {
    slots.stop();
    await offers.stop();
  };
  return { offers, slots, assign, stop };
}

const awaitStarts = (count: number) =>
  eventually(
    async () => started,
    ids => ids.length >= count,
  );

it('a worker offers slots on request, and starts each run once', async () => {
  const { offers, slots, assign, stop } = await offer();
  expect(slots.reserveSlots(3)).toMatchObject({ count: 3, workerId: offers.workerId });
  await assign('a', 'taken over', 'b');
  await assign('a');
  await assign('c');
  expect(await awaitStarts(3)).toEqual(['a', 'b', 'c']);
  await stop();
});

it('an offer that is half used is renewed without a request', async () => {
  const { slots, assign, stop } = await offer();
  const used: number[] = [];
  for (let left = 40; left > 0; left--) {
    await eventually(
      async () => slots.startsSoon,
      isOffered => isOffered,
    );
    used.push(slots.reserveSlots(1).count);
    await assign(`run ${left}`);
  }
  expect(used).toEqual(Array(40).fill(1));
  await awaitStarts(40);
  await stop();
});

it('a worker without free slots offers none, and one that stops withdraws its offer', async () => {
  const { offers, slots, assign, stop } = await offer();
  slotsToOffer = 0;
  slots.reserveSlots(4);
  expect(slots.reserveSlots(1)).toMatchObject({ count: 0 });
  slotsToOffer = 4;
  await eventually(
    async () => slots.startsSoon,
    isOffered => isOffered,
  );
  const stopping = offers.stop();
  await eventually(
    async () => slots.startsSoon,
    isOffered => !isOffered,
  );
  // A run whose insertion was already under way.
  await assign('late');
  await stopping;
  expect(started).toEqual(['late']);
  await stop();
});

it('a worker starts the runs whose notifications it missed', async () => {
  const { assign, stop } = await offer();
  await assign('known');
  await awaitStarts(1);
  missed = ['known', 'missed'];
  await database.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'scenarium worker' and datname = current_database()`);
  expect(await awaitStarts(2)).toEqual(['known', 'missed']);
  // The lock of the worker is taken again.
  await eventually(
    async () => workerBus.holdsLock,
    isHeld => isHeld,
  );
  await stop();
});

it('an offer expires', async () => {
  const { offers, slots, stop } = await offer();
  slotsToOffer = 0;
  await eventually(
    async () => slots.startsSoon,
    isOffered => !isOffered,
  );
  expect(offers.workerId).toBeGreaterThan(0);
  await stop();
});
