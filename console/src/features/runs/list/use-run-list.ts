import { useQuery, useSubscription } from '@apollo/client/react';
import { useDebouncedCallback } from '@mantine/hooks';
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import { onConnectionChange } from '@/api/connection';
import { loadRuns, newestFirstPage } from './first-page';
import { type LoadedPage, PAGE_SIZE, PageWindow, type WindowSnapshot } from './page-window';
import type { toVariables } from './run-filter';
import { RunCountDocument, RunListActivityDocument, type RunListQuery, type RunRowFragment } from './runs.generated';

/** Events within this time cause one request. */
const DEBOUNCE_MS = 500;

export type RunFilterVariables = ReturnType<typeof toVariables>;

export interface RunList extends WindowSnapshot<RunRowFragment> {
  /** Number of all runs that fit the filter. Undefined until it is counted, which starts after the first page. */
  total: number | undefined;
  show: (first: number, last: number) => void;
  refresh: () => void;
}

/** The runs that fit a filter, loaded as the list is scrolled and kept current by the activity of the project. */
export function useRunList(projectId: number, filter: RunFilterVariables): RunList {
  const list = useMemo(() => {
    const variables = (after: string | null) => ({ ...filter, first: PAGE_SIZE, after });
    const newest = newestFirstPage(variables(null));
    return new PageWindow<RunRowFragment>(
      async after => toPage(await loadRuns(variables(after))),
      newest && toPage(newest),
    );
  }, [filter]);
  const snapshot = useSyncExternalStore(list.subscribe, list.snapshot);
  const { data: counted, refetch: countAgain } = useQuery(RunCountDocument, {
    variables: filter,
    skip: snapshot.rows === undefined,
  });
  const refresh = useCallback(() => {
    list.refresh();
    // The list stays usable without the count. The next change counts again.
    countAgain().catch(() => undefined);
  }, [list, countAgain]);
  const refreshSoon = useDebouncedCallback(refresh, DEBOUNCE_MS);
  useEffect(() => onConnectionChange(connection => connection === 'online' && refresh()), [refresh]);
  useSubscription(RunListActivityDocument, {
    variables: { projectId },
    ignoreResults: true,
    onData: ({ data: { data: event } }) => {
      if (event?.projectActivity.kind === 'WORKFLOW_RUN') refreshSoon();
    },
  });
  return { ...snapshot, total: counted?.workflowRunsConnection.totalCount, show: list.show, refresh };
}

/** A page of the query in the form of `PageWindow`. */
export function toPage({ workflowRunsConnection: { nodes, pageInfo } }: RunListQuery) {
  return { rows: nodes, ...pageInfo } satisfies LoadedPage<RunRowFragment>;
}
