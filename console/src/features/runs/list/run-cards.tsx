import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { Money } from '@/shared/money';
import { StatusBadge } from '@/shared/status-badge';
import { Duration, RelativeTime } from '@/shared/time';
import type { RunRowFragment } from './runs.generated';
import type { RunList } from './use-run-list';

/** Height of a card with the distance below it in pixels, as in runs.css. */
const CARD_HEIGHT = 82;

export interface RunCardsProps {
  projectId: number;
  list: RunList;
}

/** The list of runs on phones. The page scrolls, and only visible cards are drawn. */
export function RunCards({ projectId, list: { count, rowAt, show } }: RunCardsProps) {
  const list = useRef<HTMLUListElement>(null);
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => CARD_HEIGHT,
    overscan: 8,
    scrollMargin: list.current?.offsetTop ?? 0,
  });
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => show(first, last), [show, first, last]);
  return (
    <ul ref={list} className="runs-cards" style={{ height: virtual.getTotalSize() }} aria-label="Runs">
      {items.map(({ index, start }) => {
        const run = rowAt(index);
        return (
          <li key={run?.id ?? index} style={{ transform: `translateY(${start - virtual.options.scrollMargin}px)` }}>
            {run ? <RunCard projectId={projectId} run={run} /> : <Skeleton className="runs-card" />}
          </li>
        );
      })}
    </ul>
  );
}

function RunCard({ projectId, run }: { projectId: number; run: RunRowFragment }) {
  return (
    <Link
      to="/projects/$projectId/runs/$runId"
      params={{ projectId: String(projectId), runId: run.id }}
      className="runs-card"
    >
      <Stack gap={4}>
        <Group justify="space-between" wrap="nowrap">
          <Text fw={500} truncate>
            {run.workflow?.title ?? 'Graph without a workflow'}
          </Text>
          <StatusBadge state={run.state} />
        </Group>
        <Group justify="space-between" fz="sm" c="dimmed" wrap="nowrap">
          <RelativeTime at={run.createdAt} />
          {run.tags.length > 0 && (
            <Text fz="xs" truncate>
              {run.tags.join(', ')}
            </Text>
          )}
          <span className="runs-card-figures">
            <Duration seconds={run.duration} /> · <Money usd={run.cost.usd} />
          </span>
        </Group>
      </Stack>
    </Link>
  );
}
