import { describe, expect, it } from '@jest/globals';
import { type RunRecord, RunRecorder } from '../../../src/modules/workflow-runs/journal/run-recorder.js';
import type { Database } from '../../../src/platform/database/database.js';
import { noQueue, noWebhooks } from '../../support/jobs/no-queue.js';

/** Replaces the database to measure the statements that it receives. */
function measuringDatabase() {
  const statements: { runs: number; characters: number }[] = [];
  const byKey = async (_name: string, _text: string, values: (string | Buffer)[]) => {
    // The first parameter is the array literal of the ids.
    const ids = (values[0] as string).slice(1, -1).split(',');
    statements.push({ runs: ids.length, characters: values.reduce((sum, { length }) => sum + length, 0) });
    return ids.map(id => ({ id, written: true }));
  };
  return { statements, database: { byKey } as unknown as Database };
}

function recordOf(id: string, characters: number): RunRecord {
  const value = 'x'.repeat(characters);
  return {
    run: { id, token: '1', sequence: 0, projectId: 1, parentRunId: null, marketWorkflowId: null } as never,
    events: [{ sequence: 1, type: 'node.finished', at: 0, output: value } as never],
    sealedContents: null,
    ledger: [],
    costUsd: '0',
    settled: [],
    approvals: [],
    workedMs: 1,
    end: { state: 'succeeded', result: { data: {}, output: value } as never },
  };
}

describe('reports of runs', () => {
  const write = async (count: number, characters: number) => {
    const { statements, database } = measuringDatabase();
    const recorder = new RunRecorder(database, {} as never, noQueue, noWebhooks, '1');
    const never = new AbortController().signal;
    await Promise.all(
      Array.from({ length: count }, (_, n) => recorder.record(recordOf(`${n}`.padStart(36, '0'), characters), never)),
    );
    return statements;
  };

  it('are written many runs at a time', async () => {
    expect((await write(100, 100)).map(({ runs }) => runs)).toEqual([100]);
  });

  it('are written in statements of limited size, and one that is larger in a statement of its own', async () => {
    const statements = await write(20, 1_000_000);
    expect(statements.reduce((sum, { runs }) => sum + runs, 0)).toBe(20);
    for (const { characters } of statements) expect(characters).toBeLessThan(5_000_000);
    expect((await write(3, 3_000_000)).map(({ runs }) => runs)).toEqual([1, 1, 1]);
  });
});
