import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { SlotGauge } from '../../src/platform/metrics/slot-gauge.js';
import { FairQueue, type FairQueueOptions, QueueFullError } from '../../src/platform/scheduling/fair-queue.js';
import { eventually } from '../support/eventually.js';

const never = new AbortController().signal;

type QueueLimits = Omit<FairQueueOptions, 'gauge'>;
const createQueue = (limits: QueueLimits) => new FairQueue({ ...limits, gauge: new SlotGauge('test') });

/** A queue that records the projects in the order in which they get slots. */
function createRecordedQueue(options: QueueLimits) {
  const queue = createQueue(options);
  const granted: number[] = [];
  const ask = async (projectId: number, signal: AbortSignal = never) => {
    await queue.acquire(projectId, signal);
    granted.push(projectId);
  };
  /** Waits until grants are visible. */
  const settle = () => new Promise(resolve => setImmediate(resolve));
  const release = async (projectId: number) => {
    queue.release(projectId);
    await settle();
  };
  return { queue, granted, ask, release, settle };
}

describe('a fair queue', () => {
  it('grants a free slot at once, and a slot that becomes free to one project after the other', async () => {
    const { queue, granted, ask, release } = createRecordedQueue({ slots: 1 });
    expect([queue.tryAcquire(1), queue.tryAcquire(2)]).toEqual([true, false]);
    for (const projectId of [1, 1, 1, 2, 3, 2]) void ask(projectId);
    for (let holder = 1; queue.waiting > 0; holder = granted.at(-1)!) await release(holder);
    expect(granted).toEqual([1, 2, 3, 1, 2, 1]);
    await release(1);
    expect([queue.held, queue.waiting, queue.oldestWaitMs]).toEqual([0, 0, 0]);
  });

  it('lets one project use all slots while no other waits, and prefers others once it has its share', async () => {
    const { queue, granted, ask, release, settle } = createRecordedQueue({ slots: 4, share: 2 });
    for (let slot = 0; slot < 4; slot++) expect(queue.tryAcquire(1)).toBe(true);
    for (const projectId of [1, 1, 2, 2, 2]) void ask(projectId);
    await settle();
    await release(1);
    await release(1);
    expect(granted).toEqual([2, 2]);
    // Both have their share.
    await release(1);
    await release(1);
    expect(granted.slice(2).sort()).toEqual([1, 1]);
  });

  it('keeps slots that no single project may use', async () => {
    const { queue, granted, ask, release, settle } = createRecordedQueue({ slots: 3, limit: 2 });
    expect([queue.tryAcquire(1), queue.tryAcquire(1), queue.tryAcquire(1)]).toEqual([true, true, false]);
    void ask(1);
    await settle();
    expect(granted).toEqual([]);
    // It passes the waiting project, which may not have the slot.
    expect(queue.tryAcquire(2)).toBe(true);
    await release(2);
    expect(granted).toEqual([]);
    await release(1);
    expect(granted).toEqual([1]);
  });

  it('removes a caller that aborts, and refuses one that had aborted before', async () => {
    const { queue, granted, ask, release } = createRecordedQueue({ slots: 1 });
    queue.tryAcquire(1);
    const controller = new AbortController();
    const gone = ask(2, controller.signal);
    void ask(2);
    void ask(3);
    controller.abort(new Error('cancelled'));
    await expect(gone).rejects.toThrow('cancelled');
    await expect(queue.acquire(4, controller.signal)).rejects.toThrow('cancelled');
    expect(queue.waiting).toBe(2);
    await release(1);
    await release(2);
    expect(granted).toEqual([2, 3]);
    // An abort after the grant changes nothing.
    controller.abort();
    await release(3);
    expect([queue.held, queue.waiting]).toEqual([0, 0]);
  });

  it('limits the waiting callers of one project, and admits others', async () => {
    const { queue, ask, granted, release } = createRecordedQueue({ slots: 1, maxWaiting: 2 });
    queue.tryAcquire(1);
    void ask(1);
    void ask(1);
    await expect(queue.acquire(1, never)).rejects.toThrow(QueueFullError);
    void ask(2);
    await release(1);
    await release(1);
    expect(granted).toEqual([1, 2]);
  });

  it('releases a slot when the work fails, and none when none was held', async () => {
    const queue = createQueue({ slots: 1 });
    await expect(queue.run(1, never, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await queue.run(2, never, async () => 'done')).toBe('done');
    expect(queue.held).toBe(0);
    expect(() => queue.release(1)).toThrow('the project has none');
  });

  it('reports slots held and callers waiting by kind', async () => {
    const metrics = new Metrics();
    const gauge = metrics.slotGauge('model');
    const queues = [new FairQueue({ slots: 1, gauge }), new FairQueue({ slots: 1, gauge })];
    const read = async () => {
      const { body } = await metrics.text();
      const samples = body.matchAll(/^(scenarium_slot\w+)\{kind="model"\} (.+)$/gm);
      return Object.fromEntries([...samples].map(([, name, value]) => [name, Number(value)]));
    };
    for (const queue of queues) queue.tryAcquire(1);
    const controller = new AbortController();
    const waits = queues.map(queue => queue.acquire(1, controller.signal).catch(() => {}));
    expect(await read()).toMatchObject({ scenarium_slots_held: 2, scenarium_slots_waiting: 2 });
    await eventually(read, values => Number(values.scenarium_slot_oldest_wait_seconds) > 0);
    queues[0]!.release(1);
    controller.abort();
    await Promise.all(waits);
    expect(await read()).toMatchObject({
      scenarium_slots_held: 2,
      scenarium_slots_waiting: 0,
      scenarium_slot_oldest_wait_seconds: 0,
    });
    expect((await metrics.text()).body).toContain('scenarium_slot_wait_seconds_count{kind="model"} 2');
    metrics.stop();
  });
});

type Move = { do: 'ask' | 'abort' | 'release'; projectId: number; nth: number };
const moves = fc.array(
  fc.record<Move>({
    do: fc.constantFrom('ask', 'ask', 'abort', 'release'),
    projectId: fc.integer({ min: 1, max: 5 }),
    nth: fc.nat(20),
  }),
  { maxLength: 200 },
);

interface SlotRequest {
  projectId: number;
  controller: AbortController;
  state: 'waiting' | 'holding' | 'gone';
  /** Number of turns of each other project since this project was first. */
  overtakenBy: Map<number, number>;
}

/** Executes the moves, and calls `check` after each of them with all requests and with those that got a slot by it. */
async function play(
  options: QueueLimits,
  made: Move[],
  check: (all: SlotRequest[], queue: FairQueue, granted: SlotRequest[]) => void,
) {
  const queue = createQueue(options);
  const all: SlotRequest[] = [];
  for (const { do: move, projectId, nth } of made) {
    const granted: SlotRequest[] = [];
    const holding = all.filter(one => one.state === 'holding');
    const waiting = all.filter(one => one.state === 'waiting');
    if (move === 'ask') {
      const one: SlotRequest = {
        projectId,
        controller: new AbortController(),
        state: 'waiting',
        overtakenBy: new Map(),
      };
      all.push(one);
      queue.acquire(projectId, one.controller.signal).then(
        () => {
          one.state = 'holding';
          granted.push(one);
        },
        () => {
          one.state = 'gone';
        },
      );
    } else if (move === 'abort' && waiting.length > 0) waiting[nth % waiting.length]!.controller.abort();
    else if (move === 'release' && holding.length > 0) {
      const one = holding[nth % holding.length]!;
      one.state = 'gone';
      queue.release(one.projectId);
    }
    // Lets the callbacks of the queue run.
    for (let turn = 0; turn < 4; turn++) await undefined;
    check(all, queue, granted);
  }
  return { queue, all };
}

const count = (all: SlotRequest[], state: SlotRequest['state'], projectId?: number) =>
  all.filter(one => one.state === state && (projectId === undefined || one.projectId === projectId)).length;

describe('a fair queue after any sequence of calls', () => {
  it('loses and invents no slot, and leaves none free while a caller may have it', async () => {
    await fc.assert(
      fc.asyncProperty(
        moves,
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 6 }),
        async (made, slots, share, limit) => {
          const { queue, all } = await play({ slots, share, limit }, made, (all, queue) => {
            expect(queue.held).toBe(count(all, 'holding'));
            expect(queue.waiting).toBe(count(all, 'waiting'));
            expect(queue.held).toBeLessThanOrEqual(slots);
            for (let projectId = 1; projectId <= 5; projectId++) {
              const held = count(all, 'holding', projectId);
              expect(held).toBeLessThanOrEqual(limit);
              if (count(all, 'waiting', projectId) > 0) expect(queue.held === slots || held === limit).toBe(true);
            }
          });
          // Everything is released or aborted, so nothing is left.
          for (const one of all) one.controller.abort();
          for (const one of all) if (one.state === 'holding') queue.release(one.projectId);
          expect([queue.held, queue.waiting]).toEqual([0, 0]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('lets no caller wait for more than one turn of each other project', async () => {
    await fc.assert(
      fc.asyncProperty(moves, fc.integer({ min: 1, max: 4 }), async (made, slots) => {
        await play({ slots }, made, (all, _queue, granted) => {
          const firsts = new Map<number, SlotRequest>();
          for (const one of all)
            if (one.state === 'waiting' && !firsts.has(one.projectId)) firsts.set(one.projectId, one);
          for (const first of firsts.values())
            for (const { projectId } of granted)
              first.overtakenBy.set(projectId, (first.overtakenBy.get(projectId) ?? 0) + 1);
          for (const first of firsts.values())
            for (const [projectId, turns] of first.overtakenBy) {
              if (projectId !== first.projectId) expect(turns).toBeLessThanOrEqual(1);
            }
        });
      }),
      { numRuns: 300 },
    );
  });

  it('gives no project with its share a turn before one with less that waits', async () => {
    await fc.assert(
      fc.asyncProperty(
        moves,
        fc.integer({ min: 2, max: 6 }),
        fc.integer({ min: 1, max: 3 }),
        async (made, slots, share) => {
          await play({ slots, share }, made, (all, _queue, granted) => {
            for (const { projectId } of granted) {
              if (count(all, 'holding', projectId) <= share) continue;
              for (let other = 1; other <= 5; other++)
                expect(count(all, 'waiting', other) > 0 && count(all, 'holding', other) < share).toBe(false);
            }
          });
        },
      ),
      { numRuns: 300 },
    );
  });
});
