import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
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

  beforeAll(async () => {
    browser = await launchBrowser();
    service = await startService();
    context = await browser.newContext(windowOptions);
    const created = await fetch(`${service.url}/api/v1/projects/`, {
      method: 'POST',
      headers: { 'X-Api-Key': service.apiKey, 'Content-Type': 'application/json' },
      body: '{"name": "Tea house"}',
    });
    expect(created.status).toBe(201);
    // One page for all: it takes its time to open.
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
    // Nothing that may be left out is filled in with an example: `name__icontains=support` would find nothing.
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

  test('sends the key when a request is tried, and keeps it for the next visit', async () => {
    await page.getByLabel('Value').first().fill(service.apiKey);
    await openListProjects();
    await page.getByRole('button', { name: /Test Request\s*\(get \/api\/v1\/projects\/\)/ }).click();
    const asked = page.waitForRequest(request => request.url().includes('/api/v1/projects/'));
    await page.getByRole('button', { name: 'Send' }).first().click();
    const response = await (await asked).response();
    expect(response?.request().headers()['x-api-key']).toBe(service.apiKey);
    expect(response?.status()).toBe(200);
    await page.getByText('Tea house').first().waitFor();
    await takePicture(page, 'docs-answer');

    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect(page.getByLabel('Value').first().inputValue()).resolves.toBe(service.apiKey);
  });
});
