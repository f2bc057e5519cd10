import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../platform/config/config.js';
import { startCustomerServer } from './customer-server.js';
import { RestClient } from './rest-client.js';
import type { DemoService } from './service.js';
import { heading, tour } from './tour.js';

/** `npm run demo`: runs a sample workflow, then keeps the service running. With `-- --exit` it stops the service. */
async function main(): Promise<void> {
  const { exit } = readArguments();
  const interruption = new Promise<'interrupted'>(resolve => {
    process.once('SIGINT', () => resolve('interrupted'));
    process.once('SIGTERM', () => resolve('interrupted'));
  });
  const config = readConfig({ ...process.env, ROLE: 'all', LOG_LEVEL: process.env.LOG_LEVEL || 'warn' });
  console.log('Scenarium is starting. The first start takes a few seconds.');
  const customerServer = await startCustomerServer();
  // Loaded after the first line is printed, because loading the service takes longest.
  const { openService } = await import('./service.js');
  const service = await openService(
    { ...config, outboundAllow: [...config.outboundAllow, customerServer.address] },
    process.env,
  );
  try {
    printService(service);
    const rest = new RestClient(service.url, service.key);
    // The providers of another process are unknown here, but every service has the built-in model.
    const { isOwn } = service;
    const options = { isOwn, model: isOwn ? modelOf(config) : 'echo', customersUrl: customerServer.url };
    const finished = tour(rest, options).catch(error => rethrowWithRemedy(error, service, customerServer.address));
    const screen = await Promise.race([finished, interruption]);
    if (screen === 'interrupted') return;
    await printLinks(service, screen);
    if (exit) return;
    console.log('\nThe service runs until you press Ctrl-C.');
    await interruption;
  } finally {
    await service.stop();
    customerServer.stop();
  }
}

const USAGE = `npm run demo [-- --exit]
Starts the service on an embedded database in DATA_DIR, runs a sample workflow and keeps the service running until Ctrl-C.
  --exit  stops the service after the sample run`;

function readArguments(): { exit: boolean } {
  try {
    const { exit, help } = parseArgs({
      options: { exit: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    }).values;
    if (help) {
      console.log(USAGE);
      process.exit(0);
    }
    return { exit: exit ?? false };
  } catch {
    console.error(USAGE);
    process.exit(2);
  }
}

/** Uses the model of a configured provider, otherwise the built-in model, which echoes its input. */
function modelOf({ openai }: Config): string {
  return openai.baseUrl || openai.apiKey ? 'gpt-4o-mini' : 'echo';
}

/** A service that the demo did not start may not allow calls to the demo's server. */
function rethrowWithRemedy(error: Error, { isOwn }: DemoService, address: string): never {
  if (isOwn || !error.message.includes('not allowed')) throw error;
  throw new Error(`${error.message} Restart the running service with OUTBOUND_ALLOW=${address}.`, { cause: error });
}

/** Generated credentials are printed before a later step can fail, because they are shown only once. */
function printService({ url, isOwn, firstAdministrator }: DemoService): void {
  console.log(`Scenarium ${isOwn ? 'listens on' : 'is already running at'} ${url}`);
  if (!firstAdministrator) return;
  const { email, password, apiKey } = firstAdministrator;
  heading('First administrator of this data folder');
  console.log(`  email      ${email}`);
  if (password) console.log(`  password   ${password}   (shown once)`);
  if (apiKey) console.log(`  API key    ${apiKey}   (shown once)`);
}

/** `screen`: the path of the run in the console. */
async function printLinks({ url, key, signIn }: DemoService, screen: string): Promise<void> {
  heading('Try it yourself');
  console.log(`  Console    ${(await signIn(screen)) ?? `${url}${screen}`}`);
  console.log(`  GraphiQL   ${url}/graphiql`);
  console.log(`  REST       ${url}/docs`);
  console.log(`  API key    ${key}   (paste it there)`);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const { message, code } = error as { message?: string; code?: unknown };
    console.error(`The demo failed. ${message || code || JSON.stringify(error)}`);
    process.exit(1);
  },
);
