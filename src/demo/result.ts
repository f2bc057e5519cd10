import { setTimeout as delay } from 'node:timers/promises';
import type { RestClient } from './rest-client.js';

/** The REST view of an ended run. */
export interface RunResult {
  status: string;
  output: unknown;
  error: string | undefined;
  cost: { USD: string; SR: string };
  seconds: number;
}

interface ResultResponse {
  data: { status: string; output: unknown; data: Record<string, NodeResult> | null; error?: RunError | null };
}

interface NodeResult {
  status: string;
  error?: RunError;
}

interface RunError {
  message: string;
}

/** A client that polls for minutes should wait 3-5 seconds between requests. Here the run ends soon. */
const POLL_EVERY_MS = 250;
const ENDED = ['succeed', 'failed'];
const TIMEOUT_MS = 30_000;

export const resultPath = (runId: string) => `/api/v1/workflows/workflow_result/?id=${runId}`;

/** Polls until the run has ended. Then reads its cost from the history. */
export async function fetchResult(rest: RestClient, workflowId: number, runId: string): Promise<RunResult> {
  const deadline = Date.now() + TIMEOUT_MS;
  let { data } = await rest.get<ResultResponse>(resultPath(runId));
  while (!ENDED.includes(data.status)) {
    if (Date.now() > deadline) throw new Error(`The run is still "${data.status}" after ${TIMEOUT_MS / 1000} s.`);
    await delay(POLL_EVERY_MS);
    ({ data } = await rest.get<ResultResponse>(resultPath(runId)));
  }
  const { cost, duration } = await rest.get<{ cost: RunResult['cost']; duration: number }>(
    `/api/v1/workflows/${workflowId}/history/${runId}/`,
  );
  const failed = Object.values(data.data ?? {}).find(({ status }) => status === 'failed');
  return {
    status: data.status,
    output: data.output,
    error: failed?.error?.message ?? data.error?.message,
    cost,
    seconds: duration,
  };
}
