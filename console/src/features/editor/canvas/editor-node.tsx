import { UnstyledButton } from '@mantine/core';
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { createContext, memo, useContext } from 'react';
import { FALLBACK_COLOR, NodeIcon } from '@/canvas/node-icon';
import type { Output } from '@/canvas/node-outputs';
import { IconAlertCircle, IconAlertTriangle, IconPin, IconPlus } from '@/icons';
import { colorOfState, labelOfState, toneOf } from '@/shared/status-badge';
import { formatDuration } from '@/shared/time';
import { type Issue, useEditorActions } from '../editor-context';
import type { GraphNode } from '../model/graph';
import type { Kind } from '../model/kinds';
import { HEADER_HEIGHT, outputCenter } from '../model/layout';
import type { RunNode } from '../model/run-state';

export interface FlowNodeData extends Record<string, unknown> {
  node: GraphNode;
  label: string;
  kind: Kind | undefined;
  outputs: readonly Output[];
  /** The handles of the outputs without a link; '' is the only output of a node. */
  openHandles: readonly string[];
  issues: readonly Issue[];
  run: RunNode | undefined;
  isPinned: boolean;
  canEdit: boolean;
}

export type FlowNode = Node<FlowNodeData, 'card'>;

/** Whether nodes are drawn as plain areas: each part of a node takes time in each frame while the canvas moves. */
export const PlainNodes = createContext(false);

/** A node on the canvas: its kind, its outputs, and its state in the run that is shown. */
export const EditorNode = memo(({ id, data, selected }: NodeProps<FlowNode>) => {
  const { kind, issues, run } = data;
  const isPlain = useContext(PlainNodes);
  return (
    <div
      className="editor-node canvas-node"
      style={{ '--kind-color': kind?.uiHints.color ?? FALLBACK_COLOR } as React.CSSProperties}
      data-selected={selected || undefined}
      data-state={run && toneOf(run.state)}
      data-skipped={run?.state === 'SKIPPED' || undefined}
      data-faulty={issues.some(({ severity }) => severity === 'ERROR') || undefined}
    >
      {!isPlain && <NodeParts id={id} data={data} />}
    </div>
  );
});

/** The texts and handles of a node. The places of the handles are also in `use-flow.ts`. */
function NodeParts({ id, data }: { id: string; data: FlowNodeData }) {
  const { label, kind, outputs, issues, run, openHandles, isPinned, canEdit } = data;
  return (
    <>
      {kind?.category !== 'START' && (
        <Handle type="target" position={Position.Left} style={{ top: HEADER_HEIGHT / 2 }} />
      )}
      <div className="editor-node-head">
        <NodeIcon name={kind?.uiHints.icon} color={kind?.uiHints.color} />
        <div className="node-card-text">
          <strong title={label}>{label}</strong>
          <span>{detailOf(data)}</span>
        </div>
        {isPinned && <IconPin size={15} role="img" aria-label="Result pinned" className="editor-node-pin" />}
        <NodeStatusIcon issues={issues} run={run} />
      </div>
      {outputs.length > 1 && (
        <div className="editor-node-outputs">
          {outputs.map(({ handle, title }) => (
            <span key={handle}>{title}</span>
          ))}
        </div>
      )}
      {kind?.category !== 'END' &&
        outputs.map(({ handle, title }, index) => (
          <OutputHandle
            key={handle ?? ''}
            id={id}
            handle={handle}
            title={title || label}
            top={outputCenter(index, outputs.length)}
            isOpen={canEdit && openHandles.includes(handle ?? '')}
          />
        ))}
    </>
  );
}

function detailOf({ kind, node, run }: FlowNodeData): string {
  if (run?.startedAt && run.endedAt) {
    const seconds = (Date.parse(run.endedAt) - Date.parse(run.startedAt)) / 1_000;
    return `${labelOfState(run.state)} · ${formatDuration(seconds)}`;
  }
  if (run) return labelOfState(run.state);
  return kind?.title ?? `Unknown kind ${node.type}`;
}

function NodeStatusIcon({ issues, run }: Pick<FlowNodeData, 'issues' | 'run'>) {
  if (run) {
    return (
      <span
        className={toneOf(run.state) === 'active' ? 'node-card-state console-pulse' : 'node-card-state'}
        role="img"
        aria-label={labelOfState(run.state)}
        style={{ background: colorOfState(run.state) }}
      />
    );
  }
  if (issues.length === 0) return null;
  const isError = issues.some(({ severity }) => severity === 'ERROR');
  const Icon = isError ? IconAlertCircle : IconAlertTriangle;
  return (
    <span
      className="editor-node-issue"
      data-severity={isError ? 'error' : 'warning'}
      title={issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('\n')}
    >
      <Icon size={17} role="img" aria-label={isError ? 'Has errors' : 'Has warnings'} />
    </span>
  );
}

interface OutputHandleProps {
  id: string;
  handle: string | null;
  title: string;
  top: number;
  isOpen: boolean;
}

/** An output. Without a link it has a button that adds the next node. */
function OutputHandle({ id, handle, title, top, isOpen }: OutputHandleProps) {
  const { openPicker } = useEditorActions();
  return (
    <>
      <Handle id={handle ?? undefined} type="source" position={Position.Right} style={{ top }} />
      {isOpen && (
        <UnstyledButton
          className="editor-node-add nodrag nopan"
          style={{ top }}
          aria-label={`Add a node after ${title}`}
          onClick={event => {
            event.stopPropagation();
            const { right, top: above } = event.currentTarget.getBoundingClientRect();
            openPicker({ position: null, link: { source: id, handle }, at: { x: right + 8, y: above - 12 } });
          }}
        >
          <IconPlus size={13} stroke={2.2} />
        </UnstyledButton>
      )}
    </>
  );
}
