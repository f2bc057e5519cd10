import { setTimeout } from 'node:timers/promises';
import { type Container, createContainer } from './container/container.js';
import { createFastLane } from './container/fast-lane.js';
import { createIdentity } from './container/identity.js';
import { createInfrastructure, type ProcessInfrastructure, type ShutdownHooks } from './container/infrastructure.js';
import { TASK_JOBS, TASK_QUEUE } from './durable/scheduled-tasks.js';
import { startWorker, type Worker } from './durable/worker.js';
import type { Lifecycle } from './http/health.js';
import { listenForMetrics, readersOf } from './http/metrics.js';
import { type HttpServer, listen } from './http/server.js';
import { urlHost } from './http/url-host.js';
import type { AccountService, FirstAdministrator } from './modules/accounts/account.service.js';
import { accounts } from './modules/accounts/index.js';
import { chat } from './modules/chat/index.js';
import { connections } from './modules/connections/index.js';
import { documents } from './modules/documents/index.js';
import { maintenance } from './modules/maintenance/index.js';
import { mcpServer } from './modules/mcp-server/index.js';
import { ENTITIES, QUEUES } from './modules/registry.js';
import { triggers } from './modules/triggers/index.js';
import { workflowRuns } from './modules/workflow-runs/index.js';
import { workflows } from './modules/workflows/index.js';
import type { Config } from './platform/config/config.js';
import { WedgeWatch } from './platform/database/wedge-watch.js';
import type { Log } from './platform/logging/log.js';
import { Metrics } from './platform/metrics/metrics.js';
import { armFailpoint } from './platform/testing/failpoint.js';
import type { Telemetry } from './platform/tracing/telemetry.js';
import { openTracer } from './providers/open-telemetry.js';

export interface Service {
  /** URL of the HTTP server; null for a worker. */
  url: string | null;
  /** Port of the metrics server; null unless METRICS_PORT is set. */
  metricsPort: number | null;
  databaseUrl: string;
  accounts: AccountService;
  /** Credentials generated on the first start; null on later starts. */
  firstAdministrator: FirstAdministrator | null;
  /** Returns the numbers of open WebSockets, open HTTP subscriptions and active watchers on the message bus. */
  countOpen(): { sockets: number; streams: number; watchers: number };
  /** Stops accepting work, finishes or hands back active work, and releases all resources. */
  stop(): Promise<void>;
}

/**
 * Starts the infrastructure, the modules and the roles of this process. `stop` shuts them down in reverse order. Throws
 * StartError.
 */
export async function startService(config: Config, log: Log): Promise<Service> {
  armFailpoint(config.crashAt);
  const lifecycle: Lifecycle = { phase: 'starting' };
  const shutdownHooks: ShutdownHooks = [];
  const telemetry = await startTelemetry(config, log, shutdownHooks);
  const http =
    config.role === 'worker'
      ? null
      : await listen({
          ...{ ...config, log, telemetry, lifecycle, metricsReaders: readersOf(config) },
          fastLane: createFastLane(),
        });
  const stop = async () => {
    if (http && lifecycle.phase === 'ready' && config.shutdownDelayMs > 0) {
      lifecycle.phase = 'leaving';
      await setTimeout(config.shutdownDelayMs);
    }
    lifecycle.phase = 'draining';
    for (const step of shutdownHooks.splice(0).reverse())
      await step().catch((err: unknown) => log.error({ err }, 'a step of the shutdown failed'));
  };
  try {
    const metricsServer = await listenOnMetricsPort(config, telemetry, lifecycle, shutdownHooks);
    const infrastructure = await createInfrastructure(
      config,
      telemetry,
      { entities: ENTITIES, queues: { ...QUEUES, [TASK_QUEUE]: TASK_JOBS } },
      shutdownHooks,
    );
    lifecycle.database = infrastructure.database;
    lifecycle.wedgeWatch = new WedgeWatch(infrastructure.database, config.wedgedAfterMs, log);
    lifecycle.wedgeWatch.start();
    shutdownHooks.push(async () => lifecycle.wedgeWatch?.stop());
    const container = createContainer(infrastructure);
    const { accounts: accountService } = container.get(accounts);
    const firstAdministrator = await accountService.ensureFirstAdministrator(config.admin);
    shutdownHooks.push(() => container.get(connections).tokens.stop());
    shutdownHooks.push(() => container.get(workflows).toolPinner.stop());
    for (const reading of container.metrics) telemetry.metrics.add(reading);
    await startRoles(infrastructure, container, http, shutdownHooks);
    lifecycle.phase = 'ready';
    return {
      url: http ? `http://${urlHost(config.host)}:${http.port}` : null,
      metricsPort: metricsServer?.port ?? null,
      databaseUrl: infrastructure.database.url,
      accounts: accountService,
      firstAdministrator,
      countOpen: () => ({
        sockets: http?.sockets ?? 0,
        streams: http?.streams ?? 0,
        watchers: infrastructure.bus.watchers,
      }),
      stop,
    };
  } catch (error) {
    await http?.close();
    await stop();
    throw error;
  }
}

/** Starts telemetry. It is shut down last, so that the shutdown itself is logged. */
async function startTelemetry({ traces, role }: Config, log: Log, shutdownHooks: ShutdownHooks): Promise<Telemetry> {
  const metrics = new Metrics();
  const { endpoint, share } = traces;
  const tracer = endpoint === undefined ? null : await openTracer({ endpoint, samplingRatio: share, role, log });
  shutdownHooks.push(async () => {
    metrics.stop();
    await tracer?.stop();
  });
  return { log, metrics, tracer };
}

async function listenOnMetricsPort(
  config: Config,
  { metrics }: Telemetry,
  lifecycle: Lifecycle,
  shutdownHooks: ShutdownHooks,
) {
  const { host, metricsPort: port, metricsToken: token } = config;
  if (port === undefined) return null;
  const server = await listenForMetrics({ host, port, token, metrics, lifecycle });
  shutdownHooks.push(() => server.close());
  return server;
}

/**
 * Starts the components that ROLE selects. The HTTP server accepts requests before the jobs start, which would otherwise compete
 * with it for the database.
 */
async function startRoles(
  infrastructure: ProcessInfrastructure,
  container: Container,
  http: HttpServer | null,
  shutdownHooks: ShutdownHooks,
): Promise<void> {
  const { config } = infrastructure;
  const { chat: completions } = container.get(chat);
  let worker: Worker | undefined;
  shutdownHooks.push(() => completions.settle());
  // The HTTP server closes only after all runs have ended or are handed back. Until then it answers requests and
  // readiness probes with 503.
  if (http) shutdownHooks.push(() => http.close());
  if (config.role === 'api') {
    const { remoteSlots } = container.get(workflowRuns);
    shutdownHooks.push(async () => remoteSlots.stop());
    remoteSlots.start();
  }
  shutdownHooks.push(async () => {
    const grace = config.shutdownGraceMs;
    await Promise.all([http?.drain(), worker?.stop(grace), completions.service.stop(grace)]);
  });
  completions.start();
  if (http) await openHttp(infrastructure, container, http, shutdownHooks);
  if (config.role !== 'api') worker = startWorker(container.jobs);
}

async function openHttp(
  infrastructure: ProcessInfrastructure,
  container: Container,
  http: HttpServer,
  shutdownHooks: ShutdownHooks,
): Promise<void> {
  const { spool } = infrastructure;
  const { state } = container.get(maintenance);
  shutdownHooks.push(() => state.stop());
  await state.start();
  const { files, links } = container.get(documents);
  await http.open({
    schema: container.buildSchema(),
    identity: createIdentity(infrastructure, container),
    sessions: container.get(accounts).sessions,
    oidc: container.get(accounts).oidc,
    clientMetadata: container.get(connections).clientMetadata,
    keys: container.get(accounts).idempotencyKeys,
    maintenance: state,
    ...{ spool, files, links },
    webhooks: container.get(triggers).receiver,
    forms: container.get(triggers).forms,
    chats: container.get(triggers).chats,
    mcp: container.get(mcpServer).endpoint,
    runs: container.get(workflowRuns).runs,
    runStreams: container.get(workflowRuns).changeStreams,
    anonymousLimit: container.get(accounts).anonymousLimit,
  });
}
