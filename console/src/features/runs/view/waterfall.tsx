import { Box, Text, UnstyledButton } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import { NodeIcon } from '@/canvas/node-icon';
import type { CanvasKind } from '@/canvas/use-node-kinds';
import { IconChevronDown, IconChevronRight } from '@/icons';
import { colorOfState, labelOfState } from '@/shared/status-badge';
import { formatDuration } from '@/shared/time';
import { maximum, minimum } from './executions';
import type { Execution, Period } from './run-trace';

export interface WaterfallProps {
  executions: readonly Execution[];
  /** The start of the timeline. Null until the run starts. */
  runStartedAt: string | null;
  nodes: ReadonlyMap<string, { label: string; kind: CanvasKind | undefined }>;
  /** The key of an execution. */
  selected: string | null;
  onSelect: (key: string) => void;
  isLive: boolean;
}

interface Row {
  id: string;
  execution: Execution;
  label: string;
  depth: number;
  /** A step of an agent. Absent: the execution itself. */
  step?: Execution['steps'][number];
  /** Number of rows below it, and whether they are shown. */
  children: number;
  isOpen: boolean;
}

/** Height of `.waterfall-row` in run.css, in pixels. */
const ROW_HEIGHT = 34;
/** Bars of running nodes grow this often. */
const REDRAW_MS = 250;

/**
 * The timeline of a run. It shows when each node ran: attempts as bars, waits as stripes, steps of agents and iterations of
 * loops below their node.
 */
export function Waterfall({ executions, runStartedAt, nodes, selected, onSelect, isLive }: WaterfallProps) {
  // The rows that the user opened, and for executions with steps, which are open at first, closed.
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const now = useNow(isLive);
  const area = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => rowsOf(executions, nodes, toggled), [executions, nodes, toggled]);
  const timed = executions.filter(({ startedAt }) => startedAt !== null);
  const firstStart = minimum(timed.map(({ startedAt }) => startedAt as number));
  const from = runStartedAt === null ? firstStart : Math.min(Date.parse(runStartedAt), firstStart);
  const to = Math.max(from + 1, maximum(timed.map(({ endedAt }) => endedAt ?? now)));
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => area.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
  });
  const toggle = (id: string) => {
    const next = new Set(toggled);
    if (!next.delete(id)) next.add(id);
    setToggled(next);
  };
  if (timed.length === 0)
    return (
      <Text c="dimmed" fz="sm" p="md">
        {isLive ? 'The timeline appears with the first node.' : 'The times of this run have expired.'}
      </Text>
    );
  return (
    <Box className="waterfall">
      <Ruler span={to - from} />
      <div ref={area} className="waterfall-rows">
        <ul style={{ height: virtual.getTotalSize() }} aria-label="Timeline">
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index] as Row;
            return (
              <li key={row.id} style={{ transform: `translateY(${start}px)` }}>
                <RowView
                  row={row}
                  kind={nodes.get(row.execution.nodeId)?.kind}
                  scale={{ from, span: to - from, now }}
                  isSelected={row.execution.key === selected && row.step === undefined}
                  onSelect={() => onSelect(row.execution.key)}
                  onToggle={() => toggle(row.id)}
                />
              </li>
            );
          })}
        </ul>
      </div>
    </Box>
  );
}

/** The time that the timeline shows, in milliseconds: its start since 1970, its length, and the present. */
interface Scale {
  from: number;
  span: number;
  now: number;
}

interface RowViewProps {
  row: Row;
  kind: CanvasKind | undefined;
  scale: Scale;
  isSelected: boolean;
  onSelect: () => void;
  onToggle: () => void;
}

function RowView({ row, kind, scale, isSelected, onSelect, onToggle }: RowViewProps) {
  const { execution, step, label, depth, children, isOpen } = row;
  const period = step ?? { from: execution.startedAt ?? scale.now, to: execution.endedAt };
  const isTimed = step !== undefined || execution.startedAt !== null;
  const seconds = ((period.to ?? scale.now) - period.from) / 1_000;
  return (
    <div className="waterfall-row" data-selected={isSelected || undefined}>
      <div className="waterfall-name" style={{ paddingInlineStart: depth * 18 }}>
        {children > 0 ? (
          <UnstyledButton
            onClick={onToggle}
            aria-expanded={isOpen}
            aria-label={`${isOpen ? 'Hide' : 'Show'} the parts of ${label}`}
            className="waterfall-toggle"
          >
            {isOpen ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
          </UnstyledButton>
        ) : (
          <span className="waterfall-toggle" />
        )}
        <UnstyledButton className="waterfall-label" onClick={onSelect} aria-pressed={isSelected}>
          {step === undefined && <NodeIcon name={kind?.uiHints.icon} color={kind?.uiHints.color} size={20} />}
          <span title={label}>{label}</span>
          {children > 0 && !isOpen && <em>{children.toLocaleString()}</em>}
        </UnstyledButton>
      </div>
      <button
        type="button"
        tabIndex={-1}
        className="waterfall-track"
        onClick={onSelect}
        aria-label={`${label}: ${labelOfState(execution.state)}`}
      >
        {isTimed &&
          (step === undefined ? (
            <ExecutionBars execution={execution} scale={scale} />
          ) : (
            <Bar
              period={step}
              scale={scale}
              color="var(--waterfall-step)"
              title={`${label}, ${formatDuration(seconds)}`}
            />
          ))}
      </button>
      <span className="waterfall-time tabular">
        {isTimed ? formatDuration(Math.max(0, seconds)) : execution.isReused ? 'Reused' : labelOfState(execution.state)}
      </span>
    </div>
  );
}

function ExecutionBars({ execution, scale }: { execution: Execution; scale: Scale }) {
  const { attempts, startedAt, endedAt, waits, state } = execution;
  const periods =
    attempts.length > 0 ? attempts : [{ from: startedAt ?? scale.now, to: endedAt, error: null, number: 1 }];
  return (
    <>
      {periods.map((attempt, index) => {
        const isLast = index === periods.length - 1;
        const end = attempt.to ?? (isLast ? endedAt : null);
        const seconds = ((end ?? scale.now) - attempt.from) / 1_000;
        const title = `Attempt ${attempt.number}, ${formatDuration(seconds)}${attempt.error ? `: ${attempt.error.message}` : ''}`;
        return (
          <Bar
            key={attempt.number}
            period={{ from: attempt.from, to: end }}
            scale={scale}
            color={colorOfState(attempt.error && !isLast ? 'FAILED' : state)}
            title={title}
          />
        );
      })}
      {waits.map(wait => (
        <Bar key={wait.from} period={wait} scale={scale} isWait title="Waiting" />
      ))}
    </>
  );
}

interface BarProps {
  period: Period;
  scale: Scale;
  color?: string;
  isWait?: boolean;
  title: string;
}

function Bar({ period: { from, to }, scale, color, isWait = false, title }: BarProps) {
  const start = ((from - scale.from) / scale.span) * 100;
  const width = (((to ?? scale.now) - from) / scale.span) * 100;
  return (
    <span
      className={isWait ? 'waterfall-bar waterfall-wait' : 'waterfall-bar'}
      title={title}
      style={{
        left: `min(${start}%, calc(100% - 3px))`,
        width: `max(3px, ${Math.min(width, 100 - start)}%)`,
        background: color,
      }}
    />
  );
}

function Ruler({ span }: { span: number }) {
  return (
    <div className="waterfall-ruler tabular" aria-hidden>
      <span className="waterfall-name">Node</span>
      <span className="waterfall-ticks">
        {[0, 0.25, 0.5, 0.75, 1].map(part => (
          <span key={part} style={{ left: `${part * 100}%` }}>
            {part === 0 ? '0' : formatDuration((span * part) / 1_000)}
          </span>
        ))}
      </span>
      <span className="waterfall-time" />
    </div>
  );
}

/** The time, kept current while something runs. */
function useNow(isLive: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isLive) return;
    const timer = setInterval(() => setNow(Date.now()), REDRAW_MS);
    return () => clearInterval(timer);
  }, [isLive]);
  return now;
}

/** Nodes, the iterations of nodes in loops below the first of them, and steps below their execution. */
function rowsOf(executions: readonly Execution[], nodes: WaterfallProps['nodes'], toggled: ReadonlySet<string>): Row[] {
  const labelOf = ({ nodeId }: Execution) => nodes.get(nodeId)?.label ?? nodeId;
  const inLoops = executions.filter(({ iteration }) => iteration !== null);
  const iterations = Map.groupBy(inLoops, ({ nodeId }) => nodeId);
  const shown: Execution[] = [];
  const listedNodes = new Set<string>();
  for (const execution of executions) {
    if (execution.state === 'SKIPPED' && execution.startedAt === null) continue;
    if (execution.iteration !== null) {
      if (listedNodes.has(execution.nodeId)) continue;
      listedNodes.add(execution.nodeId);
    }
    shown.push(execution);
  }
  return shown.flatMap(execution => {
    const group = execution.iteration === null ? [] : (iterations.get(execution.nodeId) ?? []);
    return group.length > 1
      ? groupRows(execution, group, labelOf(execution), toggled)
      : executionRows(execution, execution.iteration === null ? 0 : 1, labelOf(execution), toggled);
  });
}

/** A row that stands for all iterations of a node, and below it one for each of them if it is open. */
function groupRows(first: Execution, group: readonly Execution[], label: string, toggled: ReadonlySet<string>): Row[] {
  const id = `group ${first.nodeId}`;
  const isOpen = toggled.has(id);
  const executed = group.filter(({ isReused }) => !isReused);
  const starts = executed.flatMap(({ startedAt }) => startedAt ?? []);
  const ends = executed.map(({ endedAt }) => endedAt);
  const isFailed = group.some(({ state }) => state === 'FAILED');
  const summary: Execution = {
    ...first,
    state: isFailed ? 'FAILED' : ends.includes(null) ? 'RUNNING' : 'SUCCEEDED',
    isReused: executed.length === 0,
    startedAt: starts.length === 0 ? null : minimum(starts),
    endedAt: ends.length === 0 || ends.includes(null) ? null : maximum(ends as number[]),
    attempts: [],
    waits: [],
    steps: [],
  };
  const head: Row = { id, execution: summary, label, depth: 1, children: group.length, isOpen };
  if (!isOpen) return [head];
  return [head, ...group.flatMap(one => executionRows(one, 2, `${label} #${one.iteration}`, toggled))];
}

function executionRows(execution: Execution, depth: number, label: string, toggled: ReadonlySet<string>): Row[] {
  const { key, steps } = execution;
  // Steps are shown at first: they are what an agent did.
  const isOpen = steps.length > 0 && !toggled.has(key);
  const head: Row = { id: key, execution, label, depth, children: steps.length, isOpen };
  if (!isOpen) return [head];
  return [
    head,
    ...steps.map(
      (step, index): Row => ({
        id: `${key} step ${index}`,
        execution,
        label: step.tool ?? step.name,
        depth: depth + 1,
        step,
        children: 0,
        isOpen: false,
      }),
    ),
  ];
}
