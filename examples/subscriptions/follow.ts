// Starts a run and follows it over one WebSocket, so the service need not allow the origin of this page (CORS).
import { type Client, createClient } from 'graphql-ws';

interface Receipt {
  workflowRunStart: {
    receipt: { status: number; data: { runId: string; data: unknown; error: unknown } } | null;
    errors: { message: string }[];
  };
}
interface Change {
  workflowRunChanged: { sequence: number; kind: string; node: { nodeId: string; content: string | null } | null };
}

const START = `mutation ($workflow: Int!, $input: JSON) {
  workflowRunStart(workflowId: $workflow, input: $input) {
    receipt { status data { runId data error { code message } } } errors { message } }
}`;
const FOLLOW = `subscription ($run: UUID!) {
  workflowRunChanged(id: $run, afterSequence: 0) { sequence kind node { nodeId content } }
}`;

const element = <Type extends Element>(selector: string): Type => {
  const found = document.querySelector<Type>(selector);
  if (found === null) throw new Error(`index.html lacks ${selector}`);
  return found;
};
const fieldValue = (id: string): string => element<HTMLInputElement>(`#${id}`).value;
const showStatus = (text: string): void => {
  element('[role=status]').textContent = text;
};

/** The key is read from its field when a socket opens and is not stored. */
const connect = (): Client =>
  createClient({
    url: `${fieldValue('service').replace(/^http/, 'ws').replace(/\/$/, '')}/graphql`,
    connectionParams: () => ({ 'X-Api-Key': fieldValue('key') }),
    // Keeps the socket of the mutation open, so that the subscription uses it too.
    lazyCloseTimeout: 5_000,
    retryAttempts: 5,
    // 4403: the key is wrong or was deleted, so a retry fails too.
    shouldRetry: closed => closed instanceof CloseEvent && closed.code !== 4403,
  });

async function start(client: Client): Promise<string> {
  const variables = { workflow: Number(fieldValue('workflow')), input: JSON.parse(fieldValue('input')) as unknown };
  for await (const { data, errors } of client.iterate<Receipt>({ query: START, variables })) {
    if (errors || !data) throw new Error(errors?.[0]?.message ?? 'The response is empty.');
    const { receipt, errors: refusals } = data.workflowRunStart;
    if (receipt?.status !== 201)
      throw new Error(`Refused: ${JSON.stringify(receipt?.data.data ?? receipt?.data.error ?? refusals)}`);
    return receipt.data.runId;
  }
  throw new Error('The connection ended before the run began.');
}

/** Shows each change once and in order. After a disconnect the client subscribes again and receives all changes. */
async function follow(client: Client, run: string): Promise<void> {
  let last = 0;
  for await (const { data, errors } of client.iterate<Change>({ query: FOLLOW, variables: { run } })) {
    if (errors || !data) throw new Error(errors?.[0]?.message ?? 'The response is empty.');
    const { sequence, kind, node } = data.workflowRunChanged;
    if (sequence <= last) continue;
    last = sequence;
    show(sequence, kind, node);
    if (['RUN_SUCCEEDED', 'RUN_FAILED', 'RUN_CANCELLED'].includes(kind)) showStatus(`Ended: ${kind}`);
  }
}

function show(sequence: number, kind: string, node: Change['workflowRunChanged']['node']): void {
  const item = document.createElement('li');
  item.value = sequence;
  const title = document.createElement('b');
  title.textContent = kind;
  item.append(title, ' ', [node?.nodeId, node?.content].filter(Boolean).join(': '));
  element('ol').append(item);
}

element<HTMLFormElement>('form').addEventListener('submit', async event => {
  event.preventDefault();
  element('ol').replaceChildren();
  const client = connect();
  try {
    showStatus('Starting …');
    const run = await start(client);
    showStatus(`Following ${run} …`);
    await follow(client, run);
  } catch (error) {
    showStatus(
      error instanceof CloseEvent ? `The connection was closed: ${error.reason || error.code}` : String(error),
    );
  } finally {
    await client.dispose();
  }
});
