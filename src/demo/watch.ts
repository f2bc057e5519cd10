import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { RestClient } from './rest-client.js';

/** One change of a run, as returned by the subscription. */
export interface RunChange {
  at: string;
  node: { nodeId: string; status: string; error: { message: string } | null } | null;
}

// `afterSequence: 0` requests all changes, including those before the subscription.
const CHANGES = `subscription ($id: UUID!) {
  workflowRunChanged(id: $id, afterSequence: 0) {
    at
    node { nodeId status error { message } }
  }
}`;

const TIMEOUT_MS = 120_000;

/** Yields all changes of the run over graphql-ws until it has ended. */
export async function* watchRun({ url, key }: RestClient, id: string): AsyncGenerator<RunChange> {
  const client = createClient({
    url: `${url.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { 'X-Api-Key': key },
    retryAttempts: 0,
  });
  const changes = client.iterate<{ workflowRunChanged: RunChange }>({ query: CHANGES, variables: { id } });
  const timer = setTimeout(
    () => void changes.throw?.(new Error(`The run did not end within ${TIMEOUT_MS / 1000} s.`)),
    TIMEOUT_MS,
  );
  try {
    for await (const { data, errors } of changes) {
      if (!data) throw new Error(errors?.[0]?.message ?? 'The subscription returned no data.');
      yield data.workflowRunChanged;
    }
  } finally {
    clearTimeout(timer);
    await client.dispose();
  }
}
