import { Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { LoggedEvent } from './run-trace';

/** Height of `.run-list-row` in run.css, in pixels. */
const ROW_HEIGHT = 32;
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

export interface EventLogProps {
  events: readonly LoggedEvent[];
  /** Number of older events that are not kept. */
  dropped: number;
  labelOf: (nodeId: string) => string;
  isLive: boolean;
}

/** Every change of the run, the newest first. Only visible rows are drawn. */
export function EventLog({ events, dropped, labelOf, isLive }: EventLogProps) {
  const area = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: events.length,
    getScrollElement: () => area.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  if (events.length === 0)
    return (
      <Text c="dimmed" fz="sm" p="md">
        {isLive ? 'Nothing has happened yet.' : 'The events of this run have expired.'}
      </Text>
    );
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a scrolled area, reached by the keyboard (WCAG 2.2, 2.1.1). */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: as above. */}
      <div ref={area} className="run-scroll" role="region" aria-label="Events" tabIndex={0}>
        <ol style={{ position: 'relative', height: virtual.getTotalSize(), margin: 0, padding: 0, listStyle: 'none' }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const event = events[events.length - 1 - index] as LoggedEvent;
            return (
              <li
                key={event.sequence}
                className="run-list-row"
                style={{ position: 'absolute', insetInline: 0, transform: `translateY(${start}px)` }}
              >
                <small className="tabular">{event.sequence}</small>
                <time dateTime={event.at} title={event.at} className="tabular">
                  {clock.format(new Date(event.at))}
                </time>
                <span>{describe(event, labelOf)}</span>
                <span title={event.detail ?? undefined}>{event.detail}</span>
              </li>
            );
          })}
        </ol>
      </div>
      {dropped > 0 && (
        <Text fz="xs" c="dimmed" p="xs">
          {dropped.toLocaleString()} older events are not shown.
        </Text>
      )}
    </>
  );
}

/** For example "Ask the model #3 step started": the event without its first word, which names what changed. */
function describe({ kind, nodeId, iteration }: LoggedEvent, labelOf: (nodeId: string) => string): string {
  const words = kind.toLowerCase().split('_');
  const verb = words.slice(1).join(' ');
  if (nodeId === null) return `Run ${verb}`;
  return `${labelOf(nodeId)}${iteration === null ? '' : ` #${iteration}`} ${verb}`;
}
