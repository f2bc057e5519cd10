import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../../pages/browser.js';
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

describeInBrowser('Versions in the console', () => {
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

  async function saveOutput(value: string) {
    const path = `/api/v1/workflows/${sample.workflow}/`;
    const { data } = (await service.rest('GET', path)).body;
    const output = data.nodes.find((node: { type: string }) => node.type === 'output-node');
    output.data.value = value;
    expect((await service.rest('PATCH', path, { body: { data } })).status).toBe(200);
  }

  test('a version is compared, published, named and restored', async () => {
    await saveOutput('A better answer');
    const { page, context, complaints, open } = await openConsole(browser, service, { theme: 'light', size: 'wide' });
    await signInByPassword(page, service, sample.email);
    await open(`/projects/${sample.project}/workflows`, 'Answer questions');
    await button(page, 'Actions for Answer questions').click();
    await page.getByRole('menuitem', { name: 'Versions' }).click();
    const table = page.getByRole('table', { name: 'Versions' });
    await table.getByText('Current').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.setViewportSize(WINDOWS.phone);
    expect(await overflowWidth(page)).toBe(0);
    await page.setViewportSize(WINDOWS.wide);

    const last = (await service.rest('GET', `/api/v1/workflows/${sample.workflow}/revisions/?size=1`)).body.items[0]
      .number;
    await page.getByRole('link', { name: `With the one before: compare version ${last}` }).click();
    await page.getByRole('region', { name: 'Nodes' }).getByText('A better answer').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.setViewportSize(WINDOWS.phone);
    expect(await overflowWidth(page)).toBe(0);
    await page.setViewportSize(WINDOWS.wide);
    await page.getByRole('link', { name: 'Versions', exact: true }).click();

    await page.getByRole('switch', { name: 'Drafts in this project' }).click();
    await page.getByText('The current version of every workflow of the project is published.').waitFor();
    await saveOutput('A draft');
    await page.reload();
    await button(page, `Actions for version ${last + 1}`).click();
    await page.getByRole('menuitem', { name: 'Publish' }).click();
    await page.getByLabel('Note').fill('Friendlier words');
    await button(page, 'Publish version').click();
    await page.getByRole('region', { name: 'Publications' }).getByText('Friendlier words').waitFor();

    await button(page, `Actions for version ${last}`).click();
    await page.getByRole('menuitem', { name: 'Name and note' }).click();
    await page.getByLabel('Name').fill('Launch');
    await button(page, 'Save').click();
    await table.getByText('Launch').waitFor();
    await button(page, `Actions for version ${last}`).click();
    await page.getByRole('menuitem', { name: 'Restore' }).click();
    await button(page, 'Restore version').click();
    await table.getByText(`Restored from revision ${last}.`).waitFor();
    expect(complaints()).toEqual([]);
    await context.close();
  });

  test('the editor runs the draft on the screen, shows that it is one and publishes it', async () => {
    const started = await service.graphql(
      'mutation ($id: Int!) { projectDraftsSet(projectId: $id, usesDrafts: true) { errors { code } } }',
      { id: sample.project },
    );
    expect(started.data.projectDraftsSet.errors).toEqual([]);
    const body = { project: sample.project, title: 'Greeting', data: chain(trigger(), output('Published words')) };
    const { id } = (await service.rest('POST', '/api/v1/workflows/', { body })).body;
    const path = `/api/v1/workflows/${id}/`;
    expect((await service.rest('POST', `${path}revisions/1/publish/`, { body: {} })).status).toBe(200);
    const { page, context, complaints, open } = await openConsole(browser, service, { theme: 'light', size: 'wide' });
    await signInByPassword(page, service, sample.email);
    await open(`/projects/${sample.project}/workflows/${id}`, 'Add node');
    const badge = page.getByText('Draft', { exact: true });
    expect(await badge.count()).toBe(0);
    await page.locator('.react-flow__node').nth(1).click();
    await page.getByRole('textbox', { name: 'Value' }).click();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Draft words');
    await button(page, 'Run').click();
    await button(page, 'Save and run').click();
    await page.getByText('Draft words').first().waitFor();
    await badge.waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);

    await button(page, 'More').click();
    await page.getByRole('menuitem', { name: 'Publish…' }).click();
    await button(page, 'Publish version').click();
    await badge.waitFor({ state: 'detached' });
    await button(page, 'More').click();
    await page.getByRole('menuitem', { name: 'Versions' }).click();
    await page.getByRole('row', { name: /^2/ }).getByText('Published', { exact: true }).waitFor();

    // The form for those who run a workflow uses the published version.
    expect((await service.rest('PATCH', path, { body: { data: chain(trigger(), output('Later')) } })).status).toBe(200);
    await open(`/projects/${sample.project}/workflows/${id}/run`, 'Run “Greeting”');
    await button(page, 'Run').click();
    await page.getByText('Draft words').first().waitFor();
    expect(complaints()).toEqual([]);
    await context.close();
  });

  test('a page that fails to load shows the error instead of the page before', async () => {
    for (let number = 0; number < 20; number++) await saveOutput(`Answer ${number}`);
    const { page, context, open } = await openConsole(browser, service, { theme: 'light', size: 'wide' });
    await signInByPassword(page, service, sample.email);
    await open(`/projects/${sample.project}/workflows/${sample.workflow}/versions`, 'Versions');
    const table = page.getByRole('table', { name: 'Versions' });
    const failed = JSON.stringify({ errors: [{ message: 'No.', extensions: { code: 'INTERNAL_SERVER_ERROR' } }] });
    await page.route('**/graphql', route =>
      JSON.parse(route.request().postData() ?? '{}').variables?.page === 2
        ? route.fulfill({ contentType: 'application/json', body: failed })
        : route.continue(),
    );
    await button(page, 'next page').click();
    await page.getByRole('alert').getByText('This could not be loaded').waitFor();
    expect(await table.count()).toBe(0);
    await page.unroute('**/graphql');
    await button(page, 'Try again').click();
    await table.waitFor();
    await context.close();
  });
});
