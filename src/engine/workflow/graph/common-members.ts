import { z } from 'zod';

/** The members that every node kind has in `data`. Unknown members are kept, because front ends store their own. */
export const commonMembers = {
  id: z.string().nullish().describe('UUID of the node, the same as the `id` next to `data`.'),
  name: z.string().nullish().describe('Display name of the node.'),
  label: z.string().nullish().describe('Label of the node, as shown in the billing history.'),
  version: z.string().nullish().describe('Version of the node kind that the front end used.'),
  next_nodes: z
    .array(z.string())
    .nullish()
    .describe('UUIDs of the following nodes. Absent: the targets of the edges that leave this node.'),
  on_error: z
    .enum(['fail', 'continue', 'retry'])
    .nullish()
    .describe(
      'Reaction to a failure: `fail` (default) ends the run, `continue` proceeds with empty content, `retry` repeats the node as configured in `retry` and ends the run after the last attempt.',
    ),
  retry: z
    .looseObject({
      attempts: z.number().int().min(1).max(10).nullish().describe('Total number of attempts, 1-10. Default 3.'),
      delay_seconds: z.number().min(0).max(3600).nullish().describe('Seconds between two attempts, 0-3600. Default 1.'),
    })
    .nullish()
    .describe('Retry settings. Used only when `on_error` is `retry`.'),
  timeout_seconds: z
    .number()
    .positive()
    .max(3600)
    .nullish()
    .describe(
      'Time limit of one attempt in seconds, more than 0 and at most 3600. Delays and waiting for approvals, threads and provider slots do not count. Default 60; loops, sub-workflows, scenarios and delays have no limit by default.',
    ),
} as const;

const schema = z.looseObject(commonMembers);

/** The error and timeout policy of a node. */
export interface Policy {
  onError: 'fail' | 'continue' | 'retry';
  attempts: number;
  delayMs: number;
  /** Working time limit of one attempt in milliseconds; null: unlimited. */
  timeoutMs: number | null;
  /** Maximum number of attempts of work that is interrupted by the death of a process. */
  attemptsAcrossCrashes: number;
}

const DEFAULT_ATTEMPTS = 3;
const DEFAULT_DELAY_SECONDS = 1;
const DEFAULT_TIMEOUT_SECONDS = 60;
/** Without `retry`: the interrupted attempt and one more. */
const ATTEMPTS_ACROSS_CRASHES = 2;

/** Reads the policy from validated data. Invalid members count as absent. */
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
    attemptsAcrossCrashes: isRetried ? attempts : ATTEMPTS_ACROSS_CRASHES,
    delayMs: 1000 * (members.retry?.delay_seconds ?? DEFAULT_DELAY_SECONDS),
    timeoutMs: timeoutSeconds === null ? null : 1000 * timeoutSeconds,
  };
}
