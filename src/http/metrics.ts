import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { Router } from 'express';
import { restErrors } from '../../rest-compat/runtime/errors.js';
import { sendRestError } from '../../rest-compat/runtime/send-error.js';
import { equalInConstantTime, sha256 } from '../platform/crypto/crypto.js';
import type { Metrics } from '../platform/metrics/metrics.js';
import { healthRoutes, type Lifecycle } from './health.js';
import { listenOn } from './listen-on.js';
import { readOnly } from './middleware/read-only.js';

/** Who may read the metrics: clients with this bearer token, processes of the same machine, no one, or all clients. */
export type MetricsReaders = { token: string } | 'local' | 'none' | 'all';

/** Who may read the metrics at the API port, by the configuration. */
export function readersOf(config: { metricsToken: string | undefined; production: boolean }): MetricsReaders {
  if (config.metricsToken !== undefined) return { token: config.metricsToken };
  return config.production ? 'none' : 'local';
}

/** `GET /metrics`, for Prometheus. Clients without access get 404, or 401 if a token is configured. */
export function metricsRoutes(metrics: Metrics, readers: MetricsReaders): Router {
  const router = Router();
  router.get('/metrics', async (request, response, next) => {
    if (typeof readers === 'object') {
      if (hasToken(request, sha256(readers.token))) return send();
      return sendRestError(response, { ...restErrors.UNAUTHENTICATED, auth: 'BEARER' });
    }
    return readers === 'all' || (readers === 'local' && isLocal(request)) ? send() : next('router');

    async function send() {
      const { contentType, body } = await metrics.text();
      response.set({ 'Content-Type': contentType, 'Cache-Control': 'no-store' }).end(body);
    }
  });
  router.all('/metrics', (request, response, next) =>
    readers === 'none' ? next('router') : readOnly(request, response, next),
  );
  return router;
}

function hasToken({ headers }: IncomingMessage, token: Buffer): boolean {
  const bearerToken = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  return bearerToken !== undefined && equalInConstantTime(sha256(bearerToken), token);
}

const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-real-ip'];

/** Requests from this machine. A proxy on this machine forwards requests of others; its forwarding headers reveal that. */
function isLocal(request: IncomingMessage): boolean {
  const isLoopback = /^(::ffff:)?127\.|^::1$/.test(request.socket.remoteAddress ?? '');
  return (
    isLoopback && namesThisMachine(request.headers.host) && !FORWARDED.some(name => request.headers[name] !== undefined)
  );
}

/** Protects against DNS rebinding: a page of another site can resolve its own host name to this machine. */
function namesThisMachine(host: string | undefined): boolean {
  return host === undefined || /^(localhost|127(\.\d{1,3}){3}|\[::1\])\.?(:\d{1,5})?$/i.test(host);
}

export interface MetricsServer {
  port: number;
  close(): Promise<void>;
}

/** Serves metrics and probes on METRICS_PORT, also in processes without the API. */
export async function listenForMetrics(options: {
  host: string;
  port: number;
  token: string | undefined;
  metrics: Metrics;
  lifecycle: Lifecycle;
}): Promise<MetricsServer> {
  const { host, port, token, metrics, lifecycle } = options;
  const app = express();
  app.disable('x-powered-by');
  app.use(healthRoutes(lifecycle));
  app.use(metricsRoutes(metrics, token === undefined ? 'all' : { token }));
  app.use((_request, response) => sendRestError(response, restErrors.NOT_FOUND));
  const server = http.createServer(app);
  await listenOn(server, { port, host }, 'METRICS_PORT');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      await new Promise<void>(resolve => server.close(() => resolve()));
    },
  };
}
