import { setTimeout } from 'node:timers/promises';
import { layGround, type TakeDown } from './app/ground.js';
import { buildHouse, type House } from './app/house.js';
import type { Lifecycle } from './http/health.js';
import { listenForMetrics, readersOf } from './http/metrics.js';
import { type HttpServer, listen } from './http/server.js';
import { urlHost } from './http/url-host.js';
import { startWorker } from './jobs/worker.js';
import type { AccountService, FirstAdministrator } from './modules/accounts/sessions/account.service.js';
import type { Config } from './platform/config/config.js';
import { WedgeWatch } from './platform/database/wedge-watch.js';
import type { Log } from './platform/logging/log.js';
import { Metrics } from './platform/metrics/metrics.js';
import { armFailpoint } from './platform/testing/failpoint.js';
import type { Telemetry } from './platform/tracing/telemetry.js';
import { openTracer } from './providers/open-telemetry.js';

export interface Service {
  /** Where HTTP listens; null for a worker. */
  url: string | null;
  /** The port of METRICS_PORT; null without one. */
  metricsPort: number | null;
  databaseUrl: string;
  accounts: AccountService;
  /** What the first start made up; null on every later one. */
  firstAdministrator: FirstAdministrator | null;
  /** What is open for callers that follow something: their sockets, and whatever is watched for them. */
  open(): { sockets: number; watchers: number };
  /** Takes no more work, finishes or hands back what is under way, and lets everything go. */
  stop(): Promise<void>;
}

/** The composition root: builds the house from the ground up and, when told, takes it down in the reverse order. */
export async function startService(config: Config, log: Log): Promise<Service> {
  armFailpoint(config.crashAt);
  const lifecycle: Lifecycle = { phase: 'starting' };
  const takeDown: TakeDown = [];
  const telemetry = await startTelemetry(config, log, takeDown);
  const http =
    config.role === 'worker'
      ? null
      : await listen({ ...config, log, telemetry, lifecycle, metricsReaders: readersOf(config) });
  const stop = async () => {
    if (http && lifecycle.phase === 'ready' && config.shutdownDelayMs > 0) {
      lifecycle.phase = 'leaving';
      await setTimeout(config.shutdownDelayMs);
    }
    lifecycle.phase = 'draining';
    for (const step of takeDown.splice(0).reverse()) await step();
  };
  try {
    const metricsServer = await listenBeside(config, telemetry, lifecycle, takeDown);
    const ground = await layGround(config, log, takeDown);
    lifecycle.database = ground.database;
    lifecycle.wedgeWatch = new WedgeWatch(ground.database, config.wedgedAfterMs, log);
    lifecycle.wedgeWatch.start();
    takeDown.push(async () => lifecycle.wedgeWatch?.stop());
    const house = buildHouse(config, telemetry, ground);
    takeDown.push(() => house.toolPinner.stop());
    for (const reading of house.readings) telemetry.metrics.add(reading);
    await startRoles(config, house, http, takeDown);
    lifecycle.phase = 'ready';
    return {
      url: http ? `http://${urlHost(config.host)}:${http.port}` : null,
      metricsPort: metricsServer?.port ?? null,
      databaseUrl: ground.database.url,
      accounts: house.accounts,
      firstAdministrator: ground.firstAdministrator,
      open: () => ({ sockets: http?.sockets ?? 0, watchers: ground.bus.watchers }),
      stop,
    };
  } catch (error) {
    await http?.close();
    await stop();
    throw error;
  }
}

/** The last to go: what happens until then is told as well. */
async function startTelemetry({ traces, role }: Config, log: Log, takeDown: TakeDown): Promise<Telemetry> {
  const metrics = new Metrics();
  const { endpoint, share } = traces;
  const tracer = endpoint === undefined ? null : await openTracer({ endpoint, share, role, log });
  takeDown.push(async () => {
    metrics.stop();
    await tracer?.stop();
  });
  return { log, metrics, tracer };
}

async function listenBeside(config: Config, { metrics }: Telemetry, lifecycle: Lifecycle, takeDown: TakeDown) {
  const { host, metricsPort: port, metricsToken: token } = config;
  if (port === undefined) return null;
  const server = await listenForMetrics({ host, port, token, metrics, lifecycle });
  takeDown.push(() => server.close());
  return server;
}

/** Starts what this process does by its ROLE; requests are taken last. */
async function startRoles(config: Config, house: House, http: HttpServer | null, takeDown: TakeDown): Promise<void> {
  const worker = config.role === 'api' ? null : startWorker(house.worker);
  takeDown.push(async () => {
    // Until the last run is done or handed back, callers and probes are told why nothing is taken any more.
    const grace = config.shutdownGraceMs;
    await Promise.all([http?.drain(), worker?.stop(grace), house.chat.service.stop(grace)]);
    await http?.close();
    await house.chat.settle();
  });
  house.chat.start();
  if (!http) return;
  takeDown.push(() => house.maintenance.stop());
  await house.maintenance.start();
  await http.open(house);
}
