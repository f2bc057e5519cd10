import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../../pages/browser.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type ConsolePage, type ConsoleWindow, createSample, inSignedInConsole, type Sample } from '../console-page.js';

describeInBrowser('The layout of dialogs and tabs', () => {
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

  async function inConsole(size: ConsoleWindow['size'], work: (page: Page, window: ConsolePage) => Promise<void>) {
    await inSignedInConsole(browser, service, { email: sample.email, size }, async (page, window) => {
      await work(page, window);
      expect(window.complaints()).toEqual([]);
    });
  }

  test('an invalid field of a dialog is not behind its title', async () => {
    await inConsole('phone', async (page, { open }) => {
      await open(
        `/projects/${sample.project}/workflows/${sample.workflow}/triggers?create=schedule`,
        'Cron expression',
      );
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Create schedule' }).scrollIntoViewIfNeeded();
      await dialog.getByRole('button', { name: 'Create schedule' }).click();
      const name = await dialog.getByRole('textbox', { name: 'Name', exact: true }).boundingBox();
      const header = await dialog.locator('header').boundingBox();
      expect(name?.y).toBeGreaterThan((header?.y ?? 0) + (header?.height ?? 0));
    });
  });

  test('the navigation does not slide if the user prefers reduced motion', async () => {
    await inConsole('phone', async (page, { open }) => {
      await open(`/projects/${sample.project}/workflows`, 'Answer questions');
      const duration = (element: any) =>
        element.ownerDocument.defaultView.getComputedStyle(element).transitionDuration as string;
      for (const part of ['navbar', 'header', 'main'])
        expect([part, await page.locator(`.mantine-AppShell-${part}`).evaluate(duration)]).toEqual([part, '0s']);
    });
  });

  test('only the typed text of a code field is monospace', async () => {
    await inConsole('wide', async (page, { open }) => {
      await open(
        `/projects/${sample.project}/workflows/${sample.workflow}/triggers?create=schedule`,
        'Cron expression',
      );
      await page.getByRole('combobox', { name: 'When', exact: true }).click();
      await page.getByRole('option', { name: 'Other times' }).click();
      const font = (element: any) => element.ownerDocument.defaultView.getComputedStyle(element).fontFamily as string;
      expect(await page.getByRole('textbox', { name: 'Cron expression' }).evaluate(font)).toMatch(/monospace/);
      expect(await page.locator('label', { hasText: 'Cron expression' }).evaluate(font)).not.toMatch(/monospace/);
    });
  });

  test.each(['wide', 'phone'] as const)('tabs have no vertical overflow and show the active one (%s)', async size => {
    await inConsole(size, async (page, { open }) => {
      await open(`/projects/${sample.project}/documents`, 'Customer handbook.pdf');
      const bar = page.getByRole('navigation', { name: 'Documents' });
      expect(await bar.evaluate(({ scrollHeight, clientHeight }: any) => scrollHeight - clientHeight)).toBe(0);
      await open(`/projects/${sample.project}/settings?section=audit`, 'Export');
      await page.getByRole('tab', { name: 'Webhooks' }).waitFor();
      const tab = await page.getByRole('tab', { name: 'Audit log' }).boundingBox();
      expect(tab?.x).toBeGreaterThanOrEqual(0);
      expect((tab?.x ?? 0) + (tab?.width ?? 0)).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
    });
  });
});
