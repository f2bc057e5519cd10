import 'reflect-metadata';
import { type Service, startService } from './app.js';
import { ConfigError, readConfig } from './base/config.js';
import { isRetryableDatabaseError } from './base/database-errors.js';
import { createLog } from './base/log.js';
import { DataDirInUseError } from './base/own-database.js';
import { withSourceLines } from './base/source-lines.js';
import { releaseStartMemory } from './base/start-memory.js';

/** Process entry, by ROLE: api, worker or all. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  let service: Service | undefined;
  let stopping = false;
  // From the beginning: the first process of a container is not ended by a signal that it does not handle.
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    await service?.stop();
    log.info('stopped');
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));

  service = await startService(config, log);
  announce(service);
  const { url, metricsPort } = service;
  log.info({ role: config.role, url, ...(metricsPort === null ? {} : { metricsPort }) }, 'started');
  releaseStartMemory();
}

/** Lines for people. Generated credentials are shown this once and never again. */
function announce({ url, firstAdministrator }: Service): void {
  if (firstAdministrator) {
    console.log(`First administrator: ${firstAdministrator.email}`);
    if (firstAdministrator.password) console.log(`  password (shown once): ${firstAdministrator.password}`);
    if (firstAdministrator.apiKey) console.log(`  API key  (shown once): ${firstAdministrator.apiKey}`);
  }
  if (url) console.log(`Scenarium listens on ${url}\n  GraphiQL ${url}/graphiql\n  REST     ${url}/docs`);
}

// Comes before Node prints an error that nobody caught, and ends.
process.on('uncaughtExceptionMonitor', withSourceLines);
main().catch((error: unknown) => {
  console.error(lineFor(error) ?? withSourceLines(error));
  process.exit(1);
});

/** What an operator can mend is told in one line; anything else is a fault of ours and shows where. */
function lineFor(error: unknown): string | undefined {
  if (error instanceof ConfigError || error instanceof DataDirInUseError) return error.message;
  const { code, address, port, syscall } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (syscall === 'listen') return `PORT: ${address}:${port} cannot be listened on (${code}), takes a free port`;
  if (isRetryableDatabaseError(error))
    return 'DATABASE_URL: the database cannot be reached, takes the URL of a running PostgreSQL';
  return undefined;
}
