import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser, takePicture } from '../../pages/browser.js';
import { eventually } from '../../support/eventually.js';
import { startTestService, type TestService } from '../../support/service.js';
import { createLogin, type Login } from '../../support/sessions.js';
import {
  accessibilityFaults,
  type ConsolePage,
  createSample,
  inSignedInConsole,
  type Sample,
} from '../console-page.js';

const GRAPH = 'query ($id: Int!) { workflow(id: $id) { title data currentRevision { number } } }';
const ADD = `mutation ($projectId: Int!, $email: String!) {
  projectMemberAdd(projectId: $projectId, email: $email, role: EDITOR) { errors { code } }
}`;

describeInBrowser('Workflows in the console', () => {
  let service: TestService;
  let browser: Browser;
  let sample: Sample;
  let colleague: Login;
  beforeAll(async () => {
    [browser, service] = await Promise.all([launchBrowser(), startTestService()]);
    sample = await createSample(service);
    colleague = await createLogin(service, 'alan', { name: 'Alan Turing' });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  /** Opens a window of the console in which the user is signed in. */
  async function inConsoleAs(email: string, work: (page: Page, window: ConsolePage) => Promise<void>) {
    await inSignedInConsole(browser, service, { email }, work);
  }

  test('the list shows averages, is sorted and filtered, and has a view for its order', async () => {
    const [{ id: category }] = (await service.sql(`insert into category (name) values ('Support') returning id`)) as [
      { id: number },
    ];
    await service.sql('update workflow set category_id = $1 where id = $2', [category, sample.workflow]);
    await inConsoleAs(sample.email, async (page, { open, complaints }) => {
      await open(`/projects/${sample.project}/workflows`, 'Sort the inbox');
      const table = page.getByRole('table', { name: 'Workflows' });
      await table.getByRole('row', { name: /Answer questions.*\d ms.*\$/ }).waitFor();
      await page.getByRole('combobox', { name: 'Category' }).click();
      await page.getByRole('option', { name: 'Support', exact: true }).click();
      await table.getByText('Sort the inbox').waitFor({ state: 'detached' });
      await open(`/projects/${sample.project}/workflows`, 'Sort the inbox');
      await page.getByRole('combobox', { name: 'Sort by' }).click();
      await page.getByRole('option', { name: 'Newest' }).click();
      await page.waitForURL(/sort=CREATED_AT_DESC/);
      await eventually(
        () => table.locator('tbody tr').first().textContent(),
        text => text?.includes('Sort the inbox') === true,
      );
      const titles = () => table.locator('tbody tr').allTextContents();
      await open(`/projects/${sample.project}/workflows`, 'Sort the inbox');
      await page.getByRole('button', { name: 'Bookmark Sort the inbox' }).click();
      await eventually(titles, ([first]) => first?.includes('Sort the inbox') === true);
      await page.getByRole('button', { name: 'Bookmark Sort the inbox', pressed: true }).click();
      await eventually(titles, ([first]) => first?.includes('Sort the inbox') === false);
      await page.getByRole('button', { name: 'Change order' }).click();
      const handle = page.getByRole('button', { name: 'Move Sort the inbox' });
      await handle.waitFor();
      const order = () =>
        page.getByRole('list', { name: 'Order of workflows' }).getByRole('listitem').allTextContents();
      const before = await order();
      await handle.press('Space');
      const announced = (place: number) =>
        page.getByText(`Sort the inbox is at place ${place}`).waitFor({ state: 'attached' });
      await announced(before.indexOf('Sort the inbox') + 1);
      await handle.press('ArrowUp');
      await announced(before.indexOf('Sort the inbox'));
      await handle.press('Space');
      const positions = async () =>
        (await service.sql('select title from workflow where project_id = $1 order by sort_id', [sample.project])).map(
          ({ title }) => title,
        );
      await eventually(positions, list => list.indexOf('Sort the inbox') === before.indexOf('Sort the inbox') - 1);
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(complaints()).toEqual([]);
    });
  });

  test('a note is written, moved and saved with the workflow, which stays valid', async () => {
    const CHECK = 'query ($id: Int!) { workflow(id: $id) { data check { isValid issues { message } } } }';
    const stored = async () => (await service.graphql(CHECK, { id: Number(sample.workflow) })).data.workflow;
    await inConsoleAs(sample.email, async (page, { open, complaints }) => {
      await open(`/projects/${sample.project}/workflows/${sample.workflow}`, 'Add node');
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Add a note' }).click();
      await page.getByRole('textbox', { name: 'Text of note 1' }).fill('Ask the team before you change this.');
      const before = await page.locator('.editor-note').boundingBox();
      await page.getByRole('button', { name: 'Move note 1' }).press('ArrowDown');
      await page.getByRole('button', { name: 'Move note 1' }).hover();
      await page.mouse.down();
      await page.mouse.move((before?.x ?? 0) + 120, (before?.y ?? 0) - 80, { steps: 4 });
      await page.mouse.up();
      const after = await page.locator('.editor-note').boundingBox();
      expect(after?.y).toBeLessThan((before?.y ?? 0) - 50);
      expect(after?.x).toBeGreaterThan((before?.x ?? 0) + 50);
      expect(await accessibilityFaults(page)).toEqual([]);
      await takePicture(page, 'editor-note');
      await page.keyboard.press('Control+S');
      await eventually(stored, ({ data }) => data.notes?.[0]?.text === 'Ask the team before you change this.');
      expect((await stored()).check).toEqual({ isValid: true, issues: [] });
      expect(complaints()).toEqual([]);
    });
  });

  test('two people edit one workflow: the second one loads the newer version or replaces it', async () => {
    const address = `/projects/${sample.project}/workflows/${sample.workflow}`;
    const stored = async () => (await service.graphql(GRAPH, { id: Number(sample.workflow) })).data.workflow;
    const label = async (page: Page, text: string) => {
      await page.locator('.react-flow__node').nth(1).click();
      await page.getByLabel('Label of the node').fill(text);
    };
    const labelIn = ({ data }: { data: { nodes: { data: { label?: string } }[] } }) => data.nodes[1]?.data.label;
    const member = { projectId: Number(sample.project), email: colleague.email };
    expect((await service.graphql(ADD, member)).data.projectMemberAdd.errors).toEqual([]);
    await inConsoleAs(sample.email, async (owner, window) => {
      await inConsoleAs(colleague.email, async (other, { open }) => {
        await window.open(address, 'Add node');
        await open(address, 'Add node');
        await label(owner, 'Ask the model');
        await owner.keyboard.press('Control+S');
        await eventually(stored, one => labelIn(one) === 'Ask the model');
        await label(other, 'Ask for an answer');
        await other.keyboard.press('Control+S');
        await other.getByText('This workflow was saved elsewhere').waitFor();
        expect(labelIn(await stored())).toBe('Ask the model');
        expect(await accessibilityFaults(other)).toEqual([]);
        await other.getByRole('button', { name: 'Load the stored version' }).click();
        await other.locator('.react-flow__node').getByText('Ask the model').waitFor();
        await label(other, 'Ask both');
        await other.keyboard.press('Control+S');
        await eventually(stored, one => labelIn(one) === 'Ask both');
      });
      await label(owner, 'Ask again');
      await owner.keyboard.press('Control+S');
      await owner.getByRole('button', { name: 'Replace it with mine' }).click();
      await eventually(stored, one => labelIn(one) === 'Ask again');
      expect(window.complaints()).toEqual([]);
    });
  });
});
