import { WebSocket } from 'ws';

/** The message that configures this process, which opens many subscriptions to one topic. */
export interface SubscriberPlan {
  url: string;
  key: string;
  query: string;
  variables: Record<string, unknown>;
  sockets: number;
  /** Number of subscriptions per socket. */
  perSocket: number;
}

/**
 * A message to the parent process. `open`: all subscriptions are open. `received`: the times at which the subscriptions
 * received the next event, in milliseconds since 1970.
 */
export type SubscriberReport =
  | { kind: 'open' }
  | { kind: 'received'; at: number[] }
  | { kind: 'failed'; reason: string };

/** Maximum number of concurrent handshakes. */
const AT_ONCE = 50;

function report(message: SubscriberReport): void {
  process.send?.(message);
}

async function subscribe(plan: SubscriberPlan): Promise<void> {
  const total = plan.sockets * plan.perSocket;
  let opened = 0;
  let received: number[] = [];
  const next = () => {
    // The first value of a subscription is the current state.
    if (opened < total) {
      opened++;
      if (opened === total) report({ kind: 'open' });
      return;
    }
    received.push(performance.timeOrigin + performance.now());
    if (received.length < total) return;
    report({ kind: 'received', at: received });
    received = [];
  };
  const connecting = Array.from({ length: AT_ONCE }, async (_, lane) => {
    for (let socket = lane; socket < plan.sockets; socket += AT_ONCE) await openSocket(plan, next);
  });
  await Promise.all(connecting);
}

/** Resolves when each subscription of the socket has received its first value. Later errors are reported too. */
function openSocket({ url, key, query, variables, perSocket }: SubscriberPlan, next: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, 'graphql-transport-ws', { perMessageDeflate: false });
    const fail = (reason: string) => {
      report({ kind: 'failed', reason });
      reject(new Error(reason));
    };
    let values = 0;
    socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload: { 'X-Api-Key': key } })));
    socket.on('message', data => {
      const text = String(data);
      if (text.startsWith('{"type":"connection_ack"')) {
        for (let id = 0; id < perSocket; id++)
          socket.send(JSON.stringify({ type: 'subscribe', id: String(id), payload: { query, variables } }));
      } else if (text.includes('"type":"next"') && !text.includes('"errors"')) {
        next();
        if (++values === perSocket) resolve();
      } else if (!text.includes('"type":"ping"')) fail(text.slice(0, 300));
    });
    socket.on('error', ({ message }) => fail(message));
    socket.on('close', code => fail(`a socket was closed with ${code}`));
  });
}

process.once('message', plan => {
  subscribe(plan as SubscriberPlan).catch((error: Error) => report({ kind: 'failed', reason: error.message }));
});
