import 'reflect-metadata';
import { DataDirInUseError, type Service, startService } from './app.js';
import { ConfigError, readConfig } from './base/config.js';
import { createLog } from './base/log.js';

/** Process entry, by ROLE: api, worker or all. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const service = await startService(config, log);
  announce(service);
  log.info({ role: config.role, url: service.url }, 'started');

  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    await service.stop();
    log.info('stopped');
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));
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

main().catch((error: unknown) => {
  if (error instanceof ConfigError || error instanceof DataDirInUseError) console.error(error.message);
  else console.error(error);
  process.exit(1);
});
