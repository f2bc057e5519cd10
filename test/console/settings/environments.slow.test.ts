import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser, takePicture } from '../../pages/browser.js';
import { eventually } from '../../support/eventually.js';
import { chain, output, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import {
  accessibilityFaults,
  createSample,
  openConsole,
  overflowWidth,
  type Sample,
  signInByPassword,
  WINDOWS,
} from '../console-page.js';

describeInBrowser('Environments in the console', () => {
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

  test('an environment is created, a variable gets a value in it, and a run and a trigger choose it', async () => {
    const project = Number(sample.project);
    const data = chain(trigger(), output('{{ env.PLACE }}'));
    await service.rest('POST', '/api/v1/project-variables/', { body: { project, name: 'PLACE', value: 'live' } });
    const workflow = (await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'Places', data } }))
      .body.id;
    const { page, context, complaints, open } = await openConsole(browser, service, { theme: 'dark', size: 'wide' });
    await signInByPassword(page, service, sample.email);
    await open(`/projects/${project}/settings?section=variables`, 'PLACE');
    expect(await button(page, 'Values of PLACE').count()).toBe(0);
    await button(page, 'New environment').click();
    await dialog(page).getByLabel('Name').fill('Not valid');
    await button(page, 'Create environment').click();
    await dialog(page)
      .getByText(/^Enter 1-32 lower-case letters/)
      .waitFor();
    await dialog(page).getByLabel('Name').fill('staging');
    await button(page, 'Create environment').click();
    await page.getByText('staging', { exact: true }).waitFor();

    await button(page, 'Values of PLACE').click();
    await dialog(page).getByRole('textbox', { name: 'staging' }).fill('tried');
    expect(await accessibilityFaults(page)).toEqual([]);
    await takePicture(page, 'environment-values');
    await button(page, 'Save staging').click();
    await page.getByText('Another value in staging').waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await page.setViewportSize(WINDOWS.phone);
    await eventually(
      () => overflowWidth(page),
      width => width === 0,
    );
    expect(await accessibilityFaults(page)).toEqual([]);
    await takePicture(page, 'environments-phone');
    await page.setViewportSize(WINDOWS.wide);
    await takePicture(page, 'environments');

    await open(`/projects/${project}/workflows/${workflow}/run`, 'Places');
    await page.getByRole('combobox', { name: 'Environment' }).click();
    await page.getByRole('option', { name: 'staging' }).click();
    await takePicture(page, 'environment-run');
    await button(page, 'Run').click();
    await page.getByText('tried', { exact: true }).waitFor();

    await open(`/projects/${project}/workflows/${workflow}/triggers`, 'Start runs automatically');
    await button(page, 'New schedule').first().click();
    await dialog(page).getByLabel('Name').fill('Mornings');
    await page.getByRole('combobox', { name: 'Environment' }).click();
    await page.getByRole('option', { name: 'staging' }).click();
    await button(page, 'Create schedule').click();
    await page.getByRole('heading', { name: 'Mornings' }).waitFor();
    await page.getByText(/ · staging$/).waitFor();
    await takePicture(page, 'environment-trigger');

    await open(`/projects/${project}/settings?section=variables`, 'PLACE');
    await button(page, 'Delete staging').click();
    await button(page, 'Delete environment').click();
    await button(page, 'Values of PLACE').waitFor({ state: 'detached' });
    expect(complaints()).toEqual([]);
    await context.close();
  });
});
