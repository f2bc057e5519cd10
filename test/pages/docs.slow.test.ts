import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { pureGraph } from '../support/run-graphs.js';
import { bearer, createLogin, type Login, PASSWORD } from '../support/sessions.js';
import {
  describeInBrowser,
  launchBrowser,
  openWatched,
  outsideRequests,
  takePicture,
  type WatchedPage,
  windowOptions,
} from './browser.js';
import type { OpenApiDocument } from './openapi.js';
import { type RunningService, startService } from './service.js';

describeInBrowser('The REST reference', () => {
  let service: RunningService;
  let browser: Browser;
  let context: BrowserContext;
  let watched: WatchedPage;
  let page: Page;
  let user: Login;
  let workflow: number;

  beforeAll(async () => {
    browser = await launchBrowser();
    service = await startService();
    user = await createLogin(service.tested, 'ada');
    const asUser = bearer(user.access);
    const make = async (path: string, body: unknown) =>
      (await service.tested.rest('POST', `/api/v1/${path}/`, { ...asUser, body })).body.id as number;
    workflow = await make('workflows', {
      project: await make('projects', { name: 'Ada’s' }),
      title: 'Brew',
      data: pureGraph(),
    });
    context = await browser.newContext(windowOptions);
    const created = await fetch(`${service.url}/api/v1/projects/`, {
      method: 'POST',
      headers: { 'X-Api-Key': service.apiKey, 'Content-Type': 'application/json' },
      body: '{"name": "Tea shop"}',
    });
    expect(created.status).toBe(201);
    // All tests share one page, because it opens slowly.
    watched = await openWatched(context);
    page = watched.page;
    await page.goto(`${service.url}/docs`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  });
  afterEach(() => {
    expect(watched.complaints).toEqual([]);
    expect(outsideRequests(watched.requests, service.url)).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  /** Operations are rendered as they come into view. */
  const openListProjects = () => page.locator('aside').getByText('List projects', { exact: true }).first().click();

  /** Opens the form of an operation that is in view, fills it in, sends it, and waits for the answer. */
  async function tryOperation(button: RegExp, address: RegExp, body?: string) {
    await page.getByRole('button', { name: button }).click();
    const form = page.getByRole('dialog');
    if (body !== undefined) {
      await form.locator('.cm-content').last().click();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.insertText(body);
    }
    const asked = page.waitForRequest(request => address.test(request.url()));
    await form.getByRole('button', { name: 'Send' }).first().click();
    const request = await asked;
    return { headers: request.headers(), answer: await (await request.response())?.json() };
  }

  test('lists every operation of openapi.json', async () => {
    await expect(page.title()).resolves.toBe('Scenarium REST reference');
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApiDocument;
    const summaries = Object.values(document.paths).flatMap(methods =>
      Object.values(methods).map(({ summary }) => summary),
    );
    expect(summaries).toContain('List projects');
    const sidebar = page.locator('aside');
    for (const summary of summaries) await sidebar.getByText(summary, { exact: true }).first().waitFor();
  });

  test('shows each request as a curl command, and in JavaScript', async () => {
    await openListProjects();
    const operation = page.getByRole('region', { name: 'List projects' });
    const sample = operation.locator('pre').first();
    // Optional parameters get no example value: `name__icontains=support` would find nothing.
    await sample.filter({ hasText: `curl '${service.url}/api/v1/projects/?page=1&size=10'` }).waitFor();
    await expect(sample.innerText()).resolves.toContain("--header 'X-Api-Key: ");
    await operation.getByRole('button', { name: 'Shell Curl' }).click();
    await page.getByRole('group', { name: 'JavaScript' }).getByRole('option', { name: 'Fetch' }).click();
    await sample.filter({ hasText: `fetch('${service.url}/api/v1/projects/` }).waitFor();
    await expect(sample.innerText()).resolves.toContain("'X-Api-Key': ");
    await takePicture(page, 'docs-javascript');
  });

  test('turns dark with the system', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('body.dark-mode').waitFor();
    await takePicture(page, 'docs-dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.locator('body.light-mode').waitFor();
  });

  test('tries requests with a login, from the first list to the end of a run', async () => {
    const logIn = page.locator('.bar').getByRole('button', { name: 'Login', exact: true });
    await logIn.click();
    await page.getByLabel('Email', { exact: true }).fill(user.email);
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.locator('.bar .bar-fault').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await takePicture(page, 'docs-login');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.locator('.bar').getByText(user.email).waitFor();
    expect(watched.complaints.splice(0).filter(text => !text.includes('status of 401'))).toEqual([]);

    await openListProjects();
    const listed = await tryOperation(/\(get \/api\/v1\/projects\/\)/, /\/projects\/\?/);
    expect(listed.headers['x-api-key']).toBeUndefined();
    expect(listed.headers.authorization).toMatch(/^Bearer ey/);
    expect(listed.answer).toMatchObject({ total: 1, items: [{ name: 'Ada’s' }] });
    await takePicture(page, 'docs-logged-in');
    await page.keyboard.press('Escape');

    await page.locator('aside').getByText('Run a workflow', { exact: true }).first().click();
    // The example of openapi.json is the id of the first workflow.
    expect(workflow).toBe(1);
    const address = /\/workflows\/1\/run\/$/;
    const started = await tryOperation(
      /\(post \/api\/v1\/workflows\/\{id\}\/run\/\)/,
      address,
      '{"input_data": {"topic": "cats"}}',
    );
    expect(started.answer).toMatchObject({ status: 201 });
    const { id } = started.answer.data;
    await eventually(
      () => service.tested.rest('GET', `/api/v1/workflows/workflow_result/?id=${id}`),
      ({ body }) => body.data.status === 'succeed',
    );
    await takePicture(page, 'docs-run');
    await page.keyboard.press('Escape');

    await page.locator('.bar').getByRole('button', { name: 'Log out' }).click();
    await logIn.waitFor();
    expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toMatch(/ey[\w-]{10}/);
  });

  test('sends the key when a request is tried, and keeps it for the next visit', async () => {
    await page.getByLabel('Value').first().fill(service.apiKey);
    await openListProjects();
    await page.getByRole('button', { name: /Test Request\s*\(get \/api\/v1\/projects\/\)/ }).click();
    const asked = page.waitForRequest(request => request.url().includes('/api/v1/projects/'));
    await page.getByRole('button', { name: 'Send' }).first().click();
    const response = await (await asked).response();
    expect(response?.request().headers()['x-api-key']).toBe(service.apiKey);
    expect(response?.status()).toBe(200);
    await page.getByText('Tea shop').first().waitFor();
    await takePicture(page, 'docs-answer');

    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect(page.getByLabel('Value').first().inputValue()).resolves.toBe(service.apiKey);
  });
});
