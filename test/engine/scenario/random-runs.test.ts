import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { progressOf, resultOf } from '../../../src/engine/scenario/events/progress.js';
import type { RoundId, ScenarioEvent } from '../../../src/engine/scenario/events/run-event.js';
import type { Condition, Scenario } from '../../../src/engine/scenario/scenario.js';
import { fakePorts, upstreamDown, usageOf } from '../fake-ports.js';
import { condition, M, message, prompt, run, scenario, short, V, variable } from './samples.js';

/** Random scenarios for each property; `npm run test:fuzz` sets 10,000. */
const PROPERTY_RUNS = Number(process.env.PROPERTY_RUNS ?? 300);
const PROPERTY_MS = 60_000 + 100 * PROPERTY_RUNS;

interface Plan {
  isAsync: boolean;
  /** Undefined: no loop; `null`: over the variable. */
  rounds: number | null | undefined;
  /** Messages before it whose results its prompts use, guarded against missing ones. */
  uses: number[];
  condition: Pick<Condition, 'type' | 'action' | 'matching' | 'value' | 'ignoreCase'> | undefined;
  fails: boolean;
  latency: number;
  returnsVariables: boolean;
}

const plan: fc.Arbitrary<Plan> = fc.record({
  isAsync: fc.boolean(),
  rounds: fc.constantFrom(undefined, undefined, null, 0, 1, 3),
  uses: fc.array(fc.nat(1000), { maxLength: 2 }),
  condition: fc.option(
    fc.record({
      type: fc.constantFrom('variable', 'variable', 'variable', 'language'),
      action: fc.constantFrom('skip', 'skip', 'stop', 'fail'),
      matching: fc.constantFrom('equal', 'regex', 'contains', 'empty', 'exists', 'is_text'),
      value: fc.constantFrom('x', 'Y', 'z', 'never'),
      ignoreCase: fc.constantFrom(undefined, false, true),
    }),
    { nil: undefined, freq: 3 },
  ),
  fails: fc.constantFrom(false, false, false, false, false, false, false, true),
  latency: fc.nat(20),
  returnsVariables: fc.boolean(),
});
const plans = fc.array(plan, { minLength: 1, maxLength: 10 });

function build(list: readonly Plan[]): Scenario {
  const messages = list.map((item, at) => {
    const id = at + 1;
    const used = at === 0 ? [] : item.uses.map(use => (use % at) + 1);
    return message(id, '', {
      prompts: [
        prompt(id * 100, `name: ${id} ${V(1, 11)}`),
        ...used.map((other, index) =>
          prompt(id * 100 + index + 1, `of ${M(other)}`, {
            role: 'system',
            conditions: [condition('empty', '', { type: 'message' })],
          }),
        ),
      ],
      conditions: item.condition ? [{ ...item.condition, isEnabled: true, variable: 1, variableName: 12 }] : [],
      isAsync: item.isAsync,
      returnType: item.returnsVariables ? 'variables' : 'text',
      isLoop: item.rounds !== undefined,
      ...(item.rounds === null ? { loopVariable: 1 } : { loopCount: item.rounds ?? null }),
    });
  });
  return scenario(messages, [variable(1, ['x', 'y', 'z'])]);
}

/** External services of a plan. An answer depends on the request, never on time. */
function outside(list: readonly Plan[]) {
  const keys: string[] = [];
  const base = fakePorts();
  const complete: typeof base.llm.complete = async (request, { idempotencyKey, signal }) => {
    keys.push(idempotencyKey);
    const item = list[Number(idempotencyKey.split(':')[1]) - 1];
    await base.clock.sleep(item?.latency ?? 0, signal);
    if (item?.fails) throw upstreamDown();
    return { text: request.messages.map(({ content }) => content).join('|'), usage: usageOf(request) };
  };
  return { ports: { ...base, llm: { complete } }, keys };
}

const keyOf = ({ message: id, round }: RoundId) => `scenario-run-7:${id}:${round}`;
type RoundEnd = Extract<ScenarioEvent, { type: 'message.succeeded' | 'message.failed' }>;
const isEnd = (event: ScenarioEvent): event is RoundEnd =>
  event.type === 'message.succeeded' || event.type === 'message.failed';

/**
 * The result of a run. If concurrent messages fail, only that one of them failed is compared, because timing decides
 * which.
 */
function outcome(sample: Scenario, events: readonly ScenarioEvent[]): unknown {
  const result = resultOf(progressOf(sample, events));
  const end = events.at(-1);
  return result.status === 'finished' ? { result, end: end && { ...end, at: '' } } : result.status;
}

describe('random scenarios', () => {
  test(
    'end once, send each iteration once, and start none before what it needs has ended',
    async () => {
      await fc.assert(
        fc.asyncProperty(plans, async list => {
          const sample = build(list);
          const { ports, keys } = outside(list);
          const events = await run(sample, { ports });
          expect(events.filter(event => event.type.startsWith('run.'))).toEqual([events.at(-1)]);
          expect(new Set(keys).size).toBe(keys.length);
          const end = events.at(-1);
          const isComplete = end?.type === 'run.finished' && !end.isStopped;
          for (const [at, item] of list.entries())
            if (isComplete && item.rounds === undefined && !item.condition)
              expect(keys).toContain(keyOf({ message: at + 1, round: 0 }));

          const open = new Set<string>();
          for (const event of events) {
            if (!('message' in event)) continue;
            if (event.type === 'message.started') {
              expect(open.has(keyOf(event))).toBe(false);
              open.add(keyOf(event));
              const inFlight = new Set([...open].map(key => Number(key.split(':')[1])));
              for (const use of list[event.message - 1]?.uses ?? [])
                if (event.message > 1) expect(inFlight.has((use % (event.message - 1)) + 1)).toBe(false);
              for (const other of inFlight) if (other < event.message) expect(list[other - 1]?.isAsync).toBe(true);
            } else open.delete(keyOf(event));
          }
          expect([...open]).toEqual([]);
        }),
        { numRuns: PROPERTY_RUNS },
      );
    },
    PROPERTY_MS,
  );

  test(
    'have the same result when the process dies after any event, or fail if two die in one round; no recorded call is repeated',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          plans,
          fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
          fc.boolean(),
          async (list, seeds, isDurableOnly) => {
            const sample = build(list);
            const whole = await run(sample, { ports: outside(list).ports });
            const recorded: ScenarioEvent[] = [];
            const deaths = new Map<string, number>();
            let events: ScenarioEvent[] = whole;
            for (const seed of seeds) {
              const begun = new Set<string>();
              for (const event of events.slice(0, seed % events.length)) {
                // A recorder must have committed the durable events, which are the start and end of each round that is
                // sent; the others may be lost with the process.
                if (!isDurableOnly || 'durable' in event) recorded.push(event);
                if (event.type === 'message.started') begun.add(keyOf(event));
                else if ('message' in event) begun.delete(keyOf(event));
              }
              // The rounds in flight when the process dies.
              for (const key of begun) deaths.set(key, (deaths.get(key) ?? 0) + 1);
              const answered = new Set(recorded.filter(isEnd).map(keyOf));
              const { ports, keys } = outside(list);
              events = await run(sample, { ports, recorded });
              expect(keys.filter(key => answered.has(key))).toEqual([]);
              expect(keys.filter(key => (deaths.get(key) ?? 0) > 1)).toEqual([]);
              expect(events.filter(event => 'message' in event && answered.has(keyOf(event)))).toEqual([]);
              expect(events.filter(event => event.type.startsWith('run.'))).toHaveLength(1);
            }
            const all = [...recorded, ...events];
            // A round is not sent a third time. It fails with the run, which `short` writes as `run!`.
            if ([...deaths.values()].some(count => count > 1)) expect(short(all).at(-1)).toMatch(/^run!/);
            else expect(outcome(sample, all)).toEqual(outcome(sample, whole));
          },
        ),
        { numRuns: PROPERTY_RUNS },
      );
    },
    PROPERTY_MS,
  );
});
