import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../../pages/browser.js';
import { chain, field, llm, node, output, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import {
  accessibilityFaults,
  type ConsolePage,
  createSample,
  inSignedInConsole,
  type Sample,
} from '../console-page.js';

describeInBrowser('Editing a workflow', () => {
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

  async function inEditor(data: object, work: (page: Page, window: ConsolePage) => Promise<void>) {
    const body = { project: sample.project, title: 'Edited', data };
    const { id } = (await service.rest('POST', '/api/v1/workflows/', { body })).body;
    await inSignedInConsole(browser, service, { email: sample.email }, async (page, window) => {
      await window.open(`/projects/${sample.project}/workflows/${id}`, 'Add node');
      await work(page, window);
    });
  }
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  test('a refused form focuses its first invalid field', async () => {
    const names = Array.from({ length: 25 }, (_, index) => `field_${index}`);
    const fields = names.map((name, index) =>
      field(name, { input_requirements: index === 1, title: `Title ${index}` }),
    );
    await inEditor(chain(trigger(...fields), output('done')), async (page, { complaints }) => {
      await button(page, 'Run').click();
      await button(page, 'Save and run').click();
      await page
        .getByRole('textbox', { name: /^Title 1\b/ })
        .and(page.locator(':focus'))
        .waitFor();
      expect(complaints()).toEqual([]);
    });
  });

  test('the search of nodes shows titles that begin with the text first', async () => {
    await inEditor(chain(trigger(), output()), async (page, { complaints }) => {
      await page.keyboard.press('n');
      await page.keyboard.type('if');
      await page.keyboard.press('Enter');
      await page.locator('.react-flow__node').getByText('If / else').first().waitFor();
      expect(complaints()).toEqual([]);
    });
  });

  test('the banner of a lost connection takes its height from the editor', async () => {
    await inEditor(chain(trigger(), output()), async (page, { complaints }) => {
      const excess = () => page.evaluate('document.documentElement.scrollHeight - window.innerHeight');
      expect(await excess()).toBe(0);
      await page.context().setOffline(true);
      await page.getByText('You are offline.').waitFor();
      expect(await excess()).toBe(0);
      const canvas = await page.locator('.editor-body').boundingBox();
      expect(canvas!.y + canvas!.height).toBe(page.viewportSize()!.height);
      await page.context().setOffline(false);
      expect(complaints().filter(text => !text.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
    });
  });

  test('a field that takes no placeholders offers none', async () => {
    const labels = [{ name: 'yes', description: 'It fits' }];
    const classifier = node('classifier-node', { text: '{{ input.text }}', labels });
    await inEditor(chain(trigger(field('text')), classifier, output()), async (page, { complaints }) => {
      await page.locator('.react-flow__node').nth(1).click();
      await page.locator('[data-path="labels.0.name"]').waitFor();
      const insertIn = (path: string) =>
        page.locator(`[data-path="${path}"]`).getByRole('button', { name: 'Insert a value' });
      expect(await insertIn('labels.0.description').count()).toBe(1);
      expect(await insertIn('labels.0.name').count()).toBe(0);
      await page.locator('[data-path="labels.0.name"]').getByRole('textbox').fill('maybe');
      expect(complaints()).toEqual([]);
    });
  });

  test('the reason of a refused start names the node and leads to it', async () => {
    const model = llm('Hello');
    const data = chain(trigger(), { ...model, data: { ...model.data, label: 'Greeter' } }, output());
    const settings = { ...(model.data as any).settings, temperature: 3 };
    data.nodes[1]!.data = { ...data.nodes[1]!.data, settings } as any;
    await inEditor(data, async (page, { complaints }) => {
      await button(page, 'Run').click();
      await button(page, 'Save and run').click();
      const alert = page.getByRole('alert').filter({ hasText: 'The run was not started' });
      await alert.getByText(/Greeter.*settings\.temperature: must be at most 2/).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await alert.getByRole('button', { name: 'Greeter' }).click();
      await page.getByLabel('Label of the node').waitFor();
      expect(complaints()).toEqual([]);
    });
  });
});
