import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import {
  describeInBrowser,
  launchBrowser,
  openWatched,
  outsideRequests,
  type WatchedPage,
  windowOptions,
} from './browser.js';
import { GraphiQLPage } from './graphiql-page.js';
import { type RunningService, startService } from './service.js';

const START = '11111111-1111-4111-8111-111111111111';
const END = '22222222-2222-4222-8222-222222222222';
const graph = {
  nodes: [
    {
      id: START,
      type: 'trigger-node',
      position: { x: 0, y: 0 },
      data: { id: START, input_fields: [], next_nodes: [END] },
    },
    { id: END, type: 'output-node', position: { x: 200, y: 0 }, data: { id: END, value: 'done', next_nodes: [] } },
  ],
  edges: [],
  viewport: { x: 0, y: 0, zoom: 1 },
  start_node: START,
};

describeInBrowser('GraphiQL', () => {
  let service: RunningService;
  let browser: Browser;
  let context: BrowserContext;
  let workflowId: number;
  let watched: WatchedPage;
  let page: Page;
  let graphiql: GraphiQLPage;

  beforeAll(async () => {
    browser = await launchBrowser();
    service = await startService();
    context = await browser.newContext(windowOptions);
    const { projectCreate } = await ask<{ projectCreate: { project: { id: number } } }>(
      'mutation { projectCreate(input: { name: "Tea shop" }) { project { id } } }',
    );
    const { workflowCreate } = await ask<{ workflowCreate: { workflow: { id: number } } }>(
      'mutation ($input: WorkflowCreateInput!) { workflowCreate(input: $input) { workflow { id } } }',
      { input: { projectId: projectCreate.project.id, title: 'Brew', data: graph } },
    );
    workflowId = workflowCreate.workflow.id;
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  beforeEach(async () => {
    watched = await openWatched(context);
    page = watched.page;
    graphiql = new GraphiQLPage(page);
    await page.goto(`${service.url}/graphiql`);
    await graphiql.waitUntilReady();
  });
  afterEach(async () => {
    await page.close();
    expect(watched.complaints).toEqual([]);
    expect(outsideRequests(watched.requests, service.url)).toEqual([]);
  });

  async function ask<Answer>(query: string, variables: object = {}): Promise<Answer> {
    const response = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Api-Key': service.apiKey },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await response.json()) as { data: Answer; errors?: unknown };
    expect(errors).toBeUndefined();
    return data;
  }
  const keyField = () => page.getByLabel('API key', { exact: true });
  const typeKey = async (apiKey = service.apiKey) => {
    await keyField().fill(apiKey);
    await keyField().press('Enter');
  };

  test('brings three ready-made tabs and the schema', async () => {
    await expect(page.title()).resolves.toBe('Scenarium GraphiQL');
    const tabs = await page.getByRole('tab').allInnerTexts();
    expect(tabs.map(name => name.trim())).toEqual(['ListProjects', 'RunWorkflow', 'WatchRun']);
    await typeKey();
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.getByText('root types', { exact: false }).first().waitFor();
  });

  test('shows the refusal without a key and the projects with one', async () => {
    await graphiql.run();
    await graphiql.waitForResponse('UNAUTHENTICATED');
    // The browser itself reports the 401 of the refusal.
    expect(watched.complaints.splice(0).filter(text => !text.includes('status of 401'))).toEqual([]);
    await typeKey();
    await graphiql.run();
    await graphiql.waitForResponse('"Tea shop"');
  });

  test('starts a run and follows another one live', async () => {
    await typeKey();
    await graphiql.openTab('RunWorkflow');
    await graphiql.setVariables({ workflowId, input: {} });
    await graphiql.run();
    await graphiql.waitForResponse('201');

    const { workflowRunStart } = await ask<{ workflowRunStart: { run: { id: string } } }>(
      'mutation ($id: Int!) { workflowRunStart(workflowId: $id, draft: true) { run { id } } }',
      { id: workflowId },
    );
    const { id } = workflowRunStart.run;
    await graphiql.openTab('WatchRun');
    await graphiql.setVariables({ id });
    await graphiql.run();
    await graphiql.waitForResponse('"DRAFT"');
    await ask<unknown>('mutation ($id: UUID!) { workflowRunRelease(id: $id) { receipt { status } } }', { id });
    await graphiql.waitForResponse('"SUCCEEDED"');
    expect(watched.requests).toContain(`${service.url.replace('http', 'ws')}/graphql`);
  });

  test('writes an operation from what is ticked in the explorer', async () => {
    await typeKey();
    await page.getByRole('button', { name: 'Show GraphiQL Explorer' }).click();
    await page.locator('.graphiql-explorer-root [data-field-name="me"]').click();
    await graphiql.run();
    await graphiql.waitForResponse('"me"');
  });

  test('keeps the key over a reload, only in the storage of the browser', async () => {
    await typeKey();
    await page.reload();
    await graphiql.waitUntilReady();
    await expect(keyField().inputValue()).resolves.toBe(service.apiKey);
    await expect(keyField().getAttribute('type')).resolves.toBe('password');
    await graphiql.run();
    await graphiql.waitForResponse('"Tea shop"');
    expect(watched.requests.filter(address => address.includes(service.apiKey))).toEqual([]);
    expect(await context.cookies()).toEqual([]);

    await page.getByRole('button', { name: 'Forget' }).click();
    await page.reload();
    await graphiql.waitUntilReady();
    await expect(keyField().inputValue()).resolves.toBe('');
  });

  test('turns dark with the system', async () => {
    const barColor = () =>
      page.locator('header.bar').evaluate(bar => {
        const browserWindow = globalThis as unknown as { getComputedStyle(of: unknown): { backgroundColor: string } };
        return browserWindow.getComputedStyle(bar).backgroundColor;
      });
    const light = await barColor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('.graphiql-query-editor .monaco-editor.vs-dark').waitFor();
    expect(await barColor()).not.toBe(light);
  });
});
