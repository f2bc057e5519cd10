import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RehearsalReplay } from '../../../src/engine/workflow/history/rehearsal-replay.js';
import { toReplayRecord } from '../../../src/engine/workflow/history/replay-record.js';
import type { RunEvent } from '../../../src/engine/workflow/run/run-event.js';
import { execution, run } from '../samples.js';
import { build, digest, graphs, receiver } from './replayed-graphs.js';

/** Random graphs; `npm run test:fuzz` sets 10,000. */
const PROPERTY_RUNS = Number(process.env.PROPERTY_RUNS ?? 300);
const PROPERTY_MS = 60_000 + 100 * PROPERTY_RUNS;

const endOf = (events: readonly RunEvent[]) => {
  const last = events.at(-1);
  if (last?.type === 'run.succeeded') return { output: last.output };
  return last?.type === 'run.failed' ? { error: last.error } : {};
};

describe('a rehearsal', () => {
  test(
    'of an unchanged graph makes no call and ends as recorded; of another one it ends as a run of it',
    async () => {
      let executed = 0;
      let reused = 0;
      await fc.assert(
        fc.asyncProperty(graphs, async ({ items }) => {
          const failing = new Set(items.flatMap((each, at) => (each.hasFailed ? [`n${at + 1}`] : [])));
          // Merges of the first inputs depend on the order of arrival, which a rehearsal does not keep.
          const ordered = items.map(each => (each.kind === 'merge' ? { ...each, kind: 'template' as const } : each));
          const recorded = await run(build(ordered, false), { ports: receiver(false, failing).ports, digest });
          const rehearse = async (isNew: boolean) => {
            const { counts, ports } = receiver(false, failing);
            let defersUnrecorded = recorded.at(-1)?.type === 'run.failed';
            for (;;) {
              const replay = new RehearsalReplay({
                ...{ records: [toReplayRecord(recorded)], finished: new Map(), mayCall: () => true, defersUnrecorded },
              });
              const { events, suspended } = await execution(build(ordered, isNew), { ports, digest, replay });
              if (!suspended) return { counts, events, replay };
              expect([defersUnrecorded, replay.hasDeferred]).toEqual([true, true]);
              defersUnrecorded = false;
            }
          };
          const same = await rehearse(false);
          expect([...same.counts]).toEqual([]);
          expect(endOf(same.events)).toEqual(endOf(recorded));
          const other = await rehearse(true);
          const real = await run(build(ordered, true), { ports: receiver(false, failing).ports, digest });
          // Which of several failures comes first depends on time.
          if (!('error' in endOf(real))) expect(endOf(other.events)).toEqual(endOf(real));
          else expect(endOf(other.events)).toHaveProperty('error');
          executed += other.replay.calls.filter(({ kind }) => kind === 'executed').length;
          reused += other.replay.calls.filter(({ kind }) => kind === 'reused').length;
        }),
        { numRuns: PROPERTY_RUNS },
      );
      // Without both kinds of calls the property would say nothing.
      expect(Math.min(executed, reused)).toBeGreaterThan(PROPERTY_RUNS / 2);
    },
    PROPERTY_MS,
  );
});
