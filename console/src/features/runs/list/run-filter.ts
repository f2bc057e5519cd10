import type { RunListQueryVariables } from './runs.generated';

export const RUN_STATES = ['RUNNING', 'WAITING', 'QUEUED', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'DRAFT'] as const;
/** States of runs that can be cancelled. */
export const ACTIVE_STATES: readonly string[] = ['QUEUED', 'RUNNING', 'WAITING'];
export type RunState = (typeof RUN_STATES)[number];

/** Periods that the list offers, in hours. */
export const PERIODS = { '1h': 1, '24h': 24, '7d': 24 * 7, '30d': 24 * 30 } as const;
export type Period = keyof typeof PERIODS;

/** Minimum costs that the list offers, in US dollars. */
export const COSTS = ['0.001', '0.01', '0.1', '1', '10'] as const;

/** Minimum and maximum characters of a searched text that the service accepts. */
const MIN_TEXT = 2;
export const MAX_TEXT = 200;
/** Maximum tags of a run and of a filter, and characters of a tag. */
export const MAX_TAGS = 20;
export const MAX_TAG = 64;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The filters of the list in the address. */
export interface RunsSearch {
  workflow?: number;
  states?: RunState[];
  period?: Period;
  /** The minimum cost in US dollars. */
  cost?: (typeof COSTS)[number];
  tags?: string[];
  /** Occurs in the input or the result, or starts the id. */
  text?: string;
}

/** Parses the filters in the search parameters of the URL. Invalid values are omitted. */
export function parseRunsSearch(search: Record<string, unknown>): RunsSearch {
  const workflow = Number(search.workflow);
  const requestedStates = Array.isArray(search.states) ? search.states : [search.states];
  const states = RUN_STATES.filter(state => requestedStates.includes(state));
  const period = (Object.keys(PERIODS) as Period[]).find(one => one === search.period);
  const cost = COSTS.find(one => one === String(search.cost));
  const tags = (Array.isArray(search.tags) ? search.tags : [search.tags]).filter(isText).slice(0, MAX_TAGS);
  const text = isText(search.text) ? search.text.slice(0, MAX_TEXT) : undefined;
  return {
    ...(Number.isInteger(workflow) && workflow > 0 ? { workflow } : {}),
    ...(states.length > 0 ? { states } : {}),
    ...(period === undefined ? {} : { period }),
    ...(cost === undefined ? {} : { cost }),
    ...(tags.length > 0 ? { tags } : {}),
    ...(text === undefined ? {} : { text }),
  };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

export function isFiltered({ workflow, states, period, cost, tags, text }: RunsSearch): boolean {
  return [workflow, states, period, cost, tags, text].some(one => one !== undefined);
}

/** The address without filters. */
export const NO_FILTERS = {
  workflow: undefined,
  states: undefined,
  period: undefined,
  cost: undefined,
  tags: undefined,
  text: undefined,
};

/**
 * The variables of the query for the filters in the address. `now` is in milliseconds since 1970. The start of a period is a
 * full minute, so that the same filter is the same request for a minute.
 */
export function toVariables(
  projectId: number,
  { workflow, states, period, cost, tags, text }: RunsSearch,
  now: number,
) {
  const since = period === undefined ? null : now - PERIODS[period] * HOUR_MS;
  return {
    workflowId: workflow ?? null,
    filter: {
      projectId,
      ...(states === undefined ? {} : { states }),
      ...(cost === undefined ? {} : { minCost: cost }),
      ...(tags === undefined ? {} : { tags }),
      ...(text === undefined || text.trim().length < MIN_TEXT ? {} : { text }),
      ...(since === null ? {} : { createdAfter: new Date(since - (since % MINUTE_MS)).toISOString() }),
    },
  } satisfies Partial<RunListQueryVariables>;
}
