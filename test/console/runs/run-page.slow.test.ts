import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../../pages/browser.js';
import { eventually } from '../../support/eventually.js';
import { chain, edge, field, graph, node, output, template, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { bearer, createLogin } from '../../support/sessions.js';
import { type ConsolePage, type ConsoleWindow, openConsole, signInByPassword } from '../console-page.js';

const LIGHT: ConsoleWindow = { theme: 'light', size: 'wide' };
const PHONE: ConsoleWindow = { theme: 'light', size: 'phone' };
const START = `mutation ($id: Int!, $input: JSON, $tags: [String!]) {
  workflowRunStart(workflowId: $id, input: $input, tags: $tags) { run { id } errors { message } } }`;
const RUN = 'query ($id: UUID!) { workflowRun(id: $id) { state inputData duration } }';
const PENDING = 'query ($id: Int!) { agentApprovals(projectId: $id) { items { requestId runId } } }';
const APPROVE = `mutation ($runId: UUID!, $requestId: UUID!) {
  agentApprovalApprove(runId: $runId, requestId: $requestId) { errors { code } } }`;
const BAND = "document.querySelector('.console-canvas').getBoundingClientRect().toJSON()";
const CARDS = "[...document.querySelectorAll('.canvas-node')].map(one => one.getBoundingClientRect().toJSON())";
const TICKS =
  "[...document.querySelectorAll('.waterfall-ticks span')].filter(one => one.offsetWidth > 0).map(one => one.getBoundingClientRect().toJSON())";

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const options = ['red', 'blue', 'green'].map(value => ({ title: value, value }));
const FORM = chain(
  trigger(
    field('topic', { title: 'Topic', input_requirements: true }),
    field('contact', { title: 'Contact', type: 'email' }),
    field('colors', { title: 'Colors', type: 'multiselect', options }),
    field('payload', { title: 'Payload', type: 'json' }),
    field('day', { title: 'Day', type: 'date' }),
    field('token', { title: 'Token', is_secret: true }),
  ),
  template('{{ input.topic }}'),
  output(),
);
const INPUT = { topic: 'tea', colors: ['red'], day: '2026-01-31', token: 'my-secret-token', extra: 7 };
const names = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth'];
const STEPS = chain(
  trigger(field('topic', { title: 'Topic' })),
  ...names.map(label => template(`${label} {{ input.topic }}`, { label, name: label })),
  output(),
);

function question() {
  const start = trigger(field('amount'));
  const asking = node('approval-node', { title: 'Pay {{ input.amount }}?', message: '', label: 'Ask', name: 'Ask' });
  const end = output();
  return graph([start, asking, end], [edge(start, asking), edge(asking, end, 'approved')]);
}

describeInBrowser('The page of a run', () => {
  let service: TestService;
  let browser: Browser;
  let email: string;
  let project: number;
  let workflows: Record<'form' | 'steps' | 'question', number>;
  beforeAll(async () => {
    [browser, service] = await Promise.all([launchBrowser(), startTestService()]);
    const user = await createLogin(service, 'grace', { name: 'Grace Hopper' });
    email = user.email;
    const create = async (route: string, body: object) =>
      (await service.rest('POST', route, { ...bearer(user.access), body })).body.id as number;
    project = await create('/api/v1/projects/', { name: 'Customer support' });
    const workflow = (title: string, data: object) => create('/api/v1/workflows/', { project, title, data });
    workflows = {
      form: await workflow('Form', FORM),
      steps: await workflow('Steps', STEPS),
      question: await workflow('Question', question()),
    };
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const run = async (id: string) => (await service.graphql(RUN, { id })).data.workflowRun;
  const address = (rest: string) => `/projects/${project}/${rest}`;
  async function start(name: keyof typeof workflows, input: object, state = 'SUCCEEDED', tags: string[] = []) {
    const { data } = await service.graphql(START, { id: workflows[name], input, tags });
    expect(data.workflowRunStart.errors).toEqual([]);
    const { id } = data.workflowRunStart.run;
    await eventually(
      () => run(id),
      found => found.state === state,
    );
    return id as string;
  }
  async function inWindow(window: ConsoleWindow, work: (page: Page, opened: ConsolePage) => Promise<void>) {
    const { context, ...opened } = await openConsole(browser, service, window);
    await signInByPassword(opened.page, service, email);
    await work(opened.page, opened);
    await context.close();
  }
  async function newRunId(page: Page, before: string): Promise<string> {
    await page.waitForURL(url => url.pathname.includes('/runs/') && !url.pathname.endsWith(before));
    return new URL(page.url()).pathname.split('/').at(-1) as string;
  }

  test('edits the input of a run with the elements of the run form and names refused fields', async () => {
    const id = await start('form', INPUT);
    await inWindow(LIGHT, async (page, { open, complaints }) => {
      await open(address(`runs/${id}`), 'Form');
      await page.getByRole('button', { name: 'Edit input' }).click();
      const dialog = page.getByRole('dialog');
      const token = dialog.getByLabel('Token');
      expect([await token.getAttribute('type'), await token.inputValue()]).toEqual(['password', '']);
      expect(await dialog.getByLabel('Day').getAttribute('type')).toBe('date');
      await dialog.getByRole('textbox', { name: 'Topic' }).fill('');
      await dialog.getByRole('button', { name: 'Run again' }).click();
      await dialog.getByText('Enter a value.').waitFor();
      await dialog.getByRole('textbox', { name: 'Topic' }).fill('coffee');
      await dialog.getByRole('textbox', { name: 'Contact' }).fill('not an address');
      await dialog.getByRole('button', { name: 'Run again' }).click();
      await dialog
        .getByRole('alert')
        .getByText(/contact: /)
        .waitFor();
      await dialog.getByRole('textbox', { name: 'Contact' }).fill('');
      await dialog.getByRole('textbox', { name: 'Payload' }).fill('{"cups": 2}');
      await dialog.getByLabel('Day').fill('');
      await dialog.locator('.mantine-MultiSelect-input').click();
      await page.getByRole('option', { name: 'blue' }).click();
      await dialog.getByRole('button', { name: 'Run again' }).click();
      const { inputData } = await run(await newRunId(page, id));
      expect(inputData).toEqual({
        topic: 'coffee',
        colors: ['red', 'blue'],
        payload: { cups: 2 },
        token: '********',
        extra: 7,
      });
      expect(complaints()).toEqual([]);
    });
  });

  test('shows the whole graph, and the timeline of a fork from its own start', async () => {
    const id = await start('steps', { topic: 'tea' });
    await sleep(2_500);
    await inWindow(LIGHT, async (page, { open, complaints }) => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await open(address(`runs/${id}`), 'Steps');
      await expectWholeGraph(page);
      await page.getByRole('button', { name: 'Sixth', exact: true }).click();
      await page.getByRole('button', { name: 'Fork from here' }).click();
      await page.getByRole('button', { name: 'Fork', exact: true }).click();
      await newRunId(page, id);
      const rows = page.getByRole('list', { name: 'Timeline' }).getByRole('listitem');
      await page.locator('main').getByText('Succeeded', { exact: true }).first().waitFor();
      await eventually(
        () => rows.allInnerTexts(),
        texts => texts.length === 8 && texts.filter(text => text.includes('Reused')).length === 5,
      );
      const labels = (await rows.allInnerTexts()).map(text => text.split('\n')[0]);
      expect(labels).toEqual(['trigger-node', ...names, 'output-node']);
      expect(await page.locator('.waterfall-ticks span').last().innerText()).toMatch(/ms$|^1\.\d s$/);
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 800 });
        await page.reload();
        await rows.first().waitFor();
        await expectWholeGraph(page);
        const ticks = (await page.evaluate(TICKS)) as Box[];
        expect(ticks.length).toBeGreaterThan(1);
        for (const [index, tick] of ticks.slice(1).entries())
          expect(tick.left).toBeGreaterThan(ticks[index]?.right ?? 0);
      }
      expect(complaints()).toEqual([]);
    });
  });

  test('offers the decision that the run waits for, and says when another user decides', async () => {
    const id = await start('question', { amount: '5' }, 'WAITING');
    await inWindow(LIGHT, async (page, { open, complaints }) => {
      await open(address(`runs/${id}`), 'Pay 5?');
      await page.getByRole('article', { name: 'Pay 5?' }).getByRole('button', { name: 'Approve' }).click();
      await page.getByRole('dialog', { name: 'Approve: Pay 5?', exact: true }).waitFor();
      await approve(id);
      await page.getByText('“Pay 5?” was approved meanwhile.').waitFor();
      const other = await start('question', { amount: '6' }, 'WAITING');
      await open(address(`runs/${other}`), 'Pay 6?');
      await page.locator('.canvas-node').filter({ hasText: 'Ask' }).click();
      const panel = page.getByRole('region', { name: 'Node Ask' });
      await panel.getByRole('button', { name: 'Approve' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
      await page.locator('main').getByText('Succeeded', { exact: true }).first().waitFor();
      expect(await page.getByText('meanwhile').count()).toBe(0);
      const inbox = await start('question', { amount: '7' }, 'WAITING');
      await open(address('approvals'), 'Pay 7?');
      await page.getByRole('article', { name: 'Pay 7?' }).getByRole('button', { name: 'Reject' }).click();
      await page.getByRole('dialog', { name: 'Reject: Pay 7?', exact: true }).waitFor();
      await approve(inbox);
      await page.getByText('“Pay 7?” was approved meanwhile.').waitFor();
      expect(complaints()).toEqual([]);
    });
  });

  async function approve(runId: string): Promise<void> {
    const { data } = await service.graphql(PENDING, { id: project });
    const { requestId } = data.agentApprovals.items.find((one: { runId: string }) => one.runId === runId);
    await service.graphql(APPROVE, { runId, requestId });
  }

  test('is found by the short id of the run, and not found by an invalid one', async () => {
    const id = await start('steps', { topic: 'tea' });
    await inWindow(LIGHT, async (page, { open, complaints }) => {
      await open(address(`runs?text=x${id.slice(-8)}`), 'No run matches');
      await page.getByRole('textbox', { name: 'Text' }).fill(id.slice(-8));
      await page.getByRole('region', { name: 'Runs' }).getByText(id.slice(-8), { exact: true }).waitFor();
      expect(await page.getByRole('region', { name: 'Runs' }).getByRole('row').count()).toBe(2);
      for (const path of ['runs/not-a-uuid', 'workflows/x', 'documents/99999999999', 'scenarios/runs/1e3']) {
        await open(address(path), 'Not found');
        await page.getByText('It does not exist, or you may not see it.').waitFor();
        expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
        await page.getByRole('link', { name: 'Runs' }).waitFor();
      }
      await open(address('nothing/here'), 'There is no such page');
      await open(address('runs/compare?left=x&right=y'), 'Choose two runs');
      expect(complaints()).toEqual([]);
    });
  });

  test('has a card in the list on phones that holds a long tag', async () => {
    await start('steps', { topic: 'tea' }, 'SUCCEEDED', ['customer-with-a-very-long-name-in-the-north-of-the-country']);
    await service.sql(`update workflow_run set run_started_at = run_finished_at - interval '64 seconds'`);
    await inWindow(PHONE, async (page, { open }) => {
      await open(address('runs'), 'Steps');
      await page
        .getByText(/customer-with-a-very/)
        .first()
        .waitFor();
      const overflow = await page.evaluate(
        "Math.max(...[...document.querySelectorAll('.runs-card')].map(card => Math.max(card.scrollHeight - card.clientHeight, card.scrollWidth - card.clientWidth)))",
      );
      expect(overflow).toBe(0);
      const [figures] = await page.locator('.runs-card-figures').all();
      expect((await figures?.boundingBox())?.height).toBeLessThan(30);
    });
  });
});

async function expectWholeGraph(page: Page): Promise<void> {
  const area = (await page.evaluate(BAND)) as Box;
  const cards = await eventually(
    async () => (await page.evaluate(CARDS)) as Box[],
    found => found.length === 8,
  );
  for (const { left, right, top, bottom } of cards) {
    expect(left).toBeGreaterThanOrEqual(area.left);
    expect(right).toBeLessThanOrEqual(area.right);
    expect(top).toBeGreaterThanOrEqual(area.top);
    expect(bottom).toBeLessThanOrEqual(area.bottom);
  }
}
