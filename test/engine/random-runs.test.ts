import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compileGraph } from '../../src/engine/workflow/graph/graph.js';
import { BRANCH_SEPARATOR, selectedBranch } from '../../src/engine/workflow/graph/node-kind.js';
import { nodeKinds } from '../../src/engine/workflow/nodes/index.js';
import { progressOf, resultOf } from '../../src/engine/workflow/run/progress.js';
import { openNodes } from '../../src/engine/workflow/run/recorded-state.js';
import type { RunEvent } from '../../src/engine/workflow/run/run-event.js';
import { build, externalServices, type Plan, planKinds, plans, urlOf } from './flow/random-graphs.js';
import { run } from './samples.js';

type NodeEnd = Extract<RunEvent, { type: 'node.succeeded' | 'node.failed' }>;

/** Random graphs for each property; `npm run test:fuzz` sets 10,000. */
const PROPERTY_RUNS = Number(process.env.PROPERTY_RUNS ?? 300);
const PROPERTY_MS = 60_000 + 100 * PROPERTY_RUNS;

/** Kinds that send an email, or a statement to a database. */
const SENDING: Plan['kind'][] = ['email', 'database'];

const nodeEvents = (events: readonly RunEvent[]) => events.filter(event => 'node' in event);
const isNodeEnd = (event: RunEvent): event is NodeEnd =>
  event.type === 'node.succeeded' || event.type === 'node.failed';

/**
 * Returns the parts that must be equal in two executions of a run. For a failed run this is only its status, because timing decides which
 * branch failed first. `hasRaces`: timing also decides contents, so only the status of each node is compared.
 */
function outcome(events: readonly RunEvent[], hasRaces: boolean): unknown {
  const progress = progressOf(events);
  if (progress.status !== 'succeed') return progress.status;
  return hasRaces ? [...progress.nodes].map(([id, { status }]) => [id, status]).sort() : resultOf(progress);
}

describe('random graphs', () => {
  test('have all kinds of nodes, each of which succeeds if nothing fails', async () => {
    const types = new Set<string>();
    for (const kind of planKinds) {
      const from = [{ node: 0, branch: 0, isError: false }];
      const list: Plan[] = [{ kind, from, onError: 'fail', failures: 0, latency: 0, value: 0 }];
      const data = build(list);
      for (const node of compileGraph(data).nodes) types.add(node.kind.type);
      const events = await run(data, { ports: externalServices(list).ports });
      const ends = events.filter(isNodeEnd).filter(({ node }) => node === 'n1');
      expect([kind, ...ends.map(({ type }) => type)]).toEqual([kind, ...(kind === 'note' ? [] : ['node.succeeded'])]);
    }
    const missing = nodeKinds.map(({ type }) => type).filter(type => !types.has(type));
    expect(missing).toEqual([]);
  });

  test(
    'end once, run each node once, skip what no live edge leads to and report in a topological order',
    async () => {
      await fc.assert(
        fc.asyncProperty(plans, async list => {
          const data = build(list);
          const graph = compileGraph(data);
          const events = await run(data, { ports: externalServices(list).ports });
          expect(events.filter(event => event.type.startsWith('run.'))).toEqual([events.at(-1)]);

          const position = new Map<string, number>();
          const seen = new Map<string, { started: number; ended: number; skipped: number }>();
          // The nodes to which the chosen branch of each ended node leads.
          const taken = new Map<string, Set<string>>();
          expect(openNodes(events)).toEqual([]);
          for (const [index, event] of nodeEvents(events).entries()) {
            if (event.iteration !== undefined) continue;
            const count = seen.get(event.node) ?? { started: 0, ended: 0, skipped: 0 };
            seen.set(event.node, count);
            const node = graph.byId.get(event.node);
            if (event.type === 'node.started' || event.type === 'node.skipped') {
              // A merge of `first` or `any` starts before all its predecessors have ended.
              const isEarly = node?.arrivals !== undefined && event.type === 'node.started';
              for (const before of isEarly ? [] : (node?.previous ?? []))
                expect(position.get(before.id)).toBeLessThan(index);
              if (isEarly) expect(node.previous.some(before => taken.get(before.id)?.has(event.node))).toBe(true);
              const isLive =
                node?.previous.some(before => taken.get(before.id)?.has(event.node)) || event.node === 'n0';
              expect(isLive).toBe(event.type === 'node.started');
            }
            if (event.type === 'node.started' && event.attempt === 1) count.started++;
            if (event.type === 'node.skipped') count.skipped++;
            if (isNodeEnd(event)) count.ended++;
            if (isNodeEnd(event) || event.type === 'node.skipped') position.set(event.node, index);
            if (event.type === 'node.succeeded') {
              const handles = (event.branch ?? '').split(BRANCH_SEPARATOR);
              const next = handles.flatMap(handle => node?.branches.get(handle) ?? []);
              taken.set(event.node, new Set(next.map(follower => follower.id)));
            } else if (event.type === 'node.failed' && event.continued) {
              const isBranch = node?.data.on_error === 'branch';
              // A default value selects an output, as the content of a success does.
              const isDefault = node?.data.on_error === 'default';
              const selected = isDefault
                ? selectedBranch(node.kind, String(node.data.default_value), node.data)
                : undefined;
              const handle = isBranch ? 'error' : node?.kind.branches ? selected : '';
              const next = handle === undefined ? [] : node?.branches.get(handle);
              taken.set(event.node, new Set(next?.map(follower => follower.id)));
            }
          }
          const hasSucceeded = events.at(-1)?.type === 'run.succeeded';
          for (const node of graph.nodes) {
            const { started, ended, skipped } = seen.get(node.id) ?? { started: 0, ended: 0, skipped: 0 };
            expect(started).toBe(ended);
            expect(started + skipped).toBeLessThanOrEqual(1);
            if (!node.isReachable) expect(started + skipped).toBe(0);
            else if (hasSucceeded) expect(started + skipped).toBe(1);
          }
        }),
        { numRuns: PROPERTY_RUNS },
      );
    },
    PROPERTY_MS,
  );

  test(
    'have the same result when the process dies after any event, and repeat no recorded call',
    async () => {
      await fc.assert(
        fc.asyncProperty(plans, fc.nat(), fc.boolean(), async (list, seed, isDurableOnly) => {
          const data = build(list);
          const { ports: first, keyValues, sent, answers } = externalServices(list);
          const whole = await run(data, { ports: first });
          // The second execution adds answers, because a run may come further before one of its branches fails.
          const cached = new Set(answers.keys());
          // The result of an effect that must not happen twice is recorded before the run continues.
          const sends = new Set(list.flatMap(({ kind }, at) => (SENDING.includes(kind) ? [`n${at + 1}`] : [])));
          const results = whole.filter(event => event.type === 'node.succeeded' && sends.has(event.node));
          expect(results.filter(event => !('durable' in event))).toEqual([]);
          const cut = seed % whole.length;
          const callCounts = new Map<string, number>();
          const answered = new Set<string>();
          const before: RunEvent[] = [];
          for (const event of whole.slice(0, cut)) {
            // A recorder must have committed the durable events; the others may be lost with the process.
            if (!isDurableOnly || 'durable' in event) before.push(event);
            if (event.type === 'node.started') callCounts.set(urlOf(event.node, event.iteration), event.attempt);
            if (isNodeEnd(event) && 'durable' in event) answered.add(urlOf(event.node, event.iteration));
          }
          const { ports } = externalServices(list, { callCounts, keyValues, sent, answers });
          const after = await run(data, { ports, recorded: before });
          const hasRaces = compileGraph(data).nodes.some(node => node.arrivals !== undefined);
          expect([...keyValues.stored.values()].filter(value => value !== 1)).toEqual([]);
          expect(sent.size).toBeLessThanOrEqual(list.filter(({ kind }) => kind === 'event').length);
          expect(ports.prompts.filter(({ messages }) => cached.has(JSON.stringify(messages)))).toEqual([]);
          expect(outcome([...before, ...after], hasRaces)).toEqual(outcome(whole, hasRaces));
          expect(ports.httpRequests.filter(request => answered.has(request.url))).toEqual([]);
          expect(after.filter(event => event.type.startsWith('run.'))).toHaveLength(1);
          const finished = new Set(before.filter(isNodeEnd).map(event => urlOf(event.node, event.iteration)));
          expect(nodeEvents(after).filter(event => finished.has(urlOf(event.node, event.iteration)))).toEqual([]);
          expect(openNodes([...before, ...after])).toEqual([]);
        }),
        { numRuns: PROPERTY_RUNS },
      );
    },
    PROPERTY_MS,
  );
});
