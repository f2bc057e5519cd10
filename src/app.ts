import { setTimeout } from 'node:timers/promises';
import { layGround, type TakeDown } from './app/ground.js';
import { buildHouse, type House } from './app/house.js';
import type { Config } from './base/config.js';
import { armFailpoint } from './base/failpoint.js';
import type { Log } from './base/log.js';
import type { Lifecycle } from './http/health.js';
import { type HttpServer, listen } from './http/server.js';
import { urlHost } from './http/url-host.js';
import { startWorker } from './jobs/worker.js';
import type { AccountService, FirstAdministrator } from './resources/accounts/account.service.js';

export interface Service {
  /** Where HTTP listens; null for a worker. */
  url: string | null;
  databaseUrl: string;
  accounts: AccountService;
  /** What the first start made up; null on every later one. */
  firstAdministrator: FirstAdministrator | null;
  /** Takes no more work, finishes or hands back what is under way, and lets everything go. */
  stop(): Promise<void>;
}

/** The composition root: builds the house from the ground up and, when told, takes it down in the reverse order. */
export async function startService(config: Config, log: Log): Promise<Service> {
  armFailpoint(config.crashAt);
  const lifecycle: Lifecycle = { phase: 'starting' };
  const takeDown: TakeDown = [];
  const http = config.role === 'worker' ? null : await listen({ ...config, log, lifecycle });
  const stop = async () => {
    if (http && lifecycle.phase === 'ready' && config.shutdownDelayMs > 0) {
      lifecycle.phase = 'leaving';
      await setTimeout(config.shutdownDelayMs);
    }
    lifecycle.phase = 'draining';
    for (const step of takeDown.splice(0).reverse()) await step();
  };
  try {
    const ground = await layGround(config, log, takeDown);
    lifecycle.database = ground.database;
    const house = buildHouse(config, log, ground);
    takeDown.push(() => house.toolPinner.stop());
    await startRoles(config, house, http, takeDown);
    lifecycle.phase = 'ready';
    return {
      url: http ? `http://${urlHost(config.host)}:${http.port}` : null,
      databaseUrl: ground.database.url,
      accounts: house.accounts,
      firstAdministrator: ground.firstAdministrator,
      stop,
    };
  } catch (error) {
    await http?.close();
    await stop();
    throw error;
  }
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
  if (!http) return;
  takeDown.push(() => house.maintenance.stop());
  await house.maintenance.start();
  await http.open(house);
}
