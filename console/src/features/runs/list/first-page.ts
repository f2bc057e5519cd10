import { client } from '@/api/client';
import { onSessionChange } from '@/session/session';
import { PAGE_SIZE } from './page-window';
import { type RunsSearch, toVariables } from './run-filter';
import { RunListDocument, type RunListQuery, type RunListQueryVariables } from './runs.generated';

/** A requested page that is not used within this time is requested again. */
const MAX_AGE_MS = 5_000;

/** The first page that was requested before its screen, until it is used. */
let requested: { key: string; at: number; data: Promise<RunListQuery> } | null = null;
/** The first page that was loaded last. */
let newest: { key: string; data: RunListQuery } | null = null;

onSessionChange(() => {
  requested = null;
  newest = null;
});

/** Requests the first page before the screen is rendered, which takes longer than the request. */
export function requestFirstPage(projectId: number, search: RunsSearch): void {
  const variables = { ...toVariables(projectId, search, Date.now()), first: PAGE_SIZE, after: null };
  const data = queryRuns(variables);
  requested = { key: JSON.stringify(variables), at: Date.now(), data };
  // The screen shows the error when it uses the page.
  data.catch(() => undefined);
}

/** Returns a page of runs: the requested first page, once, or a new request. */
export function loadRuns(variables: RunListQueryVariables): Promise<RunListQuery> {
  const page = requested;
  if (page === null || page.key !== JSON.stringify(variables)) return queryRuns(variables);
  requested = null;
  return Date.now() - page.at < MAX_AGE_MS ? page.data : queryRuns(variables);
}

/** Returns the first page if it was loaded last, to be shown until it is loaded again. */
export function newestFirstPage(variables: RunListQueryVariables): RunListQuery | undefined {
  return newest?.key === JSON.stringify(variables) ? newest.data : undefined;
}

/** The cache is not used: it never forgets rows, and storing a hundred of them takes longer than drawing the visible ones. */
async function queryRuns(variables: RunListQueryVariables): Promise<RunListQuery> {
  const result = await client.query({ query: RunListDocument, variables, fetchPolicy: 'no-cache' });
  const data = result.data as RunListQuery;
  if (variables.after === null) newest = { key: JSON.stringify(variables), data };
  return data;
}
