import { isObject, parseJson, textOf } from '@/shared/json/json-value';
import { inputFieldsOf } from '@/shared/run-form/input-fields';
import { type Graph, graphAt, labelOf, linksOf, nodeOf, upstreamOf } from './graph';
import type { Kinds } from './kinds';

/** A value that a placeholder can insert. */
export interface Suggestion {
  /** The name between the braces, for example `nodes.ask.content`. */
  name: string;
  /** Where the value comes from. */
  source: string;
  /** The value of the last run, or an example. Null: unknown. */
  sample: string | null;
}

const MAX_SAMPLE = 120;
const MAX_MEMBERS = 30;
const MAX_DEPTH = 2;

const shorten = (text: string) => (text.length > MAX_SAMPLE ? `${text.slice(0, MAX_SAMPLE)}…` : text);

/** Values that a node can use. `results` has the contents of the last run by node id. */
export function suggestionsFor(
  root: Graph,
  scope: readonly string[],
  id: string,
  kinds: Kinds,
  results: ReadonlyMap<string, string>,
): Suggestion[] {
  const inputs = inputFieldsOf(root).map(({ key, title, defaultValue, isSecret }) => ({
    name: `input.${key}`,
    source: `Input · ${title}`,
    sample: isSecret ? null : textOf(defaultValue) || null,
  }));
  const loop = scope.length > 0 ? LOOP_INPUT : [];
  const graph = graphAt(root, scope);
  const before = upstreamOf(linksOf(graph, kinds), id);
  const own = before.flatMap(node => nodeSuggestions(graph, node, kinds, results));
  const outer = scope.flatMap((loopId, depth) => {
    const outerGraph = graphAt(root, scope.slice(0, depth));
    return upstreamOf(linksOf(outerGraph, kinds), loopId).flatMap(node =>
      nodeSuggestions(outerGraph, node, kinds, results),
    );
  });
  const previous =
    before.length > 0 ? [{ name: 'previous.content', source: 'Result of the previous node', sample: null }] : [];
  return [...loop, ...inputs, ...previous, ...own, ...outer, ...RUN];
}

const LOOP_INPUT: Suggestion[] = [
  { name: 'input.item', source: 'Item of the loop', sample: null },
  { name: 'input.index', source: 'Index of the item', sample: '0' },
];
const RUN: Suggestion[] = [
  { name: 'run.id', source: 'Id of the run', sample: null },
  { name: 'now', source: 'Current time, UTC', sample: null },
];

function nodeSuggestions(graph: Graph, id: string, kinds: Kinds, results: ReadonlyMap<string, string>): Suggestion[] {
  const node = nodeOf(graph, id);
  if (!node || node.type === 'trigger-node') return [];
  const kind = kinds.get(node.type);
  const source = labelOf(node, kinds);
  const last = results.get(id);
  const sample = last ?? (kind?.contentSample || null);
  const content = { name: `nodes.${id}.content`, source, sample: sample === null ? null : shorten(sample) };
  const schema = isObject(kind?.contentSchema) ? kind.contentSchema : null;
  const json = last === undefined ? schema && parseJson(sample ?? '') : parseJson(last);
  return [content, ...memberSuggestions(`nodes.${id}.json`, source, json, MAX_DEPTH)].slice(0, MAX_MEMBERS);
}

/** The members of a JSON value and, up to `depth` levels, their members. Of a list only the first item. */
function memberSuggestions(name: string, source: string, value: unknown, depth: number): Suggestion[] {
  if (depth === 0 || typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .slice(0, Array.isArray(value) ? 1 : MAX_MEMBERS)
    .flatMap(([key, member]) => {
      // Only a name without these characters can follow a dot in a placeholder.
      if (!/^[^\s.|{}:"'()[\],]+$/.test(key)) return [];
      const path = `${name}.${key}`;
      return [
        { name: path, source, sample: shorten(textOf(member)) },
        ...memberSuggestions(path, source, member, depth - 1),
      ];
    });
}
