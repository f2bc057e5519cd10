import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../pages/browser.js';
import { startTestService, type TestService } from '../support/service.js';
import { bearer, createLogin } from '../support/sessions.js';
import { type LoopbackServer, serveHttp } from '../support/upstreams/loopback-server.js';
import { accessibilityFaults, openConsole, signInByPassword } from './console-page.js';

const TEXT = `Green tea is made from tea leaves. Green tea leaves are not oxidized. The caffeine content of green tea is
moderate, and the caffeine content depends on the water temperature. A high water temperature makes green tea bitter.
Ceramic teapots keep the warmth of green tea, and iron teapots keep the warmth longer.`;
const PAGE = `<!doctype html><html><body><main><h1>Green tea</h1><p>${TEXT}</p></main></body></html>`;

describeInBrowser('Keywords in the console', () => {
  let service: TestService;
  let browser: Browser;
  let pages: LoopbackServer;
  beforeAll(async () => {
    pages = await serveHttp((_, response) => response.end(PAGE));
    [browser, service] = await Promise.all([launchBrowser(), startTestService()]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await pages?.close();
  });

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  async function saveStopword(page: Page, projectId: number) {
    await page.goto(`${service.url}/projects/${projectId}/keywords/stopwords`);
    await page.getByRole('combobox', { name: 'Words' }).fill('ceramic');
    await page.getByRole('combobox', { name: 'Words' }).press('Enter');
    await button(page, 'Save stopwords').click();
    await page.getByText('The stopwords are saved.').waitFor();
  }

  test('the keywords of a page are grouped, chosen and become a variable', async () => {
    const user = await createLogin(service, 'grace', { name: 'Grace Hopper' });
    const { body } = await service.rest('POST', '/api/v1/projects/', {
      ...bearer(user.access),
      body: { name: 'Tea' },
    });
    const { id: projectId } = body as { id: number };
    const { page, context, complaints, open } = await openConsole(browser, service, { theme: 'light', size: 'wide' });
    await signInByPassword(page, service, user.email);
    await saveStopword(page, projectId);
    await open(`/projects/${projectId}/keywords`, 'Find the words that matter');
    await button(page, 'Find keywords').first().click();
    await page.getByLabel('Web page').fill('ftp://example.com');
    await button(page, 'Start').click();
    await page.locator('[aria-invalid=true]').waitFor();
    await page.getByLabel('Web page').fill(`${pages.url}/tea`);
    await button(page, 'Start').click();
    await page.waitForURL('**/keywords/*');
    await page.getByRole('table', { name: 'Keywords' }).getByText('green tea').first().waitFor();
    expect(await page.getByRole('table', { name: 'Keywords' }).innerText()).not.toMatch(/ceramic/i);
    await page.getByRole('switch', { name: 'green tea is enabled', exact: true }).press('Space');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Clusters' }).click();
    await page.getByRole('table', { name: 'Clusters' }).waitFor();
    await page.getByRole('tab', { name: 'Picture' }).click();
    await page.getByText(/clusters. The largest is/).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await button(page, 'Create variable').click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).fill('Tea words');
    await page.getByRole('radio', { name: 'One value for each keyword' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Create variable' }).click();
    await page.getByRole('link', { name: 'Tea words' }).waitFor();
    const { data } = await service.graphql(
      'query ($projectId: Int!) { variables(filter: { projectId: $projectId }) { items { key variableNames { value } } } }',
      { projectId },
    );
    const [variable] = data.variables.items;
    const values = variable.variableNames.map(({ value }: { value: string }) => value.toLowerCase());
    expect(variable.key).toBe('Tea words');
    expect(values.length).toBeGreaterThan(2);
    expect(values).not.toContain('green tea');
    expect(complaints()).toEqual([]);
    await context.close();
  });
});
