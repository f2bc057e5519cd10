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
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  beforeEach(async () => {
    watched = await openWatched(context);
    page = watched.page;
    await page.goto(`${service.url}/docs`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  });
  afterEach(async () => {
    await page.close();
    expect(watched.complaints).toEqual([]);
    expect(outsideRequests(watched.requests, service.url)).toEqual([]);
  });

  /** Operations are rendered as they come into view. */
  const openListProjects = () => page.locator('aside').getByText('List projects', { exact: true }).first().click();

  test('lists every operation of openapi.json', async () => {
    await expect(page.title()).resolves.toBe('Scenarium REST reference');
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApiDocument;
    const summaries = Object.values(document.paths).flatMap(path => Object.values(path).map(({ summary }) => summary));
    expect(summaries).toContain('List projects');
    const sidebar = page.locator('aside');
    for (const summary of summaries) await sidebar.getByText(summary, { exact: true }).first().waitFor();
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

    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect(page.getByLabel('Value').first().inputValue()).resolves.toBe(service.apiKey);
  });

  test('shows each request as a curl command', async () => {
    await openListProjects();
    const sample = page.locator('pre').filter({ hasText: `curl ${service.url}/api/v1/projects/` });
    await sample.first().waitFor();
  });

  test('turns dark with the system', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('body.dark-mode').waitFor();
  });
});
