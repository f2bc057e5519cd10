import { type Service, startService } from '../app.js';
import { urlHost } from '../http/url-host.js';

import type { AccountService, FirstAdministrator } from '../modules/accounts/account.service.js';

import { signInAddress } from '../modules/accounts/sessions/sign-in-links.js';
import type { Config } from '../platform/config/config.js';
import { generatedSecret, openDataDir } from '../platform/config/data-dir.js';
import { DataDirInUseError } from '../platform/database/own-database.js';
import { ConflictError } from '../platform/errors/errors.js';
import { createLog, setLogFormat } from '../platform/logging/log.js';

export interface DemoService {
  url: string;
  key: string;
  /** Whether this process started the service. */
  isOwn: boolean;
  /** Credentials generated at the first start on this data folder. */
  firstAdministrator: FirstAdministrator | null;
  /** Returns the address that logs the demo's user in once and opens a screen. Null if this process did not start the service. */
  signIn: (next: string) => Promise<string | null>;
  stop(): Promise<void>;
}

const DEMO_EMAIL = 'demo@scenarium.local';
const PROBE_MS = 2_000;

/** Connects to the running service if SCENARIUM_API_KEY is valid there. Otherwise starts a service in this process. */
export async function openService(config: Config, env: NodeJS.ProcessEnv): Promise<DemoService> {
  const running = `http://${urlHost(config.host)}:${config.port}`;
  const isRunning = config.port !== 0 && (await isScenarium(running));
  const key = env.SCENARIUM_API_KEY;
  if (isRunning && key) {
    if (!(await isKeyAccepted(running, key)))
      throw new Error(`SCENARIUM_API_KEY is not an API key of the service at ${running}.`);
    return {
      url: running,
      key,
      isOwn: false,
      firstAdministrator: null,
      signIn: async () => null,
      stop: async () => {},
    };
  }
  try {
    const service = await startOnFreePort(config);
    const { firstAdministrator } = service;
    const url = service.url ?? running;
    const demoKey = await findOrCreateKey(service.accounts, config.dataDir).catch(async error => {
      await service.stop();
      throw error;
    });
    const signIn = async (next: string) =>
      signInAddress(url, await service.accounts.createSignInLink(DEMO_EMAIL), next);
    return { url, key: demoKey, isOwn: true, firstAdministrator, signIn, stop: service.stop };
  } catch (error) {
    if (!isRunning || !(error instanceof DataDirInUseError)) throw error;
    throw new Error(`${error.message} Or set SCENARIUM_API_KEY to an API key of the service at ${running}.`, {
      cause: error,
    });
  }
}

async function isScenarium(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(PROBE_MS) });
    const state = (await response.json()) as { status?: unknown; database?: unknown };
    return state.status === 'ready' && state.database === 'reachable';
  } catch {
    return false;
  }
}

async function isKeyAccepted(url: string, key: string): Promise<boolean> {
  const response = await fetch(`${url}/api/v1/projects/?size=0`, { headers: { 'X-Api-Key': key } });
  return response.status !== 401;
}

async function startOnFreePort(config: Config): Promise<Service> {
  await setLogFormat(config.logFormat);
  const log = createLog(config.logLevel);
  try {
    return await startService(config, log);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return startService({ ...config, port: 0 }, log);
  }
}

/** Creates the demo's user and key once per data folder, because the administrator's key is not stored. */
async function findOrCreateKey(accounts: AccountService, dataDir: string): Promise<string> {
  const key = `sk-${await generatedSecret(await openDataDir(dataDir), 'demo-key')}`;
  if (await accounts.hasKey(key)) return key;
  await accounts.createUser({ email: DEMO_EMAIL, name: 'Demo' }).catch(error => {
    if (!(error instanceof ConflictError)) throw error;
  });
  return accounts.createKey(DEMO_EMAIL, 'demo', key);
}
