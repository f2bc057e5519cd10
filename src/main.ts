import 'reflect-metadata';
import { flushCompileCache } from 'node:module';
import { type Service, startService } from './app.js';
import { SIGN_IN_LINK_MINUTES, signInAddress } from './modules/accounts/sessions/sign-in-links.js';
import { ConfigError, readConfig } from './platform/config/config.js';
import { StartError } from './platform/config/start-error.js';
import { createLog, setLogFormat } from './platform/logging/log.js';
import { withSourceLines } from './platform/logging/source-lines.js';
import { releaseMemoryWhenIdle } from './platform/memory/idle-memory.js';

const PARENT_WATCH_MS = 250;

/** Process entry point. ROLE selects api, worker or all. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  await setLogFormat(config.logFormat);
  const log = createLog(config.logLevel);
  let service: Service | undefined;
  let isStopping = false;
  // Registered first, because process 1 of a container ignores signals without a handler.
  const stop = async (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'stopping');
    await service?.stop();
    log.info('stopped');
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));
  if (process.env.npm_lifecycle_event !== undefined) onParentExit(() => void stop('parent process exited'));

  service = await startService(config, log);
  printService(service);
  const { url, metricsPort } = service;
  log.info({ role: config.role, url, ...(metricsPort === null ? {} : { metricsPort }) }, 'started');
  // Now, so that it contains what every start needs and little else.
  flushCompileCache();
  releaseMemoryWhenIdle();
}

/** `npm start` runs the service in a shell, which does not forward the signal that ends it. */
function onParentExit(stop: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, PARENT_WATCH_MS);
  timer.unref();
}

/** Prints lines for people. Generated credentials are printed only here. */
function printService({ url, firstAdministrator }: Service): void {
  if (firstAdministrator) {
    console.log(`First administrator: ${firstAdministrator.email}`);
    if (firstAdministrator.password) console.log(`  password (shown once): ${firstAdministrator.password}`);
    if (firstAdministrator.apiKey) console.log(`  API key  (shown once): ${firstAdministrator.apiKey}`);
  }
  if (url && firstAdministrator) {
    const link = signInAddress(url, firstAdministrator.signInToken);
    console.log(`  sign in (once, within ${SIGN_IN_LINK_MINUTES} minutes): ${link}`);
  }
  if (url)
    console.log(`Scenarium listens on ${url}\n  Console  ${url}/\n  GraphiQL ${url}/graphiql\n  REST     ${url}/docs`);
}

// Node calls this monitor before it prints an uncaught error and exits.
process.on('uncaughtExceptionMonitor', withSourceLines);
main().catch((error: unknown) => {
  console.error(lineFor(error) ?? withSourceLines(error));
  process.exit(1);
});

/** Returns one line for an error that the operator can fix. Other errors are defects and show their stack. */
function lineFor(error: unknown): string | undefined {
  return error instanceof ConfigError || error instanceof StartError ? error.message : undefined;
}
