import { isObject, type JsonObject, textOf } from '../../json-value.js';

export type ChangeKind = 'ADDED' | 'REMOVED' | 'CHANGED';

/** A setting with different values. `path` is like `data.messages.0.content`. A value that is absent is undefined. */
export interface SettingChange {
  path: string;
  before: unknown;
  after: unknown;
}

/** A node that only one of the graphs has, or that differs. */
export interface NodeChange {
  nodeId: string;
  kind: ChangeKind;
  /** The node after the change; for a removed node, before the change. */
  node: JsonObject;
  /** True if only the position on the canvas differs. */
  isMovedOnly: boolean;
  settings: SettingChange[];
}

/** An edge that only one of the graphs has. */
export interface EdgeChange {
  kind: Exclude<ChangeKind, 'CHANGED'>;
  edge: JsonObject;
}

/** The differences between two graphs, without those in the order of members, nodes and edges. */
export interface GraphDiff {
  nodes: NodeChange[];
  edges: EdgeChange[];
  /** Settings of the whole graph. */
  settings: SettingChange[];
}

/** Compares two stored graphs. A draft may lack any member. Ids of edges are not compared, only what they connect. */
export function diffGraphs(before: JsonObject, after: JsonObject): GraphDiff {
  const { nodes: nodesBefore, edges: edgesBefore, ...settingsBefore } = before;
  const { nodes: nodesAfter, edges: edgesAfter, ...settingsAfter } = after;
  return {
    nodes: nodeChanges(byId(nodesBefore), byId(nodesAfter)),
    edges: edgeChanges(byEnds(edgesBefore), byEnds(edgesAfter)),
    settings: settingChanges(settingsBefore, settingsAfter, ''),
  };
}

function nodeChanges(before: Map<string, JsonObject>, after: Map<string, JsonObject>): NodeChange[] {
  const changes: NodeChange[] = [];
  for (const [nodeId, node] of before) {
    const next = after.get(nodeId);
    if (!next) {
      changes.push({ nodeId, kind: 'REMOVED', node, isMovedOnly: false, settings: [] });
      continue;
    }
    const { position, ...rest } = node;
    const { position: nextPosition, ...nextRest } = next;
    const settings = settingChanges(rest, nextRest, '');
    const isMoved = settingChanges(position, nextPosition, '').length > 0;
    if (settings.length > 0 || isMoved)
      changes.push({ nodeId, kind: 'CHANGED', node: next, isMovedOnly: settings.length === 0, settings });
  }
  for (const [nodeId, node] of after)
    if (!before.has(nodeId)) changes.push({ nodeId, kind: 'ADDED', node, isMovedOnly: false, settings: [] });
  return changes;
}

function edgeChanges(before: Map<string, JsonObject>, after: Map<string, JsonObject>): EdgeChange[] {
  return [
    ...[...before].flatMap(([ends, edge]) => (after.has(ends) ? [] : [{ kind: 'REMOVED' as const, edge }])),
    ...[...after].flatMap(([ends, edge]) => (before.has(ends) ? [] : [{ kind: 'ADDED' as const, edge }])),
  ];
}

/** Lists of equal length are compared by position, others as a whole. */
function settingChanges(before: unknown, after: unknown, path: string): SettingChange[] {
  const keys = commonKeys(before, after);
  if (!keys) return before === after ? [] : [{ path, before, after }];
  const [left, right] = [before as JsonObject, after as JsonObject];
  return keys.flatMap(key => settingChanges(left[key], right[key], path === '' ? key : `${path}.${key}`));
}

function commonKeys(before: unknown, after: unknown): string[] | undefined {
  if (Array.isArray(before) && Array.isArray(after))
    return before.length === after.length ? Object.keys(before) : undefined;
  return isObject(before) && isObject(after)
    ? [...new Set([...Object.keys(before), ...Object.keys(after)])]
    : undefined;
}

function byId(list: unknown): Map<string, JsonObject> {
  return new Map(objectsOf(list).map(node => [textOf(node.id), node]));
}

function byEnds(list: unknown): Map<string, JsonObject> {
  return new Map(
    objectsOf(list).map(edge => [
      JSON.stringify([edge.source, edge.sourceHandle ?? null, edge.target, edge.targetHandle ?? null]),
      edge,
    ]),
  );
}

function objectsOf(list: unknown): JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}
