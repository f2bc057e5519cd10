import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { outsideRequests } from '../pages/browser.js';
import { eventually } from '../support/eventually.js';
import { chain, field, llm, output, trigger } from '../support/graphs.js';
import type { TestService } from '../support/service.js';
import { bearer, createLogin, PASSWORD } from '../support/sessions.js';
import { createContent } from './content-sample.js';

/** The sample data: ids that replace `{name}` in the paths of `SCREENS`, and the email of the user. `empty` is a project without content. */
export type Sample = Record<'project' | 'workflow' | 'run' | 'empty', string | number> &
  Awaited<ReturnType<typeof createContent>> & { email: string };

export const WINDOWS = {
  wide: { width: 1440, height: 900 },
  tablet: { width: 820, height: 1180 },
  phone: { width: 360, height: 760 },
} as const;

const START = `mutation ($workflowId: Int!, $input: JSON) {
  workflowRunStart(workflowId: $workflowId, input: $input) { run { id } }
}`;
const STATES = 'query ($workflowId: Int!) { workflowRuns(workflowId: $workflowId) { items { state } } }';

/** A user with a project that has workflows and runs, and an empty project. */
export async function createSample(service: TestService): Promise<Sample> {
  const user = await createLogin(service, 'grace', { name: 'Grace Hopper', isAdmin: true });
  const asUser = bearer(user.access);
  const create = async (route: string, body: object) =>
    (await service.rest('POST', route, { ...asUser, body })).body as { id: number };
  const project = await create('/api/v1/projects/', { name: 'Customer support' });
  const empty = await create('/api/v1/projects/', { name: 'New ideas' });
  const data = chain(trigger(field('question')), llm('Answer: {{ input.question }}'), output('done'));
  const workflow = await create('/api/v1/workflows/', {
    project: project.id,
    title: 'Answer questions',
    short_description: 'Answers a question with the knowledge of the team.',
    data,
  });
  await create('/api/v1/workflows/', { project: project.id, title: 'Sort the inbox', data });
  const runs: string[] = [];
  for (const question of ['Where is my parcel?', 'How do I return it?', 'Which sizes exist?']) {
    const { data: started } = await service.graphql(START, { workflowId: workflow.id, input: { question } });
    runs.push(started.workflowRunStart.run.id);
  }
  const states = async () => (await service.graphql(STATES, { workflowId: workflow.id })).data.workflowRuns.items;
  await eventually(states, items => items.every(({ state }: { state: string }) => state === 'SUCCEEDED'));
  const [run = ''] = runs;
  const content = await createContent(service, user.access, project.id);
  return { project: project.id, empty: empty.id, workflow: workflow.id, run, ...content, email: user.email };
}

export interface ConsolePage {
  page: Page;
  /** Errors and warnings of the console, uncaught exceptions and requests to other hosts. */
  complaints: () => string[];
  /** Opens a screen and waits until it shows its text and no skeleton. */
  open: (address: string, shows: string) => Promise<void>;
}

export interface ConsoleWindow {
  theme: 'light' | 'dark';
  size: keyof typeof WINDOWS;
}

/** Runs `work` in a window of the console in which the user is signed in. */
export async function inSignedInConsole(
  browser: Browser,
  service: TestService,
  { email, size = 'wide' }: { email: string; size?: ConsoleWindow['size'] },
  work: (page: Page, window: ConsolePage) => Promise<void>,
): Promise<void> {
  const { context, ...window } = await openConsole(browser, service, { theme: 'light', size });
  await signInByPassword(window.page, service, email);
  await work(window.page, window);
  await context.close();
}

/** Opens a browser window with its own cookies, not signed in. */
export async function openConsole(
  browser: Browser,
  service: TestService,
  { theme, size }: ConsoleWindow,
): Promise<ConsolePage & { context: BrowserContext }> {
  const viewport = WINDOWS[size];
  const context = await browser.newContext({ viewport, colorScheme: theme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(150_000);
  const messages: string[] = [];
  const requests: string[] = [];
  page.on('request', request => requests.push(request.url()));
  page.on('websocket', socket => requests.push(socket.url()));
  page.on('pageerror', error => messages.push(`uncaught: ${error.message}`));
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') messages.push(message.text());
  });
  const open = async (address: string, shows: string) => {
    await page.goto(`${service.url}${address}`);
    await page.getByText(shows, { exact: false }).filter({ visible: true }).first().waitFor();
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  };
  const complaints = () => [...messages, ...outsideRequests(requests, service.url).map(url => `foreign: ${url}`)];
  return { page, context, complaints, open };
}

export async function signInByPassword(page: Page, service: TestService, email: string): Promise<void> {
  await page.goto(`${service.url}/sign-in`);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/projects**');
}

/** How many pixels the page is wider than the window. */
export async function overflowWidth(page: Page): Promise<number> {
  return Number(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'));
}

const AXE = readFileSync(path.resolve('node_modules/axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  impact: string;
  help: string;
  nodes: { target: string[]; failureSummary?: string }[];
}

/** Serious and critical violations of WCAG 2.2 A and AA, one line each. The second line of a summary is the first reason. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = (await page.evaluate(`axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    resultTypes: ['violations'],
  })`)) as { violations: Violation[] };
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ target, failureSummary = '' }) =>
          `${id}: ${help}: ${target.join(' ')} ${failureSummary.split('\n')[1] ?? ''}`,
      ),
    );
}
