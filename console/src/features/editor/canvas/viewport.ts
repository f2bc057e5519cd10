import type { useReactFlow } from '@xyflow/react';
import type { Point } from '../model/graph';
import { HEADER_HEIGHT, NODE_WIDTH } from '../model/layout';
import type { FlowNode } from './editor-node';
import type { FlowEdge } from './use-flow';

export type Flow = ReturnType<typeof useReactFlow<FlowNode, FlowEdge>>;

/** Shows the whole graph. A constant: with a new object the canvas would render all nodes again. */
export const FIT_VIEW = { padding: 0.2, maxZoom: 1 };

/** The position of a node in the middle of the visible part of the canvas. Null: there is no canvas. */
export function centerOf(flow: Flow): Point | null {
  const area = document.querySelector('.editor-canvas')?.getBoundingClientRect();
  if (!area) return null;
  const { x, y } = flow.screenToFlowPosition({ x: area.x + area.width / 2, y: area.y + area.height / 2 });
  return { x: x - NODE_WIDTH / 2, y: y - HEADER_HEIGHT / 2 };
}
