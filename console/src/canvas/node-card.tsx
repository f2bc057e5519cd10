import type { ReactNode } from 'react';
import { colorOfState, labelOfState, toneOf } from '@/shared/status-badge';
import { FALLBACK_COLOR, NodeIcon } from './node-icon';
import type { CanvasKind } from './use-node-kinds';

export interface NodeCardProps {
  label: string;
  kind: CanvasKind | undefined;
  /** The state of the node in a run. Absent: the node has none. */
  state?: string;
  /** Second line. Default: the title of the kind. */
  detail?: ReactNode;
  isSelected?: boolean;
}

/** A node as every canvas draws it: icon, label, kind and state. */
export function NodeCard({ label, kind, state, detail, isSelected = false }: NodeCardProps) {
  return (
    <div
      className="node-card canvas-node"
      style={{ '--kind-color': kind?.uiHints.color ?? FALLBACK_COLOR } as React.CSSProperties}
      data-state={state && toneOf(state)}
      data-skipped={state === 'SKIPPED' || undefined}
      data-selected={isSelected || undefined}
    >
      <NodeIcon name={kind?.uiHints.icon} color={kind?.uiHints.color} />
      <div className="node-card-text">
        <strong title={label}>{label}</strong>
        <span>{detail ?? kind?.title}</span>
      </div>
      {state && (
        <span
          className={toneOf(state) === 'active' ? 'node-card-state console-pulse' : 'node-card-state'}
          role="img"
          aria-label={labelOfState(state)}
          title={labelOfState(state)}
          style={{ background: colorOfState(state) }}
        />
      )}
    </div>
  );
}
