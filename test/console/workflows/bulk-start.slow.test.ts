import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../../pages/browser.js';
import { startTestService, type TestService } from '../../support/service.js';
import { accessibilityFaults, createSample, openConsole, type Sample, signInByPassword } from '../console-page.js';

describeInBrowser('A bulk start in the console', () => {
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

  test('starts a run for each row of a CSV text and shows their states', async () => {
    const node = (id: string, type: string, data: object) => ({
      ...{ id, type, position: { x: 0, y: 0 }, data: { label: id, ...data } },
    });
    const field = (id: string, type: string) => ({ id, title: id, type, input_requirements: true });
    const input_fields = [field('topic', 'text'), field('count', 'number')];
    const nodes = [
      node('trigger', 'trigger-node', { input_fields, next_nodes: ['out'] }),
      node('out', 'output-node', { value: '{{ input.topic }} {{ input.count }}' }),
    ];
    const data = { nodes, edges: [], viewport: { x: 0, y: 0, zoom: 1 }, start_node: 'trigger' };
    const created = await service.rest('POST', '/api/v1/workflows/', {
      body: { project: Number(sample.project), title: 'Count words', data },
    });
    const runs = () =>
      service.sql<{ input: object }>(
        'select p.input from workflow_run r join workflow_run_payload p on p.run_id = r.id where r.workflow_id = $1',
        [created.body.id],
      );
    const { page, context, complaints, open } = await openConsole(browser, service, { theme: 'light', size: 'wide' });
    await signInByPassword(page, service, sample.email);
    await open(`/projects/${sample.project}/workflows`, 'Count words');
    await page.getByRole('button', { name: 'Actions for Count words', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Run many' }).click();
    const rows = page.getByRole('textbox', { name: 'Rows' });
    await rows.fill('topic;count;idempotency_key\ntea;;a\n');
    await page.getByText('Row 1, count: Enter a value.').waitFor();
    await rows.fill('topic;count\n"tea;1\n');
    await page.getByText('Row 1: a quote is not closed.').waitFor();
    await rows.fill('topic;count;idempotency_key\n"green ""tea""";2;a\ncoffee;3;b\n\nwater;4;c\n');
    await page.getByRole('button', { name: 'Start 3 runs' }).click();
    await page.getByText('3 succeeded').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const inputs = (await runs()).map(({ input }) => input);
    expect(inputs).toHaveLength(3);
    expect(inputs).toContainEqual({ topic: 'green "tea"', count: 2 });
    expect(inputs).toContainEqual({ topic: 'water', count: 4 });
    // The same keys start no further runs.
    await page.getByRole('button', { name: 'New rows' }).click();
    const json = JSON.stringify([{ topic: 'water', count: 4, idempotency_key: 'c' }]);
    await rows.fill(json);
    await page.getByRole('button', { name: 'Start 1 run', exact: true }).click();
    await page.getByRole('link', { name: 'Run of row 1' }).waitFor();
    expect(await runs()).toHaveLength(3);
    await page.getByRole('link', { name: 'Run of row 1' }).click();
    await page.waitForURL('**/runs/*');
    expect(complaints()).toEqual([]);
    await context.close();
  });
});
