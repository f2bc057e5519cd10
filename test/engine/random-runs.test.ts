import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '../../src/engine/json-value.js';
import { compileGraph } from '../../src/engine/workflow/graph/graph.js';
import { progressOf, resultOf } from '../../src/engine/workflow/run/progress.js';
import { openNodes } from '../../src/engine/workflow/run/recorded-state.js';
import type { RunEvent } from '../../src/engine/workflow/run/run-event.js';
import { fakePorts, upstreamDown } from './fake-ports.js';
import {
  delay,
  http,
  ifElse,
  loop,
  output,
  run,
  subworkflow,
  switchNode,
  template,
  trigger,
  workflow,
} from './samples.js';

type NodeEnd = Extract<RunEvent, { type: 'node.succeeded' | 'node.failed' }>;

/** Random graphs for each property; `npm run test:fuzz` asks for 10,000. */
const PROPERTY_RUNS = Number(process.env.PROPERTY_RUNS ?? 300);
const PROPERTY_MS = 60_000 + 100 * PROPERTY_RUNS;

const kinds = ['http', 'template', 'if', 'switch', 'output', 'delay', 'loop', 'subworkflow'] as const;

interface Plan {
  kind: (typeof kinds)[number];
  /** Picks the nodes before it that lead here, and out of which branch. */
  from: { node: number; branch: number }[];
  onError: 'fail' | 'continue' | 'retry';
  /** Tries that fail before one succeeds. */
  failures: number;
  latency: number;
  value: number;
}

const plan: fc.Arbitrary<Plan> = fc.record({
  kind: fc.constantFrom(...kinds),
  from: fc.array(fc.record({ node: fc.nat(1000), branch: fc.nat(2) }), { minLength: 0, maxLength: 3 }),
  onError: fc.constantFrom('fail', 'continue', 'retry'),
  failures: fc.constantFrom(0, 0, 0, 0, 1, Number.POSITIVE_INFINITY),
  latency: fc.nat(20),
  value: fc.nat(2),
});
const plans = fc.array(plan, { minLength: 1, maxLength: 14 });

const branchNames: Partial<Record<Plan['kind'], string[]>> = {
  if: ['condition-true', 'condition-false', 'condition-true'],
  switch: ['case-0', 'case-1', 'default'],
};

function build(list: readonly Plan[]): JsonObject {
  const nodes = [trigger('n0')];
  const edges = new Set<string>();
  list.forEach((item, at) => {
    const id = `n${at + 1}`;
    const policy = { on_error: item.onError, retry: { attempts: 3, delay_seconds: 1 } };
    const own = {
      http: () => http(id, policy),
      template: () => template(id, { template: `${id}:{{ previous.content }}`, ...policy }),
      if: () => ifElse(id, { condition: { left: item.value, operator: '>', right: 0 }, ...policy }),
      switch: () => switchNode(id, { value: item.value, cases: [{ equals: 0 }, { equals: '1' }], ...policy }),
      output: () => output(id, policy),
      delay: () => delay(id, [0, 0.5, 3600][item.value], policy),
      // The nodes of the body have the policy: a loop that is tried again asks for everything again.
      loop: () => loop(id, '[0,1,2]', { body: rounds(`${id}r`, policy), concurrency: item.value + 1 }),
      subworkflow: () => subworkflow(id, { workflow_id: at + 1, ...policy }),
    };
    for (const { node, branch } of item.from) {
      const source = node % (at + 1);
      const handle = source === 0 ? undefined : branchNames[list[source - 1]?.kind ?? 'http']?.[branch];
      edges.add(`n${source}${handle ? `:${handle}` : ''}>${id}`);
    }
    nodes.push(own[item.kind]());
  });
  return workflow(nodes, [...edges], { start_node: 'n0' });
}

/** trigger → http → delay → output, for each item. */
function rounds(id: string, policy: JsonObject): JsonObject {
  const nodes = [
    http(id, { url: `http://outside/${id}/{{ input.index }}`, ...policy }),
    delay(`${id}d`, 60),
    output(`${id}o`),
  ];
  return workflow(nodes, [`${id}>${id}d`, `${id}d>${id}o`], { start_node: id });
}

/** The address that a node asks, in a round of a loop one of its own. */
const urlOf = (node: string, iteration = '') => `http://outside/${node}${iteration === '' ? '' : `/${iteration}`}`;

/** The outside of a plan: what it answers depends on the plan and on how often it was asked, never on time. */
function outside(list: readonly Plan[], asked = new Map<string, number>(), started = new Set<string>()) {
  const planOf = (url: string) => list[Number.parseInt(url.split('/n')[1] ?? '', 10) - 1];
  const ports = fakePorts({
    http: ({ url }) => {
      const count = (asked.get(url) ?? 0) + 1;
      asked.set(url, count);
      const { failures, onError } = planOf(url) ?? { failures: 0, onError: 'fail' };
      // A death in flight gives any node another try: without `retry` a failure must be one for good.
      return count <= (onError === 'retry' || failures === 0 ? failures : Number.POSITIVE_INFINITY)
        ? upstreamDown()
        : { body: `answer of ${url}` };
    },
    latency: ({ url }) => planOf(url)?.latency ?? 0,
    runs: {
      start: async ({ key }) => {
        started.add(key);
        return key;
      },
      end: async runId => ({ status: 'succeeded', runId, content: `sub-run ${runId}` }),
    },
  });
  return { ports, asked, started };
}

const ofNodes = (events: readonly RunEvent[]) => events.filter(event => 'node' in event);
const endOf = (event: RunEvent): event is NodeEnd => event.type === 'node.succeeded' || event.type === 'node.failed';

/** What a run comes to, times left out. Of failing branches the first one counts, and which one is first is a matter of time. */
function outcome(events: readonly RunEvent[]): unknown {
  const progress = progressOf(events);
  return progress.status === 'succeed' ? resultOf(progress) : progress.status;
}

describe('random graphs', () => {
  test(
    'end once, run each node once, skip what no live edge leads to and report in a topological order',
    async () => {
      await fc.assert(
        fc.asyncProperty(plans, async list => {
          const data = build(list);
          const graph = compileGraph(data);
          const events = await run(data, { ports: outside(list).ports });
          expect(events.filter(event => event.type.startsWith('run.'))).toEqual([events.at(-1)]);

          const position = new Map<string, number>();
          const seen = new Map<string, { started: number; ended: number; skipped: number }>();
          const taken = new Map<string, Set<string>>();
          expect(openNodes(events)).toEqual([]);
          for (const [index, event] of ofNodes(events).entries()) {
            if (event.iteration !== undefined) continue;
            const count = seen.get(event.node) ?? { started: 0, ended: 0, skipped: 0 };
            seen.set(event.node, count);
            const node = graph.byId.get(event.node);
            if (event.type === 'node.started' || event.type === 'node.skipped') {
              for (const before of node?.previous ?? []) expect(position.get(before.id)).toBeLessThan(index);
              const isLive =
                node?.previous.some(before => taken.get(before.id)?.has(event.node)) || event.node === 'n0';
              expect(isLive).toBe(event.type === 'node.started');
            }
            if (event.type === 'node.started' && event.attempt === 1) count.started++;
            if (event.type === 'node.skipped') count.skipped++;
            if (endOf(event)) count.ended++;
            if (endOf(event) || event.type === 'node.skipped') position.set(event.node, index);
            if (event.type === 'node.succeeded') {
              const next = node?.kind.branches ? node.branches.get(event.branch ?? '') : node?.next;
              taken.set(event.node, new Set(next?.map(follower => follower.id)));
            } else if (event.type === 'node.failed' && event.continued) {
              taken.set(event.node, new Set(node?.kind.branches ? [] : node?.next.map(follower => follower.id)));
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
    'come to the same end when the process dies after any event, and ask for nothing twice that was answered',
    async () => {
      await fc.assert(
        fc.asyncProperty(plans, fc.nat(), fc.boolean(), async (list, seed, isDurableOnly) => {
          const data = build(list);
          const whole = await run(data, { ports: outside(list).ports });
          const cut = seed % whole.length;
          const asked = new Map<string, number>();
          const answered = new Set<string>();
          const before: RunEvent[] = [];
          for (const event of whole.slice(0, cut)) {
            // A recorder must have committed the durable events; the others may be lost with the process.
            if (!isDurableOnly || 'durable' in event) before.push(event);
            if (event.type === 'node.started') asked.set(urlOf(event.node, event.iteration), event.attempt);
            if (endOf(event) && 'durable' in event) answered.add(urlOf(event.node, event.iteration));
          }
          const { ports } = outside(list, asked);
          const after = await run(data, { ports, recorded: before });
          expect(outcome([...before, ...after])).toEqual(outcome(whole));
          expect(ports.asked.filter(request => answered.has(request.url))).toEqual([]);
          expect(after.filter(event => event.type.startsWith('run.'))).toHaveLength(1);
          const finished = new Set(before.filter(endOf).map(event => urlOf(event.node, event.iteration)));
          expect(ofNodes(after).filter(event => finished.has(urlOf(event.node, event.iteration)))).toEqual([]);
          expect(openNodes([...before, ...after])).toEqual([]);
        }),
        { numRuns: PROPERTY_RUNS },
      );
    },
    PROPERTY_MS,
  );
});
