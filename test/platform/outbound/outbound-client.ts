import type { RequestListener } from 'node:http';
import { afterEach } from '@jest/globals';
import type { OutboundError } from '../../../src/platform/outbound/errors.js';
import {
  createOutbound,
  type Outbound,
  type OutboundOptions,
  type OutboundRequest,
} from '../../../src/platform/outbound/outbound.js';
import { type LoopbackServer, serveHttp, serveTcp } from '../../support/upstreams/loopback-server.js';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

export function createClient(options: Partial<OutboundOptions> = {}): Outbound {
  const outbound = createOutbound({ allow: [], ...options });
  open.push(outbound);
  return outbound;
}

export async function startServer(listener: RequestListener): Promise<LoopbackServer> {
  const started = await serveHttp(listener);
  open.push(started);
  return started;
}

export async function startTcpServer(onConnection: Parameters<typeof serveTcp>[0]): Promise<LoopbackServer> {
  const started = await serveTcp(onConnection);
  open.push(started);
  return started;
}

export const get = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  method: 'GET',
  url,
  signal: new AbortController().signal,
  maxResponseBytes: 1024 * 1024,
  ...more,
});

export const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'no error',
    (error: OutboundError) => error.code ?? String(error),
  );
