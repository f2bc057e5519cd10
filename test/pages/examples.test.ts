import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { blocksOf, ROOT, readPage } from '../support/readme/readme.js';
import { startTestService, type TestService } from '../support/service.js';
import {
  describeInBrowser,
  launchBrowser,
  openWatched,
  takePicture,
  type WatchedPage,
  windowOptions,
} from './browser.js';

const graph = {
  nodes: [
    {
      id: 'guest',
      type: 'trigger-node',
      data: { next_nodes: ['pause'], input_fields: [{ id: 'name', type: 'text' }] },
    },
    { id: 'pause', type: 'delay-node', data: { next_nodes: ['end'], seconds: 10 } },
    { id: 'end', type: 'output-node', data: { value: 'Welcome, {{ input.name }}!' } },
  ],
};

/** The command of the page's README, on a free port. */
function commandOf(readme: string): string[] {
  const [block] = blocksOf(readPage(readme)).filter(({ language }) => language === 'sh');
  const words = block?.text.trim().split(' ') ?? [];
  expect(words.slice(0, 2)).toEqual(['npx', 'esbuild']);
  return words.slice(1).map(word => word.replace('--serve=127.0.0.1:8000', '--serve=127.0.0.1:0'));
}

describeInBrowser('examples/subscriptions', () => {
  let service: TestService;
  let server: ChildProcess;
  let address: string;
  let browser: Browser;
  let context: BrowserContext;
  let watched: WatchedPage;
  let page: Page;
  let workflowId: number;

  beforeAll(async () => {
    const [name = '', ...words] = commandOf('examples/subscriptions/README.md');
    server = spawn(path.join(ROOT, 'node_modules/.bin', name), words, { cwd: ROOT, stdio: ['pipe', 'ignore', 'pipe'] });
    address = await new Promise((resolve, reject) => {
      let output = '';
      server.once('exit', () => reject(new Error(output)));
      server.stderr?.on('data', chunk => {
        output += chunk;
        const [, found] = /Local:\s+(http:\S+)/.exec(output) ?? [];
        if (found) resolve(found);
      });
    });
    browser = await launchBrowser();
    service = await startTestService();
    context = await browser.newContext(windowOptions);
    const { body: project } = await service.rest('POST', '/api/v1/projects/', { body: { name: 'Page' } });
    const workflow = { project: project.id, title: 'Welcome', data: graph };
    workflowId = (await service.rest('POST', '/api/v1/workflows/', { body: workflow })).body.id;
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    if (server?.exitCode === null) {
      server.kill();
      await once(server, 'exit');
    }
  });
  beforeEach(async () => {
    watched = await openWatched(context);
    page = watched.page;
    await page.goto(address);
  });
  afterEach(() => page.close());

  const start = async (key: string, input: string) => {
    await page.getByLabel('Service').fill(service.url);
    await page.getByLabel('API key').fill(key);
    await page.getByLabel('Workflow id').fill(String(workflowId));
    await page.getByLabel('Input, JSON').fill(input);
    await page.getByRole('button', { name: 'Start the run' }).click();
  };
  const status = () => page.getByRole('status');

  test('shows each change of a run, once and in order, over a single socket', async () => {
    await start(service.key, '{"name": "Ada"}');
    await page.getByText('NODE_WAITING').waitFor();
    await expect(status().innerText()).resolves.toMatch(/^Following [0-9a-f-]{36} …$/);
    await page.getByText('RUN_SUCCEEDED').last().waitFor();
    await status().getByText('Ended: RUN_SUCCEEDED').waitFor();
    const items = await page.locator('li').allInnerTexts();
    expect(items.map(text => text.replaceAll(/\s+/g, ' '))).toEqual([
      'NODE_STARTED guest',
      'NODE_SUCCEEDED guest: {"name":"Ada"}',
      'NODE_STARTED pause',
      'NODE_WAITING pause',
      'NODE_SUCCEEDED pause',
      'NODE_STARTED end',
      'NODE_SUCCEEDED end: Welcome, Ada!',
      'RUN_SUCCEEDED',
    ]);
    await expect(page.locator('li').evaluateAll(found => found.map(item => (item as any).value))).resolves.toEqual(
      items.map((_text, index) => index + 1),
    );
    const asked = watched.requests.filter(url => url.startsWith('ws'));
    expect(asked).toEqual([`${service.url.replace('http', 'ws')}/graphql`]);
    expect(watched.requests.filter(url => url.startsWith('http') && !url.startsWith(address))).toEqual([]);
    expect(watched.complaints).toEqual([]);
    await takePicture(page, 'follow');
    await expect(page.evaluate('JSON.stringify({ ...localStorage })')).resolves.not.toContain(service.key);
  });

  test('says what is wrong with the key or the input', async () => {
    await start(service.key, '{"name": 1');
    await status().getByText('JSON').waitFor();
    await start('sk-of-nobody-at-all-000000', '{}');
    await status().getByText('The connection was closed: Forbidden').waitFor();
  });
});
