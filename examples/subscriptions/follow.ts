// Starts a run and follows it, all over one WebSocket: no route needs to allow this page's origin (CORS).
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
const say = (text: string): void => {
  element('[role=status]').textContent = text;
};

/** The key stays in the field: it is read when a socket opens, and stored nowhere. */
const connect = (): Client =>
  createClient({
    url: `${fieldValue('service').replace(/^http/, 'ws').replace(/\/$/, '')}/graphql`,
    connectionParams: () => ({ 'X-Api-Key': fieldValue('key') }),
    // The subscription finds the socket of the mutation still open.
    lazyCloseTimeout: 5_000,
    retryAttempts: 5,
    // 4403: the key is wrong or has been deleted. Trying again would not help.
    shouldRetry: closed => closed instanceof CloseEvent && closed.code !== 4403,
  });

async function start(client: Client): Promise<string> {
  const variables = { workflow: Number(fieldValue('workflow')), input: JSON.parse(fieldValue('input')) as unknown };
  for await (const { data, errors } of client.iterate<Receipt>({ query: START, variables })) {
    if (errors || !data) throw new Error(errors?.[0]?.message ?? 'The service answered nothing.');
    const { receipt, errors: refusals } = data.workflowRunStart;
    if (receipt?.status !== 201)
      throw new Error(`Refused: ${JSON.stringify(receipt?.data.data ?? receipt?.data.error ?? refusals)}`);
    return receipt.data.runId;
  }
  throw new Error('The connection ended before the run began.');
}

/** Shows every change, once and in order. After a broken connection the client asks again, for all from the start. */
async function follow(client: Client, run: string): Promise<void> {
  let last = 0;
  for await (const { data, errors } of client.iterate<Change>({ query: FOLLOW, variables: { run } })) {
    if (errors || !data) throw new Error(errors?.[0]?.message ?? 'The service answered nothing.');
    const { sequence, kind, node } = data.workflowRunChanged;
    if (sequence <= last) continue;
    last = sequence;
    show(sequence, kind, node);
    if (['RUN_SUCCEEDED', 'RUN_FAILED', 'RUN_CANCELLED'].includes(kind)) say(`Ended: ${kind}`);
  }
}

function show(sequence: number, kind: string, node: Change['workflowRunChanged']['node']): void {
  const item = document.createElement('li');
  item.value = sequence;
  const what = document.createElement('b');
  what.textContent = kind;
  item.append(what, ' ', [node?.nodeId, node?.content].filter(Boolean).join(': '));
  element('ol').append(item);
}

element<HTMLFormElement>('form').addEventListener('submit', async event => {
  event.preventDefault();
  element('ol').replaceChildren();
  const client = connect();
  try {
    say('Starting …');
    const run = await start(client);
    say(`Following ${run} …`);
    await follow(client, run);
  } catch (error) {
    say(error instanceof CloseEvent ? `The connection was closed: ${error.reason || error.code}` : String(error));
  } finally {
    await client.dispose();
  }
});
