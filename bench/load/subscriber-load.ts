import { WebSocket } from 'ws';

/** A process: many subscribers to one thing, as the message in `SubscriberPlan` says. */
export interface SubscriberPlan {
  url: string;
  key: string;
  query: string;
  variables: Record<string, unknown>;
  sockets: number;
  /** Subscriptions over each socket. */
  perSocket: number;
}

/** What it tells its parent: all subscribed, or when each subscription heard of the next event (milliseconds of the epoch). */
export type SubscriberReport = { kind: 'open' } | { kind: 'heard'; at: number[] } | { kind: 'failed'; reason: string };

/** Sockets that shake hands at the same time. */
const AT_ONCE = 50;

function tell(report: SubscriberReport): void {
  process.send?.(report);
}

async function subscribe(plan: SubscriberPlan): Promise<void> {
  const total = plan.sockets * plan.perSocket;
  let opened = 0;
  let heard: number[] = [];
  const next = () => {
    // The first value of a subscription is what is so already.
    if (opened < total) {
      opened++;
      if (opened === total) tell({ kind: 'open' });
      return;
    }
    heard.push(performance.timeOrigin + performance.now());
    if (heard.length < total) return;
    tell({ kind: 'heard', at: heard });
    heard = [];
  };
  const waves = Array.from({ length: AT_ONCE }, async (_, lane) => {
    for (let socket = lane; socket < plan.sockets; socket += AT_ONCE) await openSocket(plan, next);
  });
  await Promise.all(waves);
}

/** Resolves when each of the socket's subscriptions has had its first value. */
function openSocket({ url, key, query, variables, perSocket }: SubscriberPlan, next: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, 'graphql-transport-ws', { perMessageDeflate: false });
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
      } else if (!text.includes('"type":"ping"')) reject(new Error(text.slice(0, 300)));
    });
    socket.on('error', reject);
    socket.on('close', code => {
      reject(new Error(`a socket was closed with ${code}`));
      tell({ kind: 'failed', reason: `a socket was closed with ${code}` });
    });
  });
}

process.once('message', plan => {
  subscribe(plan as SubscriberPlan).catch((error: Error) => tell({ kind: 'failed', reason: error.message }));
});
