import { z } from 'zod';

/** What every node takes beside the members of its kind. Unknown members are kept: front ends store their own. */
export const commonMembers = {
  id: z.string().nullish().describe('UUID of the node, the same as the `id` beside `data`.'),
  name: z.string().nullish().describe('Name of the node for people.'),
  label: z.string().nullish().describe('Label of the node; it describes the node in the billing history.'),
  version: z.string().nullish().describe('Version of the node kind that the front end used.'),
  next_nodes: z
    .array(z.string())
    .nullish()
    .describe('UUIDs of the nodes that follow. Absent: the edges that leave this node decide.'),
  on_error: z
    .enum(['fail', 'continue', 'retry'])
    .nullish()
    .describe(
      'What a failure does: `fail` (default) ends the run, `continue` goes on with an empty content, `retry` tries again as `retry` says and then ends the run.',
    ),
  retry: z
    .looseObject({
      attempts: z.number().int().min(1).max(10).nullish().describe('Tries in all, 1-10. Default 3.'),
      delay_seconds: z.number().min(0).max(3600).nullish().describe('Seconds between two tries, 0-3600. Default 1.'),
    })
    .nullish()
    .describe('How to try again; heeded when `on_error` is `retry`.'),
  timeout_seconds: z
    .number()
    .positive()
    .max(3600)
    .nullish()
    .describe(
      'Seconds that one try may work, more than 0 and at most 3600; delays, waiting for approvals, and waiting for a thread or for a slot of a model’s provider do not count. Default 60; loops and sub-workflows have no limit by default.',
    ),
} as const;

const schema = z.looseObject(commonMembers);

/** The common members as the run heeds them. */
export interface Policy {
  onError: 'fail' | 'continue' | 'retry';
  attempts: number;
  delayMs: number;
  /** Null: as long as it takes. */
  timeoutMs: number | null;
  /** Tries in all of what was in flight when a process died. */
  triesAcrossDeaths: number;
}

const DEFAULT_ATTEMPTS = 3;
const DEFAULT_DELAY_SECONDS = 1;
const DEFAULT_TIMEOUT_SECONDS = 60;
/** Without `retry`: the try that died, and one more. */
const TRIES_ACROSS_DEATHS = 2;

/** Of data that passed validation; members that did not count as absent. */
export function policyOf(
  data: unknown,
  { defaultTimeout = DEFAULT_TIMEOUT_SECONDS }: { defaultTimeout?: number | null } = {},
): Policy {
  const result = schema.safeParse(data);
  const members: Partial<z.infer<typeof schema>> = result.success ? result.data : {};
  const timeoutSeconds = members.timeout_seconds ?? defaultTimeout;
  const isRetried = members.on_error === 'retry';
  const attempts = isRetried ? (members.retry?.attempts ?? DEFAULT_ATTEMPTS) : 1;
  return {
    onError: members.on_error ?? 'fail',
    attempts,
    triesAcrossDeaths: isRetried ? attempts : TRIES_ACROSS_DEATHS,
    delayMs: 1000 * (members.retry?.delay_seconds ?? DEFAULT_DELAY_SECONDS),
    timeoutMs: timeoutSeconds === null ? null : 1000 * timeoutSeconds,
  };
}
