import type { RunListQueryVariables } from './runs.generated';

export const RUN_STATES = ['RUNNING', 'WAITING', 'QUEUED', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'DRAFT'] as const;
export type RunState = (typeof RUN_STATES)[number];

/** Periods that the list offers, in hours. */
export const PERIODS = { '1h': 1, '24h': 24, '7d': 24 * 7, '30d': 24 * 30 } as const;
export type Period = keyof typeof PERIODS;

/** Lowest costs that the list offers, in US dollars. */
export const COSTS = ['0.001', '0.01', '0.1', '1', '10'] as const;

/** Characters of a searched text. */
const MIN_TEXT = 2;
export const MAX_TEXT = 200;
/** Tags of a run and of a filter. */
export const MAX_TAGS = 20;
export const MAX_TAG = 64;

const HOUR_MS = 3_600_000;

/** The filters of the list in the address. */
export interface RunsSearch {
  workflow?: number;
  states?: RunState[];
  period?: Period;
  /** The lowest cost in US dollars. */
  cost?: (typeof COSTS)[number];
  tags?: string[];
  /** Occurs in the input or the result, or starts the id. */
  text?: string;
}

export function runsSearch(search: Record<string, unknown>): RunsSearch {
  const workflow = Number(search.workflow);
  const given = Array.isArray(search.states) ? search.states : [search.states];
  const states = RUN_STATES.filter(state => given.includes(state));
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

/** The start of a period is a full minute, so that a filter stays the same request while the screen is open. */
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
      ...(since === null ? {} : { createdAfter: new Date(since - (since % 60_000)).toISOString() }),
    },
  } satisfies Partial<RunListQueryVariables>;
}
