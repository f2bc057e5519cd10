import { describe, expect, it } from '@jest/globals';
import { type Job, startWorker } from '../../src/durable/worker.js';
import { eventually } from '../support/eventually.js';

function recordedJobs(count: number) {
  const log: string[] = [];
  const jobs = Array.from(
    { length: count },
    (_, index): Job => ({
      start: () => void log.push(`start ${index}`),
      stop: async graceMs => void log.push(`stop ${index} within ${graceMs}`),
    }),
  );
  return { log, jobs };
}

describe('a worker', () => {
  it('starts its jobs in turn, the first one immediately', async () => {
    const { log, jobs } = recordedJobs(3);
    const worker = startWorker(jobs);
    expect(log).toEqual(['start 0']);
    await eventually(
      async () => log.length,
      length => length === 3,
    );
    expect(log).toEqual(['start 0', 'start 1', 'start 2']);
    await worker.stop(5);
    expect(log.slice(3)).toEqual(['stop 0 within 5', 'stop 1 within 5', 'stop 2 within 5']);
  });

  it('that stops meanwhile starts no further job, and stops only those that have started', async () => {
    const { log, jobs } = recordedJobs(3);
    await startWorker(jobs).stop(7);
    expect(log).toEqual(['start 0', 'stop 0 within 7']);
  });
});
