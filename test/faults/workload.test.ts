import { describe, expect, it } from '@jest/globals';
import type { Fixture } from './suite/fixture.js';
import { Workload, type WorkloadOptions } from './suite/workload.js';

/** A service that accepts each run. `readEnded` returns the number of runs that have ended. */
function workloadOf(readEnded: (accepted: number) => number, options: Partial<WorkloadOptions> = {}) {
  let accepted = 0;
  const client: WorkloadOptions['client'] = {
    send: async () => ({ status: 200, headers: new Headers(), body: { status: 201, data: { id: `${++accepted}` } } }),
  };
  const sql = (async () => [{ ended: readEnded(accepted) }]) as unknown as Fixture['sql'];
  return new Workload({ sql }, { client, workflow: 1, callers: 2, backlog: 3, ...options });
}

describe('a workload', () => {
  it('sends the permitted tickets while runs end', async () => {
    const workload = workloadOf(accepted => accepted);
    workload.allow(5);
    workload.start();
    await workload.waitForEnds(5);
    await workload.finish();
    expect([workload.tickets.length, workload.faults]).toEqual([5, []]);
  });

  it('finishes with a fault if no run ends', async () => {
    const workload = workloadOf(() => 0, { stallMs: 200 });
    workload.allow(5);
    workload.start();
    await workload.waitForEnds(5);
    await workload.finish();
    expect([workload.tickets.length, workload.faults]).toEqual([3, ['no run ended for 200 ms, 3 are in progress']]);
  });

  it('sends no more tickets after a stop', async () => {
    const workload = workloadOf(() => 0);
    workload.allow(5);
    workload.start();
    await workload.stop();
    // Each of the two callers has sent one ticket.
    expect(workload.tickets.length).toBe(2);
  });
});
