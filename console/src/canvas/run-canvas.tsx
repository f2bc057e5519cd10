import {
  Background,
  Controls,
  type Edge,
  Handle,
  MarkerType,
  type Node,
  type NodeChange,
  type NodeProps,
  Position,
  ReactFlow,
} from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import './canvas.css';
import { useMantineColorScheme } from '@mantine/core';
import { memo, type ReactNode, useMemo, useRef, useState } from 'react';
import { CanvasDetail } from './canvas-detail';
import type { CanvasGraph } from './graph';
import { MANY_NODES, NODE_HEIGHT, NODE_WIDTH, positionsOf } from './layout';
import { NodeCard } from './node-card';
import { type Output, outputsOf } from './node-outputs';
import { type CanvasKind, useNodeKinds } from './use-node-kinds';

/** The state of a node in a run. */
export interface NodeMark {
  /** For example RUNNING or SUCCEEDED. */
  state: string;
  /** Second line of the card. */
  detail?: ReactNode;
}

export interface RunCanvasProps {
  graph: CanvasGraph;
  /** By node id. */
  marks: ReadonlyMap<string, NodeMark>;
  selected: string | null;
  onSelect: (nodeId: string | null) => void;
  label: string;
}

type CardNode = Node<{ label: string; kind: CanvasKind | undefined; outputs: readonly Output[]; mark?: NodeMark }>;

const nodeTypes = { card: memo(CardView) };
/** How the whole graph is shown at first. */
const FIT_VIEW = { padding: 0.12, maxZoom: 1 };
/** Small enough for a chain of 50 nodes on a phone. */
const MIN_ZOOM = 0.02;

/** A graph that can be moved and zoomed but not edited. Nodes show their state in a run. */
export function RunCanvas({ graph, marks, selected, onSelect, label }: RunCanvasProps) {
  const kinds = useNodeKinds();
  const { colorScheme } = useMantineColorScheme();
  const base = useMemo(() => toFlow(graph, kinds), [graph, kinds]);
  const nodes = useChanged(base.nodes, markNode, node => {
    const mark = marks.get(node.id);
    return [mark?.state, mark?.detail, node.id === selected];
  });
  const edges = useChanged(base.edges, markEdge, ({ source, target }) => {
    const states = [marks.get(source)?.state, marks.get(target)?.state];
    return [states.every(state => state !== undefined && state !== 'SKIPPED'), states[1] === 'RUNNING'];
  });
  const handlers = useHandlers(selected, onSelect);
  return (
    <div className="console-canvas" data-testid="run-canvas">
      <ReactFlow
        // React Flow measures handles only once, so a new key mounts it again when the kinds, which define them, have loaded.
        key={kinds.size}
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        colorMode={colorScheme === 'auto' ? 'system' : colorScheme}
        nodesDraggable={false}
        nodesConnectable={false}
        edgesFocusable={false}
        {...handlers}
        fitView
        fitViewOptions={FIT_VIEW}
        minZoom={MIN_ZOOM}
        maxZoom={1.6}
        preventScrolling={false}
        zoomOnScroll={false}
        onlyRenderVisibleElements={graph.nodes.length > MANY_NODES}
        aria-label={label}
      >
        <CanvasDetail />
        <Background gap={18} size={1.2} />
        <Controls showInteractive={false} position="bottom-left" />
      </ReactFlow>
    </div>
  );
}

/** Handlers that never change, because React Flow draws every node again for a new one. */
function useHandlers(selected: string | null, onSelect: RunCanvasProps['onSelect']) {
  const latest = useRef({ selected, onSelect });
  latest.current = { selected, onSelect };
  return useMemo(
    () => ({
      onNodeClick: (_event: unknown, node: Node) => latest.current.onSelect(node.id),
      onPaneClick: () => latest.current.onSelect(null),
      onNodesChange: (changes: NodeChange<CardNode>[]) => {
        // Enter and Space select a focused node.
        const change = changes.find(one => one.type === 'select' && one.selected);
        if (change?.type === 'select' && change.id !== latest.current.selected) latest.current.onSelect(change.id);
      },
    }),
    [],
  );
}

/**
 * Builds items from `bases` and values that change with the run. An item whose values have not changed stays the same object, and
 * React Flow draws only new ones: a run may change many times per second.
 */
function useChanged<Item extends object, Values extends readonly unknown[]>(
  bases: readonly Item[],
  build: (base: Item, ...values: Values) => Item,
  valuesOf: (base: Item) => readonly [...Values],
): Item[] {
  const [built] = useState(() => new WeakMap<Item, { values: readonly [...Values]; item: Item }>());
  return bases.map(base => {
    const values = valuesOf(base);
    const last = built.get(base);
    if (last?.values.every((value, index) => value === values[index])) return last.item;
    const item = build(base, ...values);
    built.set(base, { values, item });
    return item;
  });
}

function CardView({ data: { label, kind, outputs, mark }, selected }: NodeProps<CardNode>) {
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <NodeCard label={label} kind={kind} state={mark?.state} detail={mark?.detail} isSelected={selected} />
      {outputs.map(({ handle }, index) => (
        <Handle
          key={handle ?? ''}
          id={handle ?? undefined}
          type="source"
          position={Position.Right}
          isConnectable={false}
          style={{ top: `${((index + 1) * 100) / (outputs.length + 1)}%` }}
        />
      ))}
    </>
  );
}

/** The nodes and edges of React Flow, without the state of the run. */
function toFlow(graph: CanvasGraph, kinds: ReadonlyMap<string, CanvasKind>): { nodes: CardNode[]; edges: Edge[] } {
  const positions = positionsOf(graph);
  const nodes = graph.nodes.map((node): CardNode => {
    const kind = kinds.get(node.type);
    return {
      id: node.id,
      type: 'card',
      position: positions.get(node.id) ?? { x: 0, y: 0 },
      width: NODE_WIDTH,
      height: NODE_HEIGHT,
      // Without it, React Flow measures a node again whenever its object changes.
      measured: { width: NODE_WIDTH, height: NODE_HEIGHT },
      data: { label: node.label, kind, outputs: outputsOf(kind, node.data) },
    };
  });
  const outputs = new Map(nodes.map(({ id, data }) => [id, data.outputs]));
  const edges = graph.edges.map(({ id, source, target, handle }): Edge => {
    const output = outputs.get(source)?.find(one => one.handle === handle);
    return {
      id,
      source,
      target,
      // A handle that the kind does not have would hide the edge.
      sourceHandle: output ? handle : null,
      label: output && handle !== null ? output.title : undefined,
    };
  });
  return { nodes, edges };
}

function markNode(node: CardNode, state: string | undefined, detail: ReactNode, isSelected: boolean): CardNode {
  return {
    ...node,
    selected: isSelected,
    ariaLabel: `${node.data.label}, ${(state ?? 'not started').toLowerCase()}`,
    data: { ...node.data, ...(state === undefined ? {} : { mark: { state, detail } }) },
  };
}

function markEdge(edge: Edge, isTaken: boolean, isRunning: boolean): Edge {
  const color = isTaken ? 'var(--mantine-primary-color-filled)' : undefined;
  return {
    ...edge,
    animated: isRunning,
    style: color === undefined ? undefined : { stroke: color, strokeWidth: 1.6 },
    markerEnd: { type: MarkerType.ArrowClosed, width: 16, height: 16, color },
  };
}
