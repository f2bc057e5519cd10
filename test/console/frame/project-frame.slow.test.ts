import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../../pages/browser.js';
import { startTestService, type TestService } from '../../support/service.js';
import { createLogin, type Login } from '../../support/sessions.js';
import { type ConsolePage, createSample, inSignedInConsole, type Sample } from '../console-page.js';

const ADD = `mutation ($projectId: Int!, $email: String!) {
  projectMemberAdd(projectId: $projectId, email: $email, role: VIEWER) { errors { code } }
}`;

describeInBrowser('The screens of a project', () => {
  let service: TestService;
  let browser: Browser;
  let sample: Sample;
  let viewer: Login;
  beforeAll(async () => {
    [browser, service] = await Promise.all([launchBrowser(), startTestService()]);
    sample = await createSample(service);
    viewer = await createLogin(service, 'vera', { name: 'Vera Example' });
    const { data } = await service.graphql(ADD, { projectId: Number(sample.project), email: viewer.email });
    expect(data.projectMemberAdd.errors).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  /** Opens a window of the console in which the user is signed in. */
  async function inConsoleAs(email: string, work: (page: Page, window: ConsolePage) => Promise<void>) {
    await inSignedInConsole(browser, service, { email }, async (page, window) => {
      await work(page, window);
      expect(window.complaints()).toEqual([]);
    });
  }

  test('a viewer gets no buttons that the service refuses', async () => {
    const project = `/projects/${sample.project}`;
    const screens = [
      { path: '/workflows', shows: 'Answer questions', hidden: 'New workflow' },
      { path: '/workflows?create=true', shows: 'Answer questions', hidden: 'Create workflow' },
      { path: `/workflows/${sample.workflow}/run`, shows: 'Editors of the project can start runs.', hidden: 'Run' },
      { path: `/workflows/${sample.workflow}/marketplace`, shows: 'What it needs and calls', hidden: 'Run' },
      { path: `/scenarios/${sample.scenario}`, shows: 'Replies in every language', hidden: 'Run' },
      {
        path: `/scenarios/${sample.scenario}/run`,
        shows: 'Editors of the project can start runs.',
        hidden: 'Start run',
      },
      { path: `/scenarios/runs/${sample.scenarioRun}/repeat`, shows: 'Editors of the project', hidden: 'Start run' },
      { path: '/playground', shows: 'Editors of the project can send messages', hidden: 'Send' },
    ];
    await inConsoleAs(viewer.email, async (page, { open }) => {
      for (const { path, shows, hidden } of screens) {
        await open(`${project}${path}`, shows);
        const buttons = page.getByRole('main').getByRole('button', { name: hidden, exact: true });
        const links = page.getByRole('main').getByRole('link', { name: hidden, exact: true });
        expect([path, await buttons.count(), await links.count()]).toEqual([path, 0, 0]);
        expect(await page.getByRole('dialog').count()).toBe(0);
      }
      await open(`${project}/workflows`, 'Answer questions');
      await page.getByRole('button', { name: 'Actions for Answer questions' }).click();
      await page.getByRole('menuitem', { name: 'Versions' }).waitFor();
      expect(await page.getByRole('menuitem', { name: /^Run/ }).count()).toBe(0);
      await open(`${project}/workflows/${sample.workflow}`, 'View only');
      await page.keyboard.press('Control+Enter');
      expect(await page.getByRole('region', { name: 'Run', exact: true }).count()).toBe(0);
    });
  });

  test('an object opens in its own project', async () => {
    const objects = [
      { path: `workflows/${sample.workflow}`, shows: 'Add node' },
      { path: `workflows/${sample.workflow}/versions`, shows: 'Drafts in this project' },
      { path: `runs/${sample.run}?tab=ledger`, shows: 'Timeline' },
      { path: `scenarios/${sample.scenario}?tab=settings`, shows: 'Description' },
      { path: `scenarios/runs/${sample.scenarioRun}`, shows: 'Round 3' },
      { path: `documents/${sample.document}`, shows: 'Express shipping' },
      { path: `keywords/${sample.keywordRun}`, shows: 'Create variable' },
    ];
    await inConsoleAs(sample.email, async (page, { open }) => {
      for (const { path, shows } of objects) {
        await open(`/projects/${sample.empty}/${path}`, shows);
        await page.waitForURL(`${service.url}/projects/${sample.project}/${path}`);
      }
    });
  });

  test('the palette finds workflows by their titles', async () => {
    await inConsoleAs(sample.email, async (page, { open }) => {
      await open(`/projects/${sample.project}`, 'Recent runs');
      await page.getByRole('button', { name: /Search or jump/ }).click();
      await page.getByRole('textbox', { name: 'Search commands' }).fill('QUEST');
      await page.getByRole('dialog').getByText('Answer questions').click();
      await page.waitForURL(`**/projects/${sample.project}/workflows/${sample.workflow}`);
    });
  });
});
