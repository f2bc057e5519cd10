import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { describe, jest, test } from '@jest/globals';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const LAUNCH_ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Requests to other hosts fail at once, with or without a network.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** GraphiQL is 7 MB of script, rendered without a GPU, so a page loads slowly on a busy machine. */
const TIMEOUT_MS = 480_000;

const WELL_KNOWN_PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A configured path is the only candidate: a wrong one fails instead of using another browser. */
export function chromiumPath(): string | undefined {
  return process.env.CHROMIUM_PATH || WELL_KNOWN_PATHS.find(isExecutable);
}

const NO_BROWSER = "no Chromium here: install Debian's chromium or set CHROMIUM_PATH";

/** Like `describe`; without a Chromium the tests are reported as skipped and a line says what is missing. */
export function describeInBrowser(title: string, tests: () => void): void {
  jest.setTimeout(TIMEOUT_MS);
  if (chromiumPath() !== undefined) {
    describe(title, tests);
    return;
  }
  // Also written here, because jest shows no titles of a file whose tests are all skipped.
  process.stderr.write(`${title}: skipped, ${NO_BROWSER}\n`);
  describe.skip(`${title} [${NO_BROWSER}]`, tests);
}

/** Whether `npm run test:console` runs. Other commands run one part of the console's tests, to save time. */
export const isConsoleSuite = process.env.CONSOLE_TEST === 'all';

/** Like `test`, for `npm run test:console` only. */
export const testInConsoleSuite = isConsoleSuite ? test : test.skip;

/** Options of `newContext`: the window of an ordinary laptop with a light color scheme. */
export const windowOptions = { colorScheme: 'light', viewport: { width: 1360, height: 860 } } as const;

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), args: LAUNCH_ARGUMENTS });
}

export interface WatchedPage {
  page: Page;
  /** Addresses asked for, those of workers and sockets included. */
  requests: string[];
  /** Errors and warnings of the console, uncaught exceptions, refusals by the page's policy. */
  complaints: string[];
}

/** Pages of one context share its cache: the scripts are fetched once for a whole file of tests. */
export async function openWatched(context: BrowserContext): Promise<WatchedPage> {
  const page = await context.newPage();
  // Shorter than a test's own limit, so that a failed wait is reported with the awaited condition.
  page.setDefaultTimeout(TIMEOUT_MS / 3);
  // Each page starts as on a first visit and keeps its storage over reloads. The storage is not cleared when the previous
  // page closes, because GraphiQL still writes to it then.
  await page.addInitScript(
    `if (!sessionStorage.getItem('visited')) { localStorage.clear(); sessionStorage.setItem('visited', 'yes'); }`,
  );
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', request => requests.push(request.url()));
  page.on('websocket', socket => requests.push(socket.url()));
  page.on('pageerror', error => complaints.push(`uncaught: ${error.message}`));
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  return { page, requests, complaints };
}

/** Requests to other hosts than the service. */
export function outsideRequests(requests: string[], serviceUrl: string): string[] {
  const { host } = new URL(serviceUrl);
  return requests.filter(address => {
    const url = new URL(address);
    return url.protocol !== 'data:' && url.protocol !== 'blob:' && url.host !== host;
  });
}

/**
 * Saves a screenshot in PICTURES_DIR, with CONSOLE_TEST=all in test/console/pictures, or else in the temporary folder of
 * the test run.
 */
export async function takePicture(page: Page, name: string): Promise<void> {
  const kept = isConsoleSuite ? path.resolve('test/console/pictures') : undefined;
  const folder = process.env.PICTURES_DIR || kept || path.join(process.env.TEST_DATA_DIR as string, 'pictures');
  await page.screenshot({ path: path.join(folder, `${name}.png`) });
}
