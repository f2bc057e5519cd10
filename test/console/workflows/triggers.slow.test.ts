import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser, takePicture } from '../../pages/browser.js';
import { eventually } from '../../support/eventually.js';
import { chain, field, node, output, trigger } from '../../support/graphs.js';
import { setRole } from '../../support/members.js';
import { startTestService, type TestService } from '../../support/service.js';
import { createLogin } from '../../support/sessions.js';
import {
  accessibilityFaults,
  createSample,
  openConsole,
  overflowWidth,
  type Sample,
  signInByPassword,
  WINDOWS,
} from '../console-page.js';

describeInBrowser('Triggers in the console', () => {
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

  async function inConsole(work: (page: Page) => Promise<void>) {
    const { page, context, complaints, open } = await openConsole(browser, service, { theme: 'light', size: 'wide' });
    await signInByPassword(page, service, sample.email);
    await open(`/projects/${sample.project}/workflows`, 'Answer questions');
    await button(page, 'Actions for Answer questions').click();
    await page.getByRole('menuitem', { name: 'Triggers', exact: true }).click();
    await work(page);
    expect(complaints()).toEqual([]);
    await context.close();
  }

  test('a webhook is created, called, seen in its log and gets a new address', async () => {
    await inConsole(async page => {
      await page.getByText('Start runs automatically').waitFor();
      await button(page, 'New webhook').click();
      await dialog(page).getByLabel('Name').fill('Shop');
      await dialog(page).getByRole('textbox', { name: 'Mapping' }).fill('[]');
      await button(page, 'Create webhook').click();
      await page.getByText('Enter a JSON object, or nothing.').waitFor();
      await dialog(page).getByRole('textbox', { name: 'Mapping' }).fill('{"question": "{{ input.body.text }}"}');
      await button(page, 'Create webhook').click();
      await page.getByRole('heading', { name: 'Shop' }).waitFor();
      const shown = page.getByRole('region', { name: 'address', exact: true });
      const address = (await shown.locator('pre').textContent()) ?? '';
      expect(address).toMatch(new RegExp(`^${service.url}/hooks/`));
      await page.getByText(/curl -X POST/).waitFor();
      const headers = { 'Content-Type': 'application/json' };
      const call = () => fetch(address, { method: 'POST', headers, body: '{"text": "Where is my parcel?"}' });
      const answer = (await (await call()).json()) as { run_id: string };
      const run = page.getByRole('table', { name: 'Log' }).getByRole('link', { name: answer.run_id.slice(-8) });
      await run.waitFor();
      await page.getByText('Started', { exact: true }).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.setViewportSize(WINDOWS.phone);
      expect(await overflowWidth(page)).toBe(0);
      await page.setViewportSize(WINDOWS.wide);

      await button(page, 'Actions for Shop').click();
      await page.getByRole('menuitem', { name: 'New address' }).click();
      await button(page, 'Create address').click();
      await page.getByText('The trigger has a new address.').waitFor();
      await eventually(
        () => shown.locator('pre').textContent(),
        text => text !== address,
      );
      expect((await call()).status).toBe(404);
      await run.click();
      await page.waitForURL(`**/runs/${answer.run_id}`);
    });
  });

  test('a schedule is created from a preset, edited, switched off and deleted', async () => {
    await inConsole(async page => {
      await button(page, 'New schedule').first().click();
      await dialog(page).getByLabel('Name').fill('Mornings');
      await dialog(page).getByLabel('Cron expression').fill('0 9 * *');
      await button(page, 'Create schedule').click();
      await dialog(page).locator('[aria-invalid=true]').waitFor();
      await dialog(page).getByRole('combobox', { name: 'When', exact: true }).click();
      await page.getByRole('option', { name: 'Every hour' }).click();
      expect(await dialog(page).getByLabel('Cron expression').inputValue()).toBe('0 * * * *');
      await button(page, 'Create schedule').click();
      await page.getByText(/“Mornings” is saved. Next run: /).waitFor();
      await page.getByRole('heading', { name: 'Mornings' }).waitFor();
      await page.getByText(/Every hour/).waitFor();
      await button(page, 'Actions for Mornings').click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      await dialog(page).getByLabel('Cron expression').fill('30 9 * * 1-5');
      await button(page, 'Save').click();
      await page.getByText(/30 9 \* \* 1-5/).waitFor();
      await page.getByRole('switch', { name: 'Enabled' }).press('Space');
      await page.getByText('None: it is switched off, paused or not due again.').waitFor();
      await page.getByRole('link', { name: 'Triggers', exact: true }).last().click();
      const row = page.getByRole('row', { name: /Mornings/ });
      await row.waitFor();
      expect(await row.getByRole('switch', { name: 'Mornings is enabled' }).isChecked()).toBe(false);
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.setViewportSize(WINDOWS.phone);
      await eventually(
        () => overflowWidth(page),
        width => width === 0,
      );
      await page.setViewportSize(WINDOWS.wide);
      await button(page, 'Actions for Mornings').click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await button(page, 'Delete trigger').click();
      await row.waitFor({ state: 'detached' });
    });
  });

  test('GitHub calls a webhook and gets the reply of the run, and a schedule starts runs every minute', async () => {
    await inConsole(async page => {
      const reply = node(
        'respond-node',
        { status: 201, body: { seen: '{{ input.body.issue.title | default: "nothing" }}' } },
        'reply',
      );
      await importWorkflow(page, 'Issues', chain(trigger(), reply, output('end')));
      await button(page, 'New webhook').click();
      await dialog(page).getByLabel('Name').fill('GitHub');
      await choose(page, 'Proof of the sender', 'Signature of GitHub');
      await dialog(page).getByRole('textbox', { name: 'Secret' }).fill('a shared secret');
      await choose(page, 'Answer', 'With the result of the run');
      await button(page, 'Create webhook').click();
      await page.getByRole('heading', { name: 'GitHub' }).waitFor();
      const address =
        (await page.getByRole('region', { name: 'address', exact: true }).locator('pre').textContent()) ?? '';
      const body = '{"action": "opened", "issue": {"title": "It rains"}}';
      const signed = await callAsGitHub(address, body, 'a shared secret');
      expect([signed.status, await signed.json()]).toEqual([201, { seen: 'It rains' }]);
      expect((await callAsGitHub(address, body, 'another secret')).status).toBe(401);
      const log = page.getByRole('table', { name: 'Log' });
      await log.getByText('Started', { exact: true }).waitFor();
      await log.getByText('Rejected', { exact: true }).waitFor();
      await takePicture(page, 'trigger-github');

      await page.getByRole('link', { name: 'Triggers', exact: true }).last().click();
      await button(page, 'New schedule').click();
      await dialog(page).getByLabel('Name').fill('Every minute');
      await dialog(page).getByLabel('Cron expression').fill('* * * * *');
      await button(page, 'Create schedule').click();
      await page.getByRole('heading', { name: 'Every minute' }).waitFor();
      await log.getByText('Started', { exact: true }).first().waitFor({ timeout: 120_000 });
      await takePicture(page, 'trigger-every-minute');
    });
  });

  test('a form takes a file from every person, and later from members on a screen of their own', async () => {
    await inConsole(async page => {
      const fields = [field('name', { title: 'Name' }), field('paper', { title: 'Paper', type: 'file' })];
      await importWorkflow(
        page,
        'Applications',
        chain(trigger(...fields), output('{{ input.name }}: {{ input.paper | json }}')),
      );
      await button(page, 'More').click();
      await page.getByRole('menuitem', { name: 'New form' }).click();
      await dialog(page).getByLabel('Name').fill('Apply');
      await page.getByRole('switch', { name: 'Show the result of the run' }).press('Space');
      await button(page, 'Create form').click();
      await page.getByRole('heading', { name: 'Apply' }).waitFor();
      const file = { name: 'cv.txt', mimeType: 'text/plain', buffer: Buffer.from('Ten years of tea.') };
      const [form] = await Promise.all([
        page.context().waitForEvent('page'),
        page.getByRole('link', { name: 'Open the form' }).click(),
      ]);
      await form.getByLabel('Name').fill('Ada');
      await form.getByLabel('Paper').setInputFiles(file);
      await button(form, 'Submit').click();
      await form.getByText(/^Ada: .*"cv.txt"/).waitFor();
      await takePicture(form, 'form-page');
      await form.close();

      await button(page, 'Actions for Apply').click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      await choose(page, 'Who can submit it', 'Members of the project, who sign in');
      await button(page, 'Save').click();
      await page.getByText('Members of the project, viewers included, can use the form.').waitFor();
      const address = await page.getByRole('region', { name: 'address', exact: true }).locator('pre').textContent();
      await page.goto(address ?? '');
      await page.getByRole('heading', { name: 'Apply' }).waitFor();
      await page.getByLabel('Name').fill('Grace');
      await page.locator('input[type=file]').setInputFiles(file);
      await eventually(
        () => page.getByRole('combobox', { name: 'Paper' }).inputValue(),
        value => value === 'cv.txt',
      );
      expect(await accessibilityFaults(page)).toEqual([]);
      await takePicture(page, 'form-members');
      await button(page, 'Submit').click();
      // In the console a file is a document of the project.
      await page.getByText(/^Grace: \d+$/).waitFor();
      await takePicture(page, 'form-members-answer');
    });
  });

  test('the buttons for editors are shown to a member behind the first page of members', async () => {
    const lin = await createLogin(service, 'lin');
    const { body: project } = await service.rest('POST', '/api/v1/projects/', { body: { name: 'Crowd' } });
    await service.sql(
      `with person as (
         insert into app_user (email, name) select 'member' || n || '@example.com', '' from generate_series(1, 100) n
         returning id)
       insert into project_member (project_id, user_id, role) select $1, id, 'viewer' from person`,
      [project.id],
    );
    await setRole(service, project.id, lin.email, 'editor');
    const { page, context, complaints, open } = await openConsole(browser, service, { theme: 'light', size: 'wide' });
    await signInByPassword(page, service, lin.email);
    await open(`/projects/${project.id}/triggers`, 'Start runs automatically');
    await button(page, 'New schedule').waitFor();
    expect(complaints()).toEqual([]);
    await context.close();
  });

  test('the list shows the title of a workflow behind the first page of workflows', async () => {
    const { body: project } = await service.rest('POST', '/api/v1/projects/', { body: { name: 'Many workflows' } });
    const data = chain(trigger(), output());
    let last = 0;
    for (let number = 1; number <= 101; number++) {
      const workflow = { project: project.id, title: `Workflow number ${number}`, data };
      last = (await service.rest('POST', '/api/v1/workflows/', { body: workflow })).body.id;
    }
    await service.rest('POST', `/api/v1/workflows/${last}/triggers/`, { body: { name: 'Late', webhook: {} } });
    await inConsole(async page => {
      await page.goto(`${service.url}/projects/${project.id}/triggers`);
      await page.getByRole('link', { name: 'Workflow number 101', exact: true }).waitFor();
    });
  });

  /** Creates a workflow from a graph and opens its triggers. */
  async function importWorkflow(page: Page, title: string, graph: object) {
    await page.goto(`${service.url}/projects/${sample.project}/workflows`);
    await button(page, 'New workflow').first().click();
    await dialog(page).getByLabel('Title').fill(title);
    await dialog(page).getByText('Import', { exact: true }).click();
    await dialog(page).getByRole('textbox', { name: 'Graph' }).fill(JSON.stringify(graph));
    await button(page, 'Create workflow').click();
    await page.waitForURL(/workflows\/\d+$/);
    await page.goto(`${page.url()}/triggers`);
    await page.getByText('Start runs automatically').waitFor();
  }

  async function choose(page: Page, label: string, option: string) {
    await dialog(page).getByRole('combobox', { name: label, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  }
});

function callAsGitHub(address: string, body: string, secret: string): Promise<Response> {
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const headers = {
    ...{ 'Content-Type': 'application/json', 'User-Agent': 'GitHub-Hookshot/1', 'X-GitHub-Event': 'issues' },
    ...{ 'X-GitHub-Delivery': randomUUID(), 'X-Hub-Signature-256': `sha256=${signature}` },
  };
  return fetch(address, { method: 'POST', headers, body });
}
