import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../pages/browser.js';
import { startTestService, type TestService } from '../support/service.js';
import { bearer, createLogin, type Login, logIn } from '../support/sessions.js';
import { accessibilityFaults, type ConsolePage, createSample, inSignedInConsole, type Sample } from './console-page.js';

const START = `mutation ($workflowId: Int!, $input: JSON) {
  workflowRunStart(workflowId: $workflowId, input: $input) { run { id } errors { code } }
}`;

describeInBrowser('Members, costs, marketplace and playground', () => {
  let service: TestService;
  let browser: Browser;
  let sample: Sample;
  let guest: Login;
  beforeAll(async () => {
    [browser, service] = await Promise.all([launchBrowser(), startTestService()]);
    sample = await createSample(service);
    guest = await createLogin(service, 'linus', { name: 'Linus Example' });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  /** Opens a window of the console in which the user is signed in. */
  async function inConsoleAs(email: string, work: (page: Page, window: ConsolePage) => Promise<void>) {
    await inSignedInConsole(browser, service, { email }, work);
  }
  const start = async (workflowId: string | number | undefined) =>
    (await service.graphql(START, { workflowId: Number(workflowId), input: { question: 'Why?' } })).data
      .workflowRunStart;

  test('a member is invited, and sees the change of the role and the removal without a reload', async () => {
    const members = `${service.url}/projects/${sample.project}/settings?section=members`;
    await inConsoleAs(sample.email, async (owner, { complaints }) => {
      await owner.goto(members);
      await owner.getByRole('button', { name: 'Invite' }).click();
      await owner.getByLabel('Email').fill(guest.email);
      await owner.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
      await owner.getByRole('combobox', { name: 'Role of Linus Example' }).waitFor();
      await inConsoleAs(guest.email, async member => {
        await member.goto(members);
        await member.getByText('Grace Hopper').first().waitFor();
        await owner.getByRole('combobox', { name: 'Role of Linus Example' }).click();
        await owner.getByRole('option', { name: 'Viewer' }).click();
        await member
          .getByRole('row', { name: /Linus Example/ })
          .getByText('Viewer')
          .waitFor();
        await owner.getByRole('button', { name: 'Actions for Linus Example' }).click();
        await owner.getByRole('menuitem', { name: 'Remove' }).click();
        await owner.getByRole('button', { name: 'Remove member' }).click();
        await member.getByText('It does not exist, or you may not see it.').first().waitFor();
      });
      expect(complaints()).toEqual([]);
    });
  });

  test('a person answers an invitation on the list of projects', async () => {
    const author = await createLogin(service, 'barbara', { name: 'Barbara Example' });
    const asAuthor = bearer(author.access);
    const { body } = await service.rest('POST', '/api/v1/projects/', { ...asAuthor, body: { name: 'Research' } });
    const invitation = { email: guest.email, role: 'editor' };
    await service.rest('POST', `/api/v1/projects/${body.id}/invitations/`, { ...asAuthor, body: invitation });
    await inConsoleAs(guest.email, async page => {
      await page.getByRole('button', { name: 'Accept Research' }).click();
      await page.getByRole('link', { name: 'Research' }).waitFor();
    });
  });

  test('a person sees where they are signed in, and ends the other sessions', async () => {
    const other = await logIn(service, guest.email);
    await inConsoleAs(guest.email, async (page, { complaints, open }) => {
      await open('/account', 'This session');
      await page
        .getByRole('table', { name: 'Sessions' })
        .getByText(/Chrome on Linux/)
        .first()
        .waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByRole('button', { name: 'End all others' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'End sessions' }).click();
      await page.getByText('All other sessions have ended.').waitFor();
      expect(await page.getByRole('table', { name: 'Sessions' }).locator('tbody tr').count()).toBe(1);
      expect((await service.rest('GET', '/api/v1/sessions/', bearer(other.access))).status).toBe(401);
      expect(complaints()).toEqual([]);
    });
  });

  test('a spent budget refuses runs until it is raised', async () => {
    await inConsoleAs(sample.email, async (page, { complaints, open }) => {
      await open(`/projects/${sample.project}/costs`, 'Ended runs');
      const setTo = async (usd: string, button: string) => {
        await page.getByRole('button', { name: button }).click();
        await page.getByLabel('Limit').fill(usd);
        await page.getByRole('dialog').getByRole('button', { name: 'Set budget' }).click();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      };
      await setTo('0', 'Set budget');
      await page.getByText('The budget is spent.').waitFor();
      expect((await start(sample.workflow)).errors).toMatchObject([{ code: 'BUDGET_EXCEEDED' }]);
      await setTo('5', 'Change budget');
      await page.getByText('left of $5.00').waitFor();
      expect((await start(sample.workflow)).errors).toEqual([]);
      await page.getByRole('tab', { name: 'Ledger' }).click();
      await page.getByRole('table', { name: 'Ledger' }).waitFor();
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export CSV' }).click();
      expect((await download).suggestedFilename()).toMatch(/^costs-.*\.csv$/);
      expect(complaints()).toEqual([]);
    });
  });

  test('an API key is shown once', async () => {
    await inConsoleAs(sample.email, async page => {
      await page.goto(`${service.url}/account`);
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByLabel('Name').fill('CI pipeline');
      await page.getByRole('button', { name: 'Create key' }).click();
      const key = await page.getByRole('group', { name: 'API key' }).textContent();
      expect((await service.rest('GET', '/api/v1/projects/', { key })).status).toBe(200);
      await page.getByRole('button', { name: 'I have stored it' }).click();
      await page.reload();
      await page.getByText('CI pipeline').waitFor();
      expect(await page.content()).not.toContain(key);
    });
  });

  test('a published workflow is copied with its checklist, and the copy runs', async () => {
    await inConsoleAs(sample.email, async (page, { open, complaints }) => {
      await open(`/projects/${sample.project}/workflows/${sample.workflow}/marketplace`, 'Publication');
      expect(await page.getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true);
      await page.getByLabel('Marketplace title').fill('Answers from a team');
      await page.getByLabel('Read-me').fill('# Answers\n\nAsks **echo**. <script>alert(1)</script>');
      await page.getByRole('combobox', { name: 'Languages' }).fill('en');
      await page.keyboard.press('Enter');
      await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Runs' }).click();
      await page.getByText('Your changes to the offer are not saved.').waitFor();
      await page.getByRole('button', { name: 'Keep editing' }).click();
      expect(await page.getByLabel('Marketplace title').inputValue()).toBe('Answers from a team');
      await page.getByRole('button', { name: 'Save offer' }).click();
      await page.getByText('The offer is saved.').waitFor();
      await page.getByRole('radio', { name: 'Use as the template' }).last().click();
      await page.getByRole('checkbox', { name: 'Show as an example' }).last().click();
      await page.getByRole('button', { name: 'Publish' }).click();
      await page.getByText('It is on the marketplace.').waitFor();
      await page.getByRole('link', { name: 'Show on the marketplace' }).click();
      await page.getByRole('link', { name: 'Open workflow' }).waitFor();
      expect(await page.getByRole('button', { name: 'Copy to a project' }).count()).toBe(0);
      // The result of the run also has the contents of all its nodes.
      expect(await page.getByRole('region', { name: 'output' }).textContent()).toBe('done');
      expect(complaints()).toEqual([]);
    });
    // The sessions of the guest were ended by another test.
    const { access } = await logIn(service, guest.email);
    const { body: project, status } = await service.rest('POST', '/api/v1/projects/', {
      ...bearer(access),
      body: { name: 'Copies' },
    });
    expect(status).toBe(201);
    await inConsoleAs(guest.email, async (page, { complaints }) => {
      await page.goto(`${service.url}/marketplace`);
      await page.getByRole('link', { name: 'Answers from a team' }).click();
      await page.getByRole('heading', { name: 'Answers', exact: true }).waitFor();
      await page.getByRole('tab', { name: 'Example 1' }).waitFor();
      await page.getByRole('button', { name: 'Copy to a project' }).click();
      await page.getByRole('combobox', { name: 'Project' }).click();
      await page.getByRole('option', { name: 'Copies' }).click();
      await page.getByRole('button', { name: 'Copy workflow' }).click();
      await page.getByText('Nothing is missing. It can run.').waitFor();
      expect(complaints()).toEqual([]);
      const [, copy] = /workflows\/(\d+)\/marketplace/.exec(page.url()) ?? [];
      expect(page.url()).toContain(`/projects/${project.id}/`);
      expect((await start(copy)).errors).toEqual([]);
      await page.goto(`${service.url}/marketplace`);
      await page.getByRole('link', { name: 'Answers from a team' }).click();
      await page.getByRole('link', { name: 'Open your copy' }).click();
      await page.waitForURL(`**/projects/${project.id}/workflows/${copy}`);
    });
  });

  test('the playground compares models and becomes a workflow', async () => {
    await inConsoleAs(sample.email, async (page, { open, complaints }) => {
      await open(`/projects/${sample.project}/playground?models=echo,echo`, 'Compare with another model');
      await page.getByLabel('Message').fill('Where is my parcel?');
      await page.keyboard.press('Enter');
      await page.getByText('5 → 5 tokens').nth(1).waitFor();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('menuitem', { name: 'As a workflow' }).click();
      await page.getByLabel('Title').fill('Parcel answers');
      await page.getByRole('button', { name: 'Create workflow' }).click();
      await page.waitForURL(/\/workflows\/\d+$/);
      const [, id] = /workflows\/(\d+)$/.exec(page.url()) ?? [];
      const check = 'query ($id: Int!) { workflow(id: $id) { title check { isValid issues { message } } } }';
      const { data } = await service.graphql(check, { id: Number(id) });
      expect(data.workflow).toEqual({ title: 'Parcel answers', check: { isValid: true, issues: [] } });
      expect(complaints()).toEqual([]);
    });
  });

  test('the audit log is filtered by action and person, opened and exported', async () => {
    await service.sql(
      `insert into audit_entry (id, action, user_email, via, object_type, object_id, project_id, detail)
       select gen_random_uuid(), 'test.page', null, 'operator', 'project', $1::int::text, $1::int, '{}' from generate_series(1, 60)`,
      [sample.project],
    );
    await service.sql(
      `insert into audit_entry (id, action, user_id, user_email, via, object_type, object_id, project_id, detail)
       select gen_random_uuid(), 'test.form', id, email, 'jwt', 'project', $1::int::text, $1::int, '{"to": {"hosts": ["a.example"]}}' from app_user where email = $2`,
      [sample.project, sample.email],
    );
    await inConsoleAs(sample.email, async (page, { open, complaints }) => {
      await open(`/projects/${sample.project}/settings?section=audit`, 'Load older entries');
      const rows = page.getByRole('table', { name: 'Audit log' }).locator('tbody tr');
      expect(await rows.count()).toBe(50);
      await page.getByRole('button', { name: 'Load older entries' }).click();
      await rows.nth(59).waitFor();
      await page.getByLabel('Action', { exact: true }).fill('test.form');
      await page.keyboard.press('Enter');
      await page.waitForURL(/action=test\.form/);
      await page.getByRole('combobox', { name: 'Person' }).click();
      await page.getByRole('option', { name: sample.email }).click();
      await page.waitForURL(/user=\d+/);
      await page.getByRole('button', { name: 'test.form' }).click();
      await page.getByRole('dialog').getByText('Session').waitFor();
      await page.getByRole('row', { name: 'to.hosts.0 a.example' }).waitFor();
      expect(await rows.count()).toBe(1);
      await page.keyboard.press('Escape');
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export' }).click();
      await page.getByRole('menuitem', { name: 'CSV' }).click();
      expect((await download).suggestedFilename()).toBe('audit-log.csv');
      await page.getByText('1 entry was saved.').waitFor();
      expect(complaints()).toEqual([]);
    });
  });

  test('only administrators read the state of the service', async () => {
    await inConsoleAs(sample.email, async (page, { open, complaints }) => {
      await open('/admin?section=health', 'Oldest in queue');
      await page.getByRole('row', { name: /Workflow/ }).waitFor();
      await page.getByText('Accepts writes').waitFor();
      expect(complaints()).toEqual([]);
    });
    await inConsoleAs(guest.email, async page => {
      await page.goto(`${service.url}/admin?section=health`);
      await page
        .getByText(/administrator/i)
        .first()
        .waitFor();
    });
  });
});
