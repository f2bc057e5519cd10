import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { connect } from '../modules/mcp-server/mcp-fixtures.js';
import { describeInBrowser, launchBrowser } from '../pages/browser.js';
import { startTestService, type TestService } from '../support/service.js';
import { accessibilityFaults, createSample, openConsole, type Sample, signInByPassword } from './console-page.js';

describeInBrowser('A tool for MCP clients in the console', () => {
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

  test('is offered, shown with its address and removed', async () => {
    const { page, context, complaints, open } = await openConsole(browser, service, { theme: 'light', size: 'wide' });
    await signInByPassword(page, service, sample.email);
    await open(`/projects/${sample.project}/workflows`, 'Answer questions');
    const dialog = page.getByRole('dialog');
    const show = async () => {
      await page.getByRole('button', { name: 'Actions for Answer questions', exact: true }).click();
      await page.getByRole('menuitem', { name: 'MCP tool' }).click();
      await dialog.getByText(`${service.url}/mcp/${sample.project}`).waitFor();
    };
    await show();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('answer_questions');
    await dialog.getByLabel('Name').fill('not a name');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Use 1-64 letters, digits, "_" and "-".').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByLabel('Name').fill('answer');
    await dialog.getByLabel('Description').fill('Answers a question.');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const tools = async () => {
      const client = await connect(service.url, service.key, { project: Number(sample.project) });
      const listed = await client.listTools();
      await client.close();
      return listed.tools.map(({ name, description }) => [name, description]);
    };
    expect(await tools()).toEqual([['answer', 'Answers a question.']]);
    await show();
    expect(await dialog.getByLabel('Description').inputValue()).toBe('Answers a question.');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await tools()).toEqual([]);
    expect(complaints()).toEqual([]);
    await context.close();
  });
});
