import { Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ProblemPanel } from './problem-panel';

interface QueryLike<T> {
  data?: T | undefined;
  error?: unknown;
  refetch: () => Promise<unknown>;
}

/** The data of a query without null in root fields: these are null only together with an error, and then no data is shown. */
export type WithValues<T> = { [Name in keyof T]: NonNullable<T[Name]> };

export interface QueryViewProps<T> {
  /** The result of `useQuery`. */
  query: QueryLike<T>;
  /** Shown while the query loads, with the outline of the content. Default: three lines. */
  skeleton?: ReactNode;
  children: (data: WithValues<T>) => ReactNode;
}

/** Shows a query: a skeleton while it loads, an error with a way to try again, else the content. */
export function QueryView<T>({ query, skeleton, children }: QueryViewProps<T>) {
  const { data, error, refetch } = query;
  if (data !== undefined) return children(data as WithValues<T>);
  if (error) return <ProblemPanel error={error} onRetry={() => void refetch().catch(() => undefined)} />;
  return skeleton ?? <LinesSkeleton />;
}

export function LinesSkeleton({ lines = 3 }: { lines?: number }) {
  const heights = Array.from({ length: lines }, (_, index) => `line ${index}`);
  return (
    <Stack gap="sm" aria-busy="true" aria-label="Loading">
      {heights.map(key => (
        <Skeleton key={key} height={36} />
      ))}
    </Stack>
  );
}
