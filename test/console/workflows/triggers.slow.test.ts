import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../../pages/browser.js';
import { eventually } from '../../support/eventually.js';
import { startTestService, type TestService } from '../../support/service.js';
import {
  accessibilityFaults,
  createSample,
  openConsole,
  type Sample,
  signInByPassword,
  WINDOWS,
} from '../console-page.js';

describeInBrowser('Triggers in the console', () => {
  let service: TestService;
  let browser: Browser;
  let sample: Sample;
  beforeAll(async () => {
    [browser, service] = await Promise.all([launchBrowser(), startTestService()]);
    sample = await createSample(service);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const dialog = (page: Page) => page.getByRole('dialog');
  const overflow = (page: Page) => page.evaluate('document.documentElement.scrollWidth - window.innerWidth');

  async function inConsole(work: (page: Page) => Promise<void>) {
    const { page, context, complaints, open } = await openConsole(browser, service, { theme: 'light', size: 'wide' });
    await signInByPassword(page, service, sample.email);
    await open(`/projects/${sample.project}/workflows`, 'Answer questions');
    await button(page, 'Actions for Answer questions').click();
    await page.getByRole('menuitem', { name: 'Triggers', exact: true }).click();
    await work(page);
    expect(complaints()).toEqual([]);
    await context.close();
  }

  test('a webhook is created, called, seen in its log and gets a new address', async () => {
    await inConsole(async page => {
      await page.getByText('Start runs automatically').waitFor();
      await button(page, 'New webhook').click();
      await dialog(page).getByLabel('Name').fill('Shop');
      await dialog(page).getByRole('textbox', { name: 'Mapping' }).fill('[]');
      await button(page, 'Create webhook').click();
      await page.getByText('Enter a JSON object, or nothing.').waitFor();
      await dialog(page).getByRole('textbox', { name: 'Mapping' }).fill('{"question": "{{ input.body.text }}"}');
      await button(page, 'Create webhook').click();
      await page.getByRole('heading', { name: 'Shop' }).waitFor();
      const shown = page.getByRole('region', { name: 'address', exact: true });
      const address = (await shown.locator('pre').textContent()) ?? '';
      expect(address).toMatch(new RegExp(`^${service.url}/hooks/`));
      await page.getByText(/curl -X POST/).waitFor();
      const headers = { 'Content-Type': 'application/json' };
      const call = () => fetch(address, { method: 'POST', headers, body: '{"text": "Where is my parcel?"}' });
      const answer = (await (await call()).json()) as { run_id: string };
      const run = page.getByRole('table', { name: 'Log' }).getByRole('link', { name: answer.run_id.slice(-8) });
      await run.waitFor();
      await page.getByText('Started', { exact: true }).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.setViewportSize(WINDOWS.phone);
      expect(await overflow(page)).toBe(0);
      await page.setViewportSize(WINDOWS.wide);

      await button(page, 'Actions for Shop').click();
      await page.getByRole('menuitem', { name: 'New address' }).click();
      await button(page, 'Create address').click();
      await page.getByText('The webhook has a new address.').waitFor();
      expect(await shown.locator('pre').textContent()).not.toBe(address);
      expect((await call()).status).toBe(404);
      await run.click();
      await page.waitForURL(`**/runs/${answer.run_id}`);
    });
  });

  test('a schedule is created from a preset, edited, switched off and deleted', async () => {
    await inConsole(async page => {
      await button(page, 'New schedule').first().click();
      await dialog(page).getByLabel('Name').fill('Mornings');
      await dialog(page).getByLabel('Cron expression').fill('0 9 * *');
      await button(page, 'Create schedule').click();
      await dialog(page).locator('[aria-invalid=true]').waitFor();
      await dialog(page).getByRole('combobox', { name: 'When', exact: true }).click();
      await page.getByRole('option', { name: 'Every hour' }).click();
      expect(await dialog(page).getByLabel('Cron expression').inputValue()).toBe('0 * * * *');
      await button(page, 'Create schedule').click();
      await page.getByText(/“Mornings” is saved. Next run: /).waitFor();
      await page.getByRole('heading', { name: 'Mornings' }).waitFor();
      await page.getByText(/Every hour/).waitFor();
      await button(page, 'Actions for Mornings').click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      await dialog(page).getByLabel('Cron expression').fill('30 9 * * 1-5');
      await button(page, 'Save').click();
      await page.getByText(/30 9 \* \* 1-5/).waitFor();
      await page.getByRole('switch', { name: 'Enabled' }).press('Space');
      await page.getByText('None: it is switched off, paused or not due again.').waitFor();
      await page.getByRole('link', { name: 'Triggers', exact: true }).last().click();
      const row = page.getByRole('row', { name: /Mornings/ });
      await row.waitFor();
      expect(await row.getByRole('switch', { name: 'Mornings is enabled' }).isChecked()).toBe(false);
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.setViewportSize(WINDOWS.phone);
      await eventually(
        () => overflow(page),
        width => width === 0,
      );
      await page.setViewportSize(WINDOWS.wide);
      await button(page, 'Actions for Mornings').click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await button(page, 'Delete trigger').click();
      await row.waitFor({ state: 'detached' });
    });
  });
});
