import {
  applyEdgeChanges,
  applyNodeChanges,
  type Edge,
  type EdgeChange,
  MarkerType,
  type NodeChange,
  type NodeHandle,
  Position,
} from '@xyflow/react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { outputsOf } from '@/canvas/node-outputs';
import { type EditorView, type Issue, useEditorActions } from '../editor-context';
import { type GraphNode, type Link, labelOf, linkKey, linksOf, moveNodes, nodesOf } from '../model/graph';
import { HEADER_HEIGHT, heightOf, NODE_WIDTH, outputCenter } from '../model/layout';
import type { RunView } from '../model/run-state';
import type { FlowNode, FlowNodeData } from './editor-node';

export type FlowEdge = Edge<{ link: Link }>;

const ARROW = { type: MarkerType.ArrowClosed, width: 16, height: 16, markerUnits: 'userSpaceOnUse' };
const TAKEN_ARROW = { ...ARROW, color: 'var(--console-edge-taken)' };
const NO_ISSUES: readonly Issue[] = [];

/** The graph in the form of the canvas. Only what changed gets new objects, so that large graphs stay fast. */
export function useFlow({ graph, kinds, issues, run, pins, canEdit }: EditorView, selected: readonly string[]) {
  const { change, select } = useEditorActions();
  const links = useMemo(() => linksOf(graph, kinds), [graph, kinds]);
  const [nodes, setNodes] = useState<FlowNode[]>([]);
  const [edges, setEdges] = useState<FlowEdge[]>([]);
  const issuesByNode = useMemo(() => Map.groupBy(issues, ({ nodeId }) => nodeId ?? ''), [issues]);
  useEffect(() => {
    const connected = new Set(links.map(({ source, handle }) => `${source}\n${handle ?? ''}`));
    const toData = (node: GraphNode): FlowNodeData => {
      const kind = kinds.get(node.type);
      const outputs = outputsOf(kind, node.data);
      return {
        node,
        kind,
        label: labelOf(node, kinds),
        outputs,
        openHandles: outputs
          .map(({ handle }) => handle ?? '')
          .filter(handle => !connected.has(`${node.id}\n${handle}`)),
        issues: issuesByNode.get(node.id) ?? NO_ISSUES,
        run: run?.nodes.get(node.id),
        isPinned: pins.has(node.id),
        canEdit,
      };
    };
    setNodes(current => {
      const known = new Map(current.map(node => [node.id, node]));
      return keepIfEqual(
        current,
        nodesOf(graph).map(node => updateFlowNode(known.get(node.id), node, toData(node))),
      );
    });
  }, [graph, kinds, links, issuesByNode, run, pins, canEdit]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new nodes of the graph may be selected already.
  useEffect(() => {
    const wanted = new Set(selected);
    const isUpToDate = (node: FlowNode) => Boolean(node.selected) === wanted.has(node.id);
    setNodes(current =>
      current.every(isUpToDate)
        ? current
        : current.map(node => (isUpToDate(node) ? node : { ...node, selected: wanted.has(node.id) })),
    );
  }, [selected, graph]);
  useEffect(() => {
    setEdges(current => {
      const known = new Map(current.map(edge => [edge.id, edge]));
      return keepIfEqual(
        current,
        links.map(link => updateFlowEdge(known.get(linkKey(link)), link, run)),
      );
    });
  }, [links, run]);
  const onNodesChange = useCallback(
    (changes: NodeChange<FlowNode>[]) => {
      setNodes(current => applyNodeChanges(changes, current));
      const chosen = changes.filter(one => one.type === 'select');
      if (chosen.length > 0) {
        const changed = new Set(chosen.map(({ id }) => id));
        const added = chosen.filter(one => one.selected).map(({ id }) => id);
        select(ids => [...ids.filter(id => !changed.has(id)), ...added]);
      }
      const moved = changes.flatMap(one => {
        // Only the end of a drag, or a move by a key, changes the graph.
        if (one.type !== 'position' || one.dragging !== false || !one.position) return [];
        return [[one.id, { x: Math.round(one.position.x), y: Math.round(one.position.y) }] as const];
      });
      if (moved.length > 0) change(current => moveNodes(current, new Map(moved)), 'move');
    },
    [change, select],
  );
  const onEdgesChange = useCallback(
    (changes: EdgeChange<FlowEdge>[]) => setEdges(current => applyEdgeChanges(changes, current)),
    [],
  );
  return { nodes, edges, links, onNodesChange, onEdgesChange };
}

/** Returns the old list if the new one has the same items: a new list would notify each node and each edge of the canvas. */
function keepIfEqual<T>(old: T[], list: T[]): T[] {
  return old.length === list.length && list.every((item, index) => item === old[index]) ? old : list;
}

/** Returns the old object if nothing changed. A node that is being dragged keeps its position on the canvas. */
function updateFlowNode(old: FlowNode | undefined, node: GraphNode, data: FlowNodeData): FlowNode {
  const { x, y } = node.position;
  const isMoved = old === undefined || ((old.position.x !== x || old.position.y !== y) && old.dragging !== true);
  const isSame = old !== undefined && Object.entries(data).every(([name, value]) => isEqual(old.data[name], value));
  if (old !== undefined && isSame && !isMoved) return old;
  const size = { width: NODE_WIDTH, height: heightOf(data.outputs.length) };
  return {
    ...old,
    id: node.id,
    type: 'card',
    ...size,
    measured: size,
    handles: isSame ? old.handles! : handlesOf(data),
    position: isMoved ? { x, y } : old.position,
    ariaLabel: `${data.label}, ${data.kind?.title ?? node.type}`,
    data: isSame ? old.data : data,
  };
}

/** Width and height of a handle in pixels, as in editor-canvas.css. */
const HANDLE_SIZE = 10;

/** The places of the handles. With them React Flow measures none, and a node without them, drawn as a plain area, keeps its edges. */
function handlesOf({ kind, outputs }: FlowNodeData): NodeHandle[] {
  const handleAt = (type: NodeHandle['type'], x: number, center: number) => ({
    ...{ type, position: type === 'target' ? Position.Left : Position.Right, width: HANDLE_SIZE, height: HANDLE_SIZE },
    ...{ x: x - HANDLE_SIZE / 2, y: center - HANDLE_SIZE / 2 },
  });
  const sources = outputs.map(({ handle }, index) => ({
    id: handle,
    ...handleAt('source', NODE_WIDTH, outputCenter(index, outputs.length)),
  }));
  return [
    ...(kind?.category === 'START' ? [] : [handleAt('target', 0, HEADER_HEIGHT / 2)]),
    ...(kind?.category === 'END' ? [] : sources),
  ];
}

/** Compares lists by value, because short ones such as the outputs are new arrays after every change. */
function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  return Array.isArray(one) && Array.isArray(other) && JSON.stringify(one) === JSON.stringify(other);
}

/** Returns the old object if nothing changed. A link is taken if both of its nodes were executed. */
function updateFlowEdge(old: FlowEdge | undefined, link: Link, run: RunView | null): FlowEdge {
  const before = run?.nodes.get(link.source)?.state;
  const after = run?.nodes.get(link.target)?.state;
  const isTaken = [before, after].every(state => state !== undefined && state !== 'SKIPPED');
  const className = isTaken ? 'editor-edge-taken' : '';
  const animated = after === 'RUNNING';
  if (old && old.className === className && old.animated === animated) return old;
  return {
    ...old,
    id: linkKey(link),
    source: link.source,
    target: link.target,
    sourceHandle: link.handle,
    data: { link },
    className,
    animated,
    markerEnd: isTaken ? TAKEN_ARROW : ARROW,
  };
}
