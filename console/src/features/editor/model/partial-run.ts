import { isObject } from '@/shared/json/json-value';
import { readStoredObject, storeObject } from './browser-storage';
import {
  connect,
  disconnect,
  type Graph,
  graphAt,
  linksOf,
  nodesOf,
  removeNodes,
  replaceNode,
  scopeOf,
  upstreamOf,
  withGraphAt,
} from './graph';
import type { Kinds } from './kinds';

/** Results that are used instead of running their nodes, by node id. */
export type Pins = ReadonlyMap<string, string>;

/**
 * Maximum characters of a pinned result. Its template needs one placeholder for `MAX_TEXT` characters and more of them for
 * double braces; the service accepts 1,000 in a template.
 */
export const MAX_PIN = 50_000;

/**
 * The part of a graph that leads to one node. Pinned nodes return their pinned result, and nodes that only they need are
 * left out. The node itself always runs. Around a node inside a loop, each round of the loop ends with that node.
 */
export function graphUpTo(root: Graph, kinds: Kinds, target: string, pins: Pins): Graph {
  const [loop] = scopeOf(root, target) ?? [];
  if (loop === undefined) return partOf(root, kinds, target, pins);
  const body = graphUpTo(graphAt(root, [loop]), kinds, target, pins);
  return withGraphAt(partOf(root, kinds, loop, pins), [loop], body);
}

function partOf(root: Graph, kinds: Kinds, target: string, pins: Pins): Graph {
  const links = linksOf(root, kinds);
  const upstream = new Set(upstreamOf(links, target));
  const nodes = new Map(nodesOf(root).map(node => [node.id, node]));
  const isPinned = (id: string) => id !== target && pins.has(id);
  const starts = [...upstream].filter(id => kinds.get(nodes.get(id)?.type ?? '')?.category === 'START');
  const needed = new Set([target, ...starts]);
  // The loop also visits the ids that it adds.
  for (const id of needed) {
    if (isPinned(id)) continue;
    const text = JSON.stringify(nodes.get(id)?.data ?? {});
    const before = links.filter(link => link.target === id).map(({ source }) => source);
    for (const one of upstream) if (before.includes(one) || refersTo(text, one)) needed.add(one);
  }
  const unneeded = [...nodes.keys()].filter(id => !needed.has(id));
  let graph = removeNodes(root, kinds, new Set(unneeded));
  for (const id of needed) {
    if (!isPinned(id)) continue;
    graph = disconnect(
      graph,
      kinds,
      linksOf(graph, kinds).filter(link => link.target === id),
    );
    graph = replaceNode(graph, id, ({ data, ...stored }) => ({
      ...stored,
      type: 'template-node',
      data: { ...pick(data, ['id', 'label', 'name', 'next_nodes']), template: templateOf(pins.get(id) ?? '') },
    }));
    for (const source of starts) graph = connect(graph, kinds, { source, handle: null, target: id });
  }
  return graph;
}

/**
 * Whether settings, written as JSON, name a node in a placeholder or a script. Also true for an id that starts with this
 * one: a node more is run, none is missing.
 */
function refersTo(settings: string, id: string): boolean {
  return [`nodes.${id}`, `nodes[\\"${id}\\"]`, `nodes['${id}']`].some(reference => settings.includes(reference));
}

/** Maximum characters of one text in a placeholder. The service accepts 998. */
const MAX_TEXT = 900;

/** A template that returns a text unchanged, also if it contains placeholders. */
function templateOf(text: string): string {
  const parts: string[] = [];
  let part = '';
  for (const char of text) {
    // Two braces in one text could be read as the end of the placeholder.
    if (part.length >= MAX_TEXT || ('{}'.includes(char) && part.endsWith(char))) {
      parts.push(part);
      part = '';
    }
    part += char;
  }
  return [...parts, part].map(one => `{{ ${literalOf(one)} }}`).join('');
}

const ESCAPES: Record<string, string> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '"': '\\"', '\\': '\\\\' };
const literalOf = (text: string) => `"${text.replaceAll(/[\n\t\r"\\]/g, char => ESCAPES[char] ?? char)}"`;

function pick(data: unknown, names: readonly string[]) {
  return Object.fromEntries(Object.entries(isObject(data) ? data : {}).filter(([name]) => names.includes(name)));
}

const storageKey = (workflowId: number) => `scenarium:pins:${workflowId}`;

export function loadPins(workflowId: number): Pins {
  const texts = Object.entries(readStoredObject(storageKey(workflowId))).filter(([, text]) => typeof text === 'string');
  return new Map(texts as [string, string][]);
}

/** Keeps the pins in this browser. Other users and the stored workflow do not have them. */
export function storePins(workflowId: number, pins: Pins): void {
  if (pins.size === 0) localStorage.removeItem(storageKey(workflowId));
  else storeObject(storageKey(workflowId), Object.fromEntries(pins));
}
