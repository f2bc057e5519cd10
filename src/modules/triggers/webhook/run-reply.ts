import { isObject } from '../../../engine/json-value.js';
import type { AwaitedRun } from '../../workflow-runs/history/run-waiter.js';

/** The HTTP response to a call. */
export interface WebhookAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** A text is sent as it is, other values as JSON. */
  body: unknown;
  /** Whether the call was refused. Otherwise its run may have chosen the status. */
  isRefusal: boolean;
}

/** Headers that a workflow may not set, because the server or proxies set them. */
const RESERVED_HEADERS =
  /^(?:connection|content-length|date|keep-alive|server|set-cookie|trailer|transfer-encoding|upgrade|access-control-.*)$/i;
const HEADER_NAME = /^[A-Za-z0-9-]{1,64}$/;
const HEADER_VALUE = /^[\x20-\x7e]{0,1024}$/;

/** Returns the response to a call, form or chat message whose run has replied or ended. Undefined: neither. */
export function replyOf(runId: string, { reply, state, output, error }: AwaitedRun): WebhookAnswer | undefined {
  if (reply !== null) return toAnswer(reply, runId);
  const headers = { 'x-run-id': runId };
  if (state === 'succeeded') return { status: 200, headers, body: output ?? null, isRefusal: false };
  if (state === null) return undefined;
  const { code, message } = error ?? { code: state, message: `The run is ${state}.` };
  return { status: 500, headers, body: { code, message, run_id: runId }, isRefusal: false };
}

/** Whether the run failed or was cancelled (500 of `replyOf`), or its `respond-node` replied with a server error. */
export function isFailedReply({ status }: WebhookAnswer): boolean {
  return status >= 500;
}

/** Converts the content of a `respond-node`. */
function toAnswer(content: string, runId: string): WebhookAnswer {
  const { status, headers, body } = JSON.parse(content) as { status: number; headers: unknown; body: unknown };
  const allowed = Object.entries(isObject(headers) ? headers : {}).filter(
    ([name, value]) => HEADER_NAME.test(name) && !RESERVED_HEADERS.test(name) && HEADER_VALUE.test(String(value)),
  );
  return {
    status,
    headers: { ...Object.fromEntries(allowed.map(([name, value]) => [name, String(value)])), 'x-run-id': runId },
    body,
    isRefusal: false,
  };
}

/** The answer to a call that starts no run, with the reason. */
export function refusal(status: number, code: string, message: string, runId?: string): WebhookAnswer {
  const body = { code, message, ...(runId === undefined ? {} : { run_id: runId }) };
  return { status, headers: {}, body, isRefusal: true };
}
