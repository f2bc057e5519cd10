import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/engine/json-value.js';
import { fakePorts, upstreamDown } from '../fake-ports.js';
import { http, ifElse, loop, merge, output, template, trigger, workflow } from '../samples.js';

/** The short hash by which the engine recognizes an unchanged request. */
export const digest = (request: string) => createHash('sha256').update(request).digest('base64url').slice(0, 22);

/** One node of a random graph that exists in an earlier and a new version. */
export interface Item {
  kind: 'http' | 'template' | 'if' | 'loop' | 'repeat' | 'merge';
  from: { node: number; branch: number }[];
  /** Whether its request contains the results of earlier nodes. */
  readsPrevious: boolean;
  /** Whether the other revision has another setting. */
  isChanged: boolean;
  /** Whether its calls failed in the earlier run. */
  hasFailed: boolean;
  onError: 'fail' | 'continue' | 'branch' | 'default';
}

/** Repeated values are chosen more often. */
const item: fc.Arbitrary<Item> = fc.record({
  kind: fc.constantFrom('http', 'http', 'http', 'template', 'if', 'loop', 'repeat', 'merge'),
  from: fc.array(fc.record({ node: fc.nat(1000), branch: fc.nat(1) }), { maxLength: 3 }),
  readsPrevious: fc.boolean(),
  isChanged: fc.constantFrom(false, false, false, true),
  hasFailed: fc.constantFrom(false, false, false, false, true),
  onError: fc.constantFrom('fail', 'continue', 'branch', 'default'),
});

/** Random graphs with an earlier version. */
export const graphs = fc.record({
  items: fc.array(item, { minLength: 1, maxLength: 12 }),
  /** Whether the receiver answers equal requests with different texts. */
  isFresh: fc.boolean(),
  /** The node at which a fork starts; null: the first one with another request. */
  from: fc.option(fc.nat(1000)),
});

const HANDLES: Partial<Record<Item['kind'], string[]>> = { if: ['condition-true', 'condition-false'] };

/** Returns the graph of the earlier version, or of the new one. */
export function build(items: readonly Item[], isNew: boolean): JsonObject {
  const nodes = [trigger('n0')];
  const edges = new Set<string>();
  items.forEach((each, at) => {
    const id = `n${at + 1}`;
    const version = isNew && each.isChanged ? '/changed' : '';
    const read = each.readsPrevious ? '{{ previous.content | default: "" }}' : 'constant';
    const policy = { on_error: each.onError, default_value: 'none' };
    const body = (inner: string) => {
      const call = http(inner, { url: `http://outside/${inner}${version}?${inner}={{ input.index }}` });
      const next = http(`${inner}b`, { url: `http://outside/${inner}b?{{ nodes.${inner}.content }}` });
      return workflow([call, next, output(`${inner}o`)], [`${inner}>${inner}b`, `${inner}b>${inner}o`], {
        start_node: inner,
      });
    };
    const builders = {
      http: () => http(id, { url: `http://outside/${id}${version}?${read}`, ...policy }),
      template: () => template(id, { template: `${id}${version}:${read}` }),
      if: () => ifElse(id, { condition: { left: `${version}${read}`, operator: 'contains', right: 'c' } }),
      loop: () => loop(id, '[0,1,2]', { body: body(`${id}r`) }),
      repeat: () =>
        loop(id, undefined, {
          ...{ repeat: 'until', max_rounds: 3, body: body(`${id}r`) },
          condition: { left: '{{ args.index }}', operator: '>=', right: 2 },
        }),
      merge: () => merge(id, { mode: 'any', count: 1 }),
    };
    for (const { node, branch } of each.from.length > 0 ? each.from : [{ node: at, branch: 0 }]) {
      const source = node % (at + 1);
      const before = items[source - 1];
      const handle = (before && HANDLES[before.kind]?.[branch]) ?? (isErrorEdge(before, branch) ? 'error' : undefined);
      edges.add(`n${source}${handle ? `:${handle}` : ''}>${id}`);
    }
    nodes.push(builders[each.kind]());
  });
  return workflow(nodes, [...edges], { start_node: 'n0' });
}

function isErrorEdge(before: Item | undefined, branch: number): boolean {
  return before?.kind === 'http' && before.onError === 'branch' && branch === 1;
}

/** An HTTP node without faults or changes, except for those given. */
export function httpItem(changes: Partial<Item>): Item {
  const plain: Item = {
    ...{ kind: 'http', from: [], readsPrevious: false },
    ...{ isChanged: false, hasFailed: false, onError: 'fail' },
  };
  return { ...plain, ...changes };
}

/** A receiver that counts the calls of each node. `failing` contains the ids of nodes whose calls fail. */
export function receiver(isFresh: boolean, failing: ReadonlySet<string>) {
  const counts = new Map<string, number>();
  let total = 0;
  const ports = fakePorts({
    http: ({ url }) => {
      const id = /outside\/(\w+)/.exec(url)?.[1] ?? '';
      counts.set(id, (counts.get(id) ?? 0) + 1);
      if (failing.has(id)) return upstreamDown();
      return { body: isFresh ? `answer ${++total}` : digest(url).slice(0, 2) };
    },
  });
  return { counts, ports };
}
