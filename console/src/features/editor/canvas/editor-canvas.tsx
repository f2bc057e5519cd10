import '@xyflow/react/dist/style.css';
import '@/canvas/canvas.css';
import './editor-canvas.css';
import { Text, useMantineColorScheme } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import {
  Background,
  type Connection,
  Controls,
  type FinalConnectionState,
  MiniMap,
  ReactFlow,
  type ReactFlowInstance,
  SelectionMode,
  useReactFlow,
} from '@xyflow/react';
import { type DragEvent, useCallback, useEffect } from 'react';
import { CanvasDetail, useIsFar } from '@/canvas/canvas-detail';
import { MANY_NODES } from '@/canvas/layout';
import { FALLBACK_COLOR } from '@/canvas/node-icon';
import { useEditorActions, useEditorView } from '../editor-context';
import { connect, type Graph, leadsTo, nodeOf, nodesOf, type Point } from '../model/graph';
import { HEADER_HEIGHT, NODE_WIDTH } from '../model/layout';
import { EditorNode, type FlowNode, PlainNodes } from './editor-node';
import { DRAG_TYPE } from './kind-list';
import { NoteLayer } from './note-layer';
import { type FlowEdge, useFlow } from './use-flow';
import { FIT_VIEW } from './viewport';

const nodeTypes = { card: EditorNode };

/** Graphs up to this size have no minimap, because all nodes are visible. */
const FEW_NODES = 12;

/** A constant: with a new array all nodes would be rendered again. */
const SNAP_GRID: [number, number] = [4, 4];

/** Distance of the left edge of a dropped node from the pointer, in pixels. */
const GRIP = 40;

const windowPointOf = (event: MouseEvent | TouchEvent): Point => {
  const { clientX, clientY } =
    'changedTouches' in event ? (event.changedTouches[0] ?? { clientX: 0, clientY: 0 }) : event;
  return { x: clientX, y: clientY };
};

/** The open graph, to move, link, add and select its nodes. */
export function EditorCanvas({ selected }: { selected: readonly string[] }) {
  const view = useEditorView();
  const { kinds, canEdit } = view;
  const { change, openPicker, addNode, enterLoop } = useEditorActions();
  const { colorScheme } = useMantineColorScheme();
  const isWide = useMediaQuery('(min-width: 48em)');
  const flow = useReactFlow<FlowNode, FlowEdge>();
  const { nodes, edges, links, onNodesChange, onEdgesChange } = useFlow(view, selected);
  useVisibleSelection(selected, view.graph, flow);
  const isFar = useIsFar(nodesOf(view.graph).length);
  const onConnect = useCallback(
    ({ source, sourceHandle, target }: Connection) =>
      change(graph => connect(graph, kinds, { source, handle: sourceHandle, target })),
    [change, kinds],
  );
  const isValidConnection = useCallback(
    ({ source, target }: Connection | FlowEdge) => source !== target && !leadsTo(links, target, source),
    [links],
  );
  const onConnectEnd = useCallback(
    (event: MouseEvent | TouchEvent, { fromNode, fromHandle, isValid, toNode }: FinalConnectionState) => {
      if (isValid || toNode || !fromNode || fromHandle?.type !== 'source') return;
      const at = windowPointOf(event);
      const { x, y } = flow.screenToFlowPosition(at);
      const position = { x, y: y - HEADER_HEIGHT / 2 };
      openPicker({ position, at, link: { source: fromNode.id, handle: fromHandle.id ?? null } });
    },
    [flow, openPicker],
  );
  const onNodeDoubleClick = useCallback(
    (_: unknown, { id, data }: FlowNode) => {
      if (data.kind?.uiHints.fields.some(({ widget }) => widget === 'GRAPH')) enterLoop(id);
    },
    [enterLoop],
  );
  const onDrop = (event: DragEvent) => {
    const type = event.dataTransfer.getData(DRAG_TYPE);
    if (type === '') return;
    event.preventDefault();
    const { x, y } = flow.screenToFlowPosition({ x: event.clientX, y: event.clientY });
    addNode(type, { position: { x: x - GRIP, y: y - HEADER_HEIGHT / 2 }, at: null, link: null });
  };
  return (
    <div className="console-canvas editor-canvas" data-testid="editor-canvas" onPointerDownCapture={blurText}>
      <PlainNodes value={isFar}>
        <ReactFlow<FlowNode, FlowEdge>
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          onNodesChange={onNodesChange}
          onEdgesChange={onEdgesChange}
          onConnect={onConnect}
          onConnectEnd={onConnectEnd}
          isValidConnection={isValidConnection}
          onNodeDoubleClick={onNodeDoubleClick}
          onDragOver={event => {
            if (!event.dataTransfer.types.includes(DRAG_TYPE)) return;
            event.preventDefault();
            event.dataTransfer.dropEffect = 'copy';
          }}
          onDrop={onDrop}
          nodesDraggable={canEdit}
          nodesConnectable={canEdit}
          edgesReconnectable={false}
          colorMode={colorScheme === 'auto' ? 'system' : colorScheme}
          deleteKeyCode={null}
          selectionMode={SelectionMode.Partial}
          panOnScroll
          connectionRadius={32}
          snapToGrid
          snapGrid={SNAP_GRID}
          // A click selects. A drag would open the settings of the node, which takes longer than a frame.
          selectNodesOnDrag={false}
          fitView
          fitViewOptions={FIT_VIEW}
          minZoom={0.05}
          maxZoom={1.75}
          onlyRenderVisibleElements={nodes.length > MANY_NODES && !isFar}
          aria-label="Canvas of the workflow"
        >
          <CanvasDetail />
          <NoteLayer />
          <Background gap={20} size={1.3} />
          <Controls showInteractive={false} position="bottom-left" />
          {isWide && nodes.length > FEW_NODES && (
            <MiniMap pannable zoomable position="bottom-right" nodeColor={colorOf} />
          )}
        </ReactFlow>
      </PlainNodes>
      {nodes.length === 0 && (
        <div className="editor-canvas-empty">
          <Text fw={550}>Start with a trigger</Text>
          <Text fz="sm" c="dimmed">
            Choose it in the list, then add the next nodes at its right side.
          </Text>
        </div>
      )}
    </div>
  );
}

/** Opacity as the last two digits of a color. */
const SIXTY_PERCENT = '99';
const colorOf = ({ data }: FlowNode) => `${data.kind?.uiHints.color ?? FALLBACK_COLOR}${SIXTY_PERCENT}`;

/** Removes the focus from an edited text when the canvas is pressed, because the canvas does not take the focus itself. */
function blurText({ target }: React.PointerEvent): void {
  const active = document.activeElement;
  if (active instanceof HTMLElement && active !== target && !active.contains(target as Element)) active.blur();
}

/**
 * Free space in pixels around a visible node: at the right for the button that adds the next one, at the bottom for the
 * mini-map and the controls.
 */
const MARGIN = { left: 24, top: 24, right: 72, bottom: 120 };

/** How far a section of an axis must move to lie between two limits. Of a section that does not fit, the start is visible. */
function shiftInto(start: number, end: number, min: number, max: number): number {
  if (start < min) return min - start;
  return end > max ? Math.max(max - end, min - start) : 0;
}

/** Moves the canvas, as little as possible, when a node was selected or added outside of it. */
function useVisibleSelection(selected: readonly string[], graph: Graph, flow: ReactFlowInstance<FlowNode, FlowEdge>) {
  const [only] = selected;
  const id = selected.length === 1 ? only : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: moving a node does not move the canvas.
  useEffect(() => {
    const node = nodeOf(graph, id ?? null);
    const area = document.querySelector('.editor-canvas')?.getBoundingClientRect();
    if (!node || !area) return;
    const { x, y } = flow.flowToScreenPosition(node.position);
    const zoom = flow.getZoom();
    const { left, top, right, bottom } = MARGIN;
    const byX = shiftInto(x, x + NODE_WIDTH * zoom, area.left + left, area.right - right);
    const byY = shiftInto(y, y + HEADER_HEIGHT * zoom, area.top + top, area.bottom - bottom);
    if (byX === 0 && byY === 0) return;
    const viewport = flow.getViewport();
    void flow.setViewport({ x: viewport.x + byX, y: viewport.y + byY, zoom }, { duration: 200 });
  }, [id, flow]);
}
