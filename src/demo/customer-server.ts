import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const HOST = '127.0.0.1';
/** Each demo uses this port if it is free, so that the URL in the stored workflow of an earlier demo stays valid. */
const PREFERRED_PORT = 4180;
/** Milliseconds before a response, so that a person can see the active node. */
const ANSWER_AFTER_MS = 300;

const CUSTOMERS: Record<string, unknown> = {
  ada: { name: 'Ada', years: 7 },
  linus: { name: 'Linus', years: 2 },
};

/** A server with sample data of customers, which the HTTP node of the sample workflow calls. */
export interface CustomerServer {
  url: string;
  /** In the format of `OUTBOUND_ALLOW`. Loopback addresses are blocked unless they are listed. */
  address: string;
  stop(): void;
}

export async function startCustomerServer(): Promise<CustomerServer> {
  const server = createServer(async (request, response) => {
    const { searchParams } = new URL(request.url ?? '/', `http://${HOST}`);
    await delay(ANSWER_AFTER_MS);
    const customer = CUSTOMERS[searchParams.get('name') ?? ''];
    response.writeHead(customer ? 200 : 404, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(customer ?? { detail: `Known customers: ${Object.keys(CUSTOMERS).join(', ')}.` }));
  });
  await listen(server, PREFERRED_PORT).catch(() => listen(server, 0));
  const address = `${HOST}:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${address}/customers`,
    address,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, HOST);
  await once(server, 'listening');
}
