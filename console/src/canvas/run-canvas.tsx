import {
  Background,
  Controls,
  type Edge,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
} from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import './canvas.css';
import { useMantineColorScheme } from '@mantine/core';
import { memo, type ReactNode, useMemo } from 'react';
import { CanvasDetail } from './canvas-detail';
import type { CanvasGraph } from './graph';
import { MANY_NODES, NODE_HEIGHT, NODE_WIDTH, positionsOf } from './layout';
import { NodeCard } from './node-card';
import { type CanvasKind, type Output, outputsOf, useNodeKinds } from './use-node-kinds';

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

/** A graph that can be moved and zoomed but not edited. Nodes show their state in a run. */
export function RunCanvas({ graph, marks, selected, onSelect, label }: RunCanvasProps) {
  const kinds = useNodeKinds();
  const { colorScheme } = useMantineColorScheme();
  const positions = useMemo(() => positionsOf(graph), [graph]);
  const nodes = useMemo(
    () =>
      graph.nodes.map((node): CardNode => {
        const kind = kinds.get(node.type);
        const mark = marks.get(node.id);
        return {
          id: node.id,
          type: 'card',
          position: positions.get(node.id) ?? { x: 0, y: 0 },
          width: NODE_WIDTH,
          height: NODE_HEIGHT,
          selected: node.id === selected,
          ariaLabel: `${node.label}, ${(mark?.state ?? 'not started').toLowerCase()}`,
          data: { label: node.label, kind, outputs: outputsOf(kind, node.data), mark },
        };
      }),
    [graph, kinds, marks, positions, selected],
  );
  const edges = useMemo(() => graph.edges.map(edge => toEdge(edge, graph, marks, kinds)), [graph, marks, kinds]);
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
        onNodeClick={(_, node) => onSelect(node.id)}
        onPaneClick={() => onSelect(null)}
        onNodesChange={changes => {
          // Enter and Space select a focused node.
          const change = changes.find(one => one.type === 'select' && one.selected);
          if (change?.type === 'select' && change.id !== selected) onSelect(change.id);
        }}
        fitView
        fitViewOptions={{ padding: 0.12, maxZoom: 1, minZoom: 0.4 }}
        minZoom={0.1}
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

function toEdge(
  { id, source, target, handle }: CanvasGraph['edges'][number],
  { nodes }: CanvasGraph,
  marks: ReadonlyMap<string, NodeMark>,
  kinds: ReadonlyMap<string, CanvasKind>,
): Edge {
  const node = nodes.find(one => one.id === source);
  const output = node && outputsOf(kinds.get(node.type), node.data).find(one => one.handle === handle);
  const sourceState = marks.get(source)?.state;
  const targetState = marks.get(target)?.state;
  const isTaken = [sourceState, targetState].every(state => state !== undefined && state !== 'SKIPPED');
  const color = isTaken ? 'var(--mantine-primary-color-filled)' : undefined;
  return {
    id,
    source,
    target,
    // A handle that the kind does not have would hide the edge.
    sourceHandle: output ? handle : null,
    label: output && handle !== null ? output.title : undefined,
    animated: targetState === 'RUNNING',
    style: color === undefined ? undefined : { stroke: color, strokeWidth: 1.6 },
    markerEnd: { type: MarkerType.ArrowClosed, width: 16, height: 16, color },
  };
}
