import { expect, it } from '@jest/globals';
import { RehearsalExecutor } from '../../../src/modules/rehearsals/execution/rehearsal-executor.js';
import type { RunRehearsalParts } from '../../../src/modules/rehearsals/execution/run-rehearsal.js';
import { RehearsalKind } from '../../../src/modules/rehearsals/rehearsal.js';
import { createLog } from '../../../src/platform/logging/log.js';

const ROWS = ['broken', 'b', 'c', 'd', 'e', 'f'];

it('a comparison that fails ends the others before the next attempt, and no further one starts', async () => {
  const answer = Promise.withResolvers<undefined>();
  const loaded: string[] = [];
  const executor = new RehearsalExecutor({
    records: {
      readRuns: async () => ROWS.map(runId => ({ runId, outcome: null })),
      endRun: async () => {},
    } as unknown as RunRehearsalParts['records'],
    runs: {
      load: async (runId: string) => {
        loaded.push(runId);
        if (runId === 'broken') throw new Error('broken');
        return answer.promise;
      },
    },
    modelsOf: () => ({}),
    log: createLog('silent'),
  } as never);
  const rehearsal = { kind: RehearsalKind.PUBLISH_CHECK, attempts: 1, budgetUsd: '1', spentUsd: '0', settings: {} };
  let isOver = false;
  const execution = executor.execute(rehearsal as never, new AbortController().signal).finally(() => {
    isOver = true;
  });
  const failure = expect(execution).rejects.toThrow('broken');
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  answer.resolve(undefined);
  await failure;
  expect(loaded).toEqual(ROWS.slice(0, 4));
});
