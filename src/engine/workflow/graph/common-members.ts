import { z } from 'zod';
import { isObject, type JsonObject, textOf } from '../../json-value.js';
import { storable } from '../../storable.js';

const MAX_DELAY_SECONDS = 3600;

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
    .enum(['fail', 'continue', 'branch', 'default', 'retry'])
    .nullish()
    .describe(
      'Reaction to a failure: `fail` (default) ends the run, `continue` proceeds with empty content, `branch` follows the output `error`, `default` proceeds with `default_value` as content, `retry` repeats the node as configured in `retry` and ends the run after the last attempt.',
    ),
  default_value: z
    .unknown()
    .optional()
    .describe(
      'Content after a failure if `on_error` is `default`: a text, or any value, which is converted to JSON. A node that selects one of several outputs follows the one to which this content belongs. Placeholders are not replaced. Default: the empty text.',
    ),
  error_nodes: z
    .array(z.string())
    .nullish()
    .describe(
      'UUIDs of the nodes that follow a failure if `on_error` is `branch`, at most 1000. Absent: the targets of the edges with the handle `error`.',
    ),
  retry: z
    .looseObject({
      attempts: z.number().int().min(1).max(10).nullish().describe('Total number of attempts, 1-10. Default 3.'),
      delay_seconds: z
        .number()
        .min(0)
        .max(MAX_DELAY_SECONDS)
        .nullish()
        .describe('Seconds between two attempts, 0-3600. Default 1.'),
      backoff: z
        .enum(['constant', 'exponential'])
        .nullish()
        .describe(
          'Growth of the delay: `constant` (default) waits `delay_seconds` each time, `exponential` doubles the delay after each attempt.',
        ),
      max_delay_seconds: z
        .number()
        .min(0)
        .max(MAX_DELAY_SECONDS)
        .nullish()
        .describe('Maximum seconds between two attempts, 0-3600. Default 3600.'),
      jitter: z
        .boolean()
        .nullish()
        .describe(
          'True shortens each delay by up to half, by a value that is fixed for the run, node and attempt. Default false.',
        ),
      error_codes: z
        .array(z.string().min(1).max(100))
        .max(20)
        .nullish()
        .describe(
          'Codes of the errors that are retried, at most 20. An empty list stands for all errors. Default: all errors.',
        ),
    })
    .nullish()
    .describe(
      'Retry settings. Used when `on_error` is `retry`, and when they are present and it is `branch` or `default`.',
    ),
  timeout_seconds: z
    .number()
    .positive()
    .max(3600)
    .nullish()
    .describe(
      'Time limit of one attempt in seconds, more than 0 and at most 3600. Delays and waiting for approvals, threads and provider slots do not count. Default 60; loops, sub-workflows, scenarios and delays have no limit by default.',
    ),
} as const;

/** Returns the content after a failure if `on_error` is `default`. */
export function defaultContentOf({ default_value: value }: JsonObject): string {
  return storable(textOf(value ?? ''));
}

const schema = z.looseObject(commonMembers);
type Members = Partial<z.infer<typeof schema>>;

/** The error and timeout policy of a node. */
export interface Policy {
  onError: 'fail' | 'continue' | 'branch' | 'default' | 'retry';
  /** Total number of attempts, 1 without retries. */
  attempts: number;
  /** Delay before the second attempt in milliseconds. */
  delayMs: number;
  isExponential: boolean;
  maxDelayMs: number;
  hasJitter: boolean;
  /** Codes of the errors that are retried; null: all. */
  retriedCodes: readonly string[] | null;
  /** Working time limit of one attempt in milliseconds; null: unlimited. */
  timeoutMs: number | null;
  /** Maximum number of attempts of work that is interrupted by the death of a process. */
  attemptsAcrossCrashes: number;
}

const DEFAULT_ATTEMPTS = 3;
const DEFAULT_DELAY_SECONDS = 1;
export const DEFAULT_TIMEOUT_SECONDS = 60;
/** Without `retry`: the interrupted attempt and one more. */
const ATTEMPTS_ACROSS_CRASHES = 2;

/** Default of `timeout_seconds` in seconds, which may depend on other settings; null: unlimited. */
export type DefaultTimeout = number | null | ((data: JsonObject) => number);

/** Reads the policy from validated data. Invalid members count as absent. */
export function policyOf(
  data: unknown,
  { defaultTimeout = DEFAULT_TIMEOUT_SECONDS }: { defaultTimeout?: DefaultTimeout } = {},
): Policy {
  const result = schema.safeParse(data);
  const members: Members = result.success ? result.data : {};
  const unset = typeof defaultTimeout === 'function' ? defaultTimeout(isObject(data) ? data : {}) : defaultTimeout;
  const timeoutSeconds = members.timeout_seconds ?? unset;
  const isRetried = hasRetries(members);
  const attempts = isRetried ? (members.retry?.attempts ?? DEFAULT_ATTEMPTS) : 1;
  return {
    onError: members.on_error ?? 'fail',
    attempts,
    attemptsAcrossCrashes: isRetried ? attempts : ATTEMPTS_ACROSS_CRASHES,
    ...delaysOf(members.retry ?? {}),
    timeoutMs: timeoutSeconds === null ? null : 1000 * timeoutSeconds,
  };
}

/** Returns true if a failed attempt may be repeated: `fail` and `continue` ignore `retry`. */
export function hasRetries({ on_error, retry }: JsonObject): boolean {
  return on_error === 'retry' || (isObject(retry) && (on_error === 'branch' || on_error === 'default'));
}

function delaysOf({ delay_seconds, backoff, max_delay_seconds, jitter, error_codes }: NonNullable<Members['retry']>) {
  return {
    delayMs: 1000 * (delay_seconds ?? DEFAULT_DELAY_SECONDS),
    isExponential: backoff === 'exponential',
    maxDelayMs: 1000 * (max_delay_seconds ?? MAX_DELAY_SECONDS),
    hasJitter: jitter ?? false,
    retriedCodes: error_codes?.length ? error_codes : null,
  };
}
