import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../pages/browser.js';
import { eventually } from '../support/eventually.js';
import { chain, node, output, template, trigger } from '../support/graphs.js';
import { startTestService, type TestService } from '../support/service.js';
import {
  accessibilityFaults,
  type ConsolePage,
  createSample,
  openConsole,
  type Sample,
  signInByPassword,
} from './console-page.js';

const START = `mutation ($workflowId: Int!, $input: JSON) {
  workflowRunStart(workflowId: $workflowId, input: $input) { run { id } }
}`;
const STATE = 'query ($id: UUID!) { workflowRun(id: $id) { state result } }';

describeInBrowser('Loops, people and events in the console', () => {
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

  async function createWorkflow(title: string, data: object): Promise<number> {
    const body = { project: sample.project, title, data };
    return ((await service.rest('POST', '/api/v1/workflows/', { body })).body as { id: number }).id;
  }
  async function inWindow(work: (page: Page, opened: ConsolePage) => Promise<void>) {
    const { context, ...opened } = await openConsole(browser, service, { theme: 'light', size: 'wide' });
    await signInByPassword(opened.page, service, sample.email);
    await work(opened.page, opened);
    expect(opened.complaints()).toEqual([]);
    await context.close();
  }
  const select = async (page: Page, label: string) => {
    await page.locator('.react-flow__node').filter({ hasText: label }).first().click();
    await page.getByRole('textbox', { name: 'Label of the node' }).waitFor();
  };

  test('a loop is run up to a node of its body, whose newest round is shown', async () => {
    const [first, broken] = [template('Item {{ input.item }}'), template('{{ input.missing }}')];
    first.data.label = 'Name it';
    broken.data.label = 'Never run';
    const body = chain(trigger(), first, broken);
    const id = await createWorkflow('Loop', chain(trigger(), node('loop-node', { items: '[1, 2]', body }), output()));
    await inWindow(async (page, { open }) => {
      await open(`/projects/${sample.project}/workflows/${id}`, 'Add node');
      await select(page, 'loop-node');
      await page.getByRole('button', { name: /Open the graph/ }).click();
      await select(page, 'Name it');
      await page.getByRole('button', { name: 'Run to here' }).click();
      await page.getByRole('heading', { name: 'Run to Name it' }).waitFor();
      await page.getByRole('button', { name: 'Run to this node' }).click();
      await page.getByRole('region', { name: 'Run' }).getByRole('status').getByText('Succeeded').waitFor();
      await select(page, 'Name it');
      await page.getByRole('tab', { name: 'Result' }).click();
      await page.getByText('Item 2', { exact: true }).waitFor();
      await page.getByText('Round 2').waitFor();
    });
  });

  test('people who may decide are chosen by name', async () => {
    const approval = node('approval-node', { title: 'Pay it?', deciders: 'users', user_ids: [] });
    const id = await createWorkflow('Approval', chain(trigger(), approval, output()));
    await inWindow(async (page, { open }) => {
      await open(`/projects/${sample.project}/workflows/${id}`, 'Add node');
      await select(page, 'approval-node');
      await page.getByRole('combobox', { name: 'People who may decide' }).click();
      await page.getByRole('option', { name: 'Grace Hopper' }).click();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      const { data } = await service.graphql(
        'query ($id: Int!) { projectMembers(projectId: $id) { items { userId } } }',
        {
          id: sample.project,
        },
      );
      const { userId } = data.projectMembers.items[0];
      await eventually(
        async () => (await service.rest('GET', `/api/v1/workflows/${id}/`)).body.data.nodes[1].data.user_ids,
        ids => JSON.stringify(ids) === JSON.stringify([userId]),
      );
    });
  });

  test('an event is sent to the run that waits for it', async () => {
    const wait = node('wait-node', { event: 'payment-received', correlation_key: 'order-7' });
    const workflowId = await createWorkflow('Payment', chain(trigger(), wait, output()));
    const { data } = await service.graphql(START, { workflowId, input: {} });
    const id = data.workflowRunStart.run.id as string;
    await inWindow(async (page, { open }) => {
      await open(`/projects/${sample.project}/runs/${id}?node=${wait.id}`, 'Waiting for the event “payment-received”');
      await page.getByRole('button', { name: 'Send the event' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'Payload' }).fill('{ "amount": ');
      await dialog.getByRole('button', { name: 'Send event' }).click();
      await dialog.getByText('must be JSON').waitFor();
      await dialog.getByRole('textbox', { name: 'Payload' }).fill('{ "amount": 20 }');
      expect(await accessibilityFaults(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Send event' }).click();
      await page.getByText('The event “payment-received” was sent.').waitFor();
      await page.locator('main').getByText('Succeeded', { exact: true }).first().waitFor();
      const { data: ended } = await service.graphql(STATE, { id });
      expect(ended.workflowRun.state).toBe('SUCCEEDED');
    });
  });
});
