import { isObject, type JsonObject, textOf } from '../../../engine/json-value.js';
import { nodeKindOf } from '../../../engine/workflow/nodes/index.js';
import { InvalidInputError } from '../../../platform/errors/errors.js';
import type {
  WorkflowGraph,
  WorkflowGraphEdge,
  WorkflowGraphEdgeInput,
  WorkflowGraphInput,
  WorkflowGraphNode,
  WorkflowGraphNodeInput,
  WorkflowNodePosition,
} from './workflow-graph.type.js';

/** Converts stored `data` to the typed graph. A draft may lack any member. */
export function toGraph(data: unknown): WorkflowGraph {
  const { nodes, edges, start_node } = isObject(data) ? data : ({} as JsonObject);
  return {
    nodes: objectsOf(nodes).map(toNode),
    edges: objectsOf(edges).map(toEdge),
    startNodeId: textOrNull(start_node),
  };
}

/** The two forms in which an input contains a graph. */
export interface GraphForms {
  data?: unknown;
  graph?: WorkflowGraphInput | null | undefined;
}

/**
 * Returns `data` of the input. If the input contains `graph` instead, builds `data` from it and the stored data.
 * Undefined if the input contains neither. Throws InvalidInputError if it contains both.
 */
export function dataOf({ data, graph }: GraphForms, stored: unknown): unknown {
  if (graph == null) return data;
  if (data != null) throw new InvalidInputError({ graph: ['Send either graph or data, not both.'] });
  return toData(graph, isObject(stored) ? stored : {});
}

/** Builds `data` from a typed graph. Members that have no field in the typed graph keep their stored values. */
function toData({ nodes, edges, startNodeId }: WorkflowGraphInput, stored: JsonObject): JsonObject {
  const storedNodes = new Map(objectsOf(stored.nodes).map(node => [node.id, node]));
  const storedEdges = new Map(objectsOf(stored.edges).map(edge => [edgeKey(edge), edge]));
  const { start_node: _, ...others } = stored;
  const start = startNodeId === undefined ? textOrNull(stored.start_node) : startNodeId;
  return {
    ...others,
    nodes: nodes.map(node => toDataNode(node, storedNodes.get(node.nodeId) ?? {})),
    edges: (edges ?? []).map(edge => {
      const members = toDataEdge(edge);
      return { ...storedEdges.get(edgeKey(members)), ...members };
    }),
    ...(start === null ? {} : { start_node: start }),
  };
}

function toDataNode({ nodeId, type, label, position, settings }: WorkflowGraphNodeInput, stored: JsonObject) {
  const data = settings ?? stored.data ?? {};
  return {
    ...stored,
    id: nodeId,
    ...(type == null ? {} : { type }),
    ...(position == null ? {} : { position: { x: position.x, y: position.y } }),
    data: label == null || !isObject(data) ? data : { ...data, label },
  };
}

function toDataEdge({ edgeId, source, sourceHandle, target, targetHandle }: WorkflowGraphEdgeInput): JsonObject {
  return {
    ...(edgeId == null ? {} : { id: edgeId }),
    source,
    target,
    ...(sourceHandle === undefined ? {} : { sourceHandle }),
    ...(targetHandle === undefined ? {} : { targetHandle }),
  };
}

/** Identifies an edge by its id, or by its ends if it has none. */
function edgeKey({ id, source, sourceHandle, target }: JsonObject): string {
  return JSON.stringify(typeof id === 'string' ? [id] : [source, sourceHandle ?? null, target]);
}

function toNode({ id, type, position, data }: JsonObject): WorkflowGraphNode {
  const settings = isObject(data) ? data : {};
  const kind = typeof type === 'string' ? nodeKindOf(type) : undefined;
  return {
    nodeId: textOf(id),
    type: textOrNull(type),
    nodeType: kind?.nodeType ?? null,
    label: [settings.label, settings.name].find(isFilledText) ?? kind?.title ?? '',
    position: toPosition(position),
    settings,
  };
}

function toPosition(position: unknown): WorkflowNodePosition | null {
  if (!isObject(position) || typeof position.x !== 'number' || typeof position.y !== 'number') return null;
  return { x: position.x, y: position.y };
}

function toEdge({ id, source, sourceHandle, target, targetHandle }: JsonObject): WorkflowGraphEdge {
  return {
    edgeId: textOrNull(id),
    source: textOrNull(source),
    sourceHandle: textOrNull(sourceHandle),
    target: textOrNull(target),
    targetHandle: textOrNull(targetHandle),
  };
}

function isFilledText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function objectsOf(list: unknown): JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}
