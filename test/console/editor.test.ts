import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, isConsoleSuite, launchBrowser, takePicture, testInConsoleSuite } from '../pages/browser.js';
import { eventually } from '../support/eventually.js';
import { chain, field, ifElse, llm, output, trigger } from '../support/graphs.js';
import { startTestService, type TestService } from '../support/service.js';
import {
  accessibilityFaults,
  type ConsolePage,
  type ConsoleWindow,
  createSample,
  openConsole,
  type Sample,
  signInByPassword,
} from './console-page.js';
import { reportFigure } from './measures/figures.js';

/** The pause of a person between two actions. */
const HUMAN_MS = 250;
const MAX_HUMAN_SECONDS = 60;

/** A headless browser sends no paste for Ctrl-V outside of text elements. */
async function paste(page: Page, graph: object): Promise<void> {
  await page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', ${JSON.stringify(JSON.stringify(graph))});
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }`);
}

describeInBrowser('The editor', () => {
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

  const editorOf = (workflow: unknown) => `/projects/${sample.project}/workflows/${workflow}`;

  async function createWorkflow(title: string, data: object): Promise<number> {
    const body = { project: sample.project, title, data };
    return ((await service.rest('POST', '/api/v1/workflows/', { body })).body as { id: number }).id;
  }

  async function storedGraph(id: number) {
    const { body } = await service.rest('GET', `/api/v1/workflows/${id}/`);
    return body.data as { nodes: Record<string, any>[]; edges: Record<string, any>[] };
  }

  async function inWindow(
    work: (page: Page, window: ConsolePage) => Promise<void>,
    window: ConsoleWindow = { theme: 'light', size: 'wide' },
  ) {
    const { context, ...opened } = await openConsole(browser, service, window);
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url });
    await signInByPassword(opened.page, service, sample.email);
    await work(opened.page, opened);
    expect(opened.complaints()).toEqual([]);
    await context.close();
  }

  test('a workflow is built, run and read by clicks', async () => {
    await inWindow(async (page, { open }) => {
      await open(`/projects/${sample.empty}/workflows`, 'Build your first workflow');
      const began = Date.now();
      const human = () => page.waitForTimeout(HUMAN_MS);
      const click = async (name: string, role: 'button' | 'option' = 'button') => {
        await human();
        await page.getByRole(role, { name }).first().click();
      };
      const fill = async (label: string | RegExp, text: string) => {
        await human();
        await page.getByRole('textbox', { name: label, exact: true }).first().click();
        await page.keyboard.type(text, { delay: 15 });
      };
      await click('New workflow');
      await fill(/^Title/, 'Long questions');
      await click('Create workflow');
      await page.getByTestId('editor-canvas').waitFor();
      await takePicture(page, 'editor-empty');
      await click('Trigger', 'option');
      await click('Add input field');
      await fill('Label', 'Size');
      await human();
      await page.getByRole('button', { name: 'Add a node after Trigger' }).click();
      await click('If / else', 'option');
      await fill('Left side', '{{');
      await page.getByText('input.field_1').first().click();
      await human();
      await page.getByRole('combobox', { name: 'Comparison' }).click();
      await page.getByRole('option', { name: 'is greater than (>)' }).click();
      await fill('Right side', '10');
      await human();
      await page.getByRole('button', { name: 'Add a node after True' }).click();
      await click('LLM', 'option');
      await human();
      await page.getByRole('textbox', { name: 'Message' }).click();
      await page.keyboard.press('Control+A');
      await page.keyboard.type('Large: {{ input.field_1 }}', { delay: 15 });
      await human();
      await page.getByRole('button', { name: 'Add a node after LLM' }).click();
      await click('Output', 'option');
      await takePicture(page, 'editor-built');
      await click('Run');
      await fill('Size', '42');
      await click('Save and run');
      await page
        .getByText('Large: 42')
        .first()
        .waitFor()
        .finally(() => takePicture(page, 'editor-run'));
      const seconds = (Date.now() - began) / 1_000;
      process.stderr.write(`editor: built, run and read in ${seconds.toFixed(1)} s with human pauses\n`);
      reportFigure('build-seconds', seconds);
      if (isConsoleSuite) expect(seconds).toBeLessThan(MAX_HUMAN_SECONDS);
      expect(await accessibilityFaults(page)).toEqual([]);
    });
  });

  test('a graph of the API opens and is saved without loss', async () => {
    const data = chain(trigger(field('question')), llm('Answer: {{ input.question }}'), output('done'));
    // Members that the editor does not know.
    const stored = { ...data, custom: { theme: 'own' }, nodes: data.nodes.map(one => ({ ...one, own: [1] })) };
    const id = await createWorkflow('Foreign graph', stored);
    await inWindow(async (page, { open }) => {
      await open(editorOf(id), 'Add node');
      await page.locator('.react-flow__node').nth(1).click();
      await page.getByLabel('Label of the node').fill('Ask the model');
      await page.keyboard.press('Control+S');
      await eventually(
        () => storedGraph(id),
        graph => graph.nodes[1]?.data.label === 'Ask the model',
      );
    });
    const saved = await storedGraph(id);
    const expected = structuredClone(stored) as any;
    expected.nodes[1].data.label = 'Ask the model';
    const withoutPositions = (graph: any) => ({
      ...graph,
      nodes: graph.nodes.map((one: any) => ({ ...one, position: 0 })),
    });
    expect(withoutPositions(saved)).toEqual(withoutPositions(expected));
  });

  testInConsoleSuite('a graph is imported by paste, edited with the keyboard and undone', async () => {
    const id = await createWorkflow('Pasted', { nodes: [], edges: [] });
    const data = chain(trigger(field('a')), ifElse('{{ input.a }}', '==', '1'), output());
    await inWindow(async (page, { open }) => {
      await open(editorOf(id), 'Add node');
      await page.locator('.editor-canvas').click({ position: { x: 500, y: 500 } });
      await paste(page, data);
      const nodes = page.locator('.react-flow__node');
      await eventually(
        () => nodes.count(),
        count => count === 3,
      );
      await page.locator('.editor-canvas').click({ position: { x: 700, y: 600 } });
      await page.keyboard.press('Control+A');
      await page.keyboard.press('Control+D');
      await eventually(
        () => nodes.count(),
        count => count === 6,
      );
      await page.keyboard.press('Delete');
      await eventually(
        () => nodes.count(),
        count => count === 3,
      );
      await page.keyboard.press('Control+Z');
      await eventually(
        () => nodes.count(),
        count => count === 6,
      );
      await page.keyboard.press('Control+Z');
      await eventually(
        () => nodes.count(),
        count => count === 3,
      );
      await paste(page, data);
      await eventually(
        () => nodes.count(),
        count => count === 6,
      );
      const places = await nodes.evaluateAll(found => found.map(node => (node as any).style.transform));
      expect(new Set(places).size).toBe(6);
      await page.keyboard.press('Control+Z');
      await page.keyboard.press('Control+Z');
      await eventually(
        () => nodes.count(),
        count => count === 0,
      );
      await page.keyboard.press('Control+Shift+Z');
      await page.keyboard.press('Control+S');
      await eventually(
        async () => (await storedGraph(id)).nodes.length,
        count => count === 3,
      );
    });
  });

  testInConsoleSuite('a version that was saved elsewhere is not replaced without a question', async () => {
    const id = await createWorkflow('Shared', chain(trigger(), output('mine')));
    await inWindow(async (page, { open }) => {
      await open(editorOf(id), 'Add node');
      await service.rest('PATCH', `/api/v1/workflows/${id}/`, { body: { data: chain(trigger(), output('theirs')) } });
      await page.keyboard.press('n');
      await page.keyboard.type('delay');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Control+S');
      await page.getByText('This workflow was saved elsewhere').waitFor();
      await page.getByRole('button', { name: 'Replace it with mine' }).click();
      await eventually(
        async () => (await storedGraph(id)).nodes.length,
        count => count === 3,
      );
    });
  });

  testInConsoleSuite('edits are saved after the session has ended and was opened again in another tab', async () => {
    const id = await createWorkflow('Kept', chain(trigger(), output('mine')));
    const { page, context, open } = await openConsole(browser, service, { theme: 'light', size: 'wide' });
    await signInByPassword(page, service, sample.email);
    await open(editorOf(id), 'Add node');
    const other = await context.newPage();
    await other.goto(`${service.url}/projects`);
    await other.getByText('Grace Hopper').first().click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await other.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.keyboard.press('n');
    await page.keyboard.type('delay');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+S');
    await page.getByText('Your session has ended', { exact: true }).waitFor();
    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: 'Sign in in a new tab' }).click(),
    ]);
    await signInByPassword(tab, service, sample.email);
    await page.keyboard.press('Control+S');
    await eventually(
      async () => (await storedGraph(id)).nodes.length,
      count => count === 3,
    );
    await page.getByText('Your session has ended', { exact: true }).waitFor({ state: 'detached' });
    await context.close();
  });

  testInConsoleSuite('errors of the check appear at the node and at the field', async () => {
    const id = await createWorkflow('Faulty', chain(trigger(), llm('{{ input.missing | shout }}'), output()));
    await inWindow(async (page, { open }) => {
      await open(editorOf(id), 'Add node');
      await page.getByRole('button', { name: /error/ }).click();
      await page.locator('.editor-issue-row').first().click();
      await page
        .getByText(/unknown filter/i)
        .first()
        .waitFor();
      await takePicture(page, 'editor-faulty');
      expect(await accessibilityFaults(page)).toEqual([]);
    });
  });
});
