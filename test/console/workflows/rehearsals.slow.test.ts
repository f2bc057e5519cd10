import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, isConsoleSuite, launchBrowser, takePicture } from '../../pages/browser.js';
import { awaitFinish } from '../../rest/workflows/finished-run.js';
import { chain, field, llm, output, template, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { bearer, createLogin } from '../../support/sessions.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';
import { accessibilityFaults, openConsole, signInByPassword, WINDOWS } from '../console-page.js';

const MODEL = 'gpt-4o-mini';
/** A script that returns the elements which make the page wider than the window. */
const FIND_WIDE_ELEMENTS = `document.documentElement.scrollWidth <= window.innerWidth ? [] : [...document.querySelectorAll('body *')]
  .filter(each => each.getBoundingClientRect().right > window.innerWidth)
  .map(each => each.tagName + ' ' + each.className).slice(0, 5)`;
/** `npm run test:console` keeps pictures of every dialog, in both themes, wide and on a phone. */
const THEMES = isConsoleSuite ? (['light', 'dark'] as const) : (['light'] as const);

describeInBrowser('Rehearsals in the console', () => {
  let upstream: StubUpstream;
  let service: TestService;
  let browser: Browser;
  let email: string;
  let project: number;
  let workflow: number;
  let runs: string[];
  beforeAll(async () => {
    upstream = await startStubUpstream();
    upstream.respondWith(({ messages }) => ({ content: `${messages.at(-1).content}\nIt arrives on Thursday.` }));
    const settings = { openai: { baseUrl: upstream.url, apiKey: 'k' } };
    [browser, service] = await Promise.all([launchBrowser(), startTestService(settings)]);
    const user = await createLogin(service, 'grace', { name: 'Grace Hopper', isAdmin: true });
    email = user.email;
    const asUser = bearer(user.access);
    const send = async (method: string, route: string, body: object): Promise<any> => {
      const answer = await service.rest(method, `/api/v1/${route}`, { ...asUser, body });
      expect(answer.status).toBeLessThan(300);
      return answer.body;
    };
    project = (await send('POST', 'projects/', { name: 'Customer support' })).id;

    const label = <T extends { data: object }>(node: T, text: string) => ({
      ...node,
      data: { ...node.data, label: text },
    });
    const start = label(trigger(field('question')), 'Question');
    const sort = label(llm('Sort: {{ input.question }}', MODEL), 'Sort');
    const answer = label(llm('Answer: {{ previous.content }}', MODEL), 'Write an answer');
    const end = label(output('{{ previous.content }}'), 'Output');
    const friendly = {
      ...answer,
      data: {
        ...answer.data,
        messages: [{ role: 'user', message: 'Answer in one friendly sentence: {{ previous.content }}' }],
      },
    };
    const greeting = label(template('Dear customer,\n{{ previous.content }}'), 'Greeting');
    const data = chain(start, sort, answer, end);
    workflow = (await send('POST', 'workflows/', { project, title: 'Answer questions', data })).id;
    const finishedRun = async (question: string) => {
      const { id } = (await send('POST', `workflows/${workflow}/run/`, { input_data: { question } })).data;
      expect((await awaitFinish(service, id)).status).toBe('succeed');
      return id as string;
    };
    runs = [await finishedRun('Where is my parcel?'), await finishedRun('How do I return it?')];
    await send('PATCH', `workflows/${workflow}/`, { data: chain(start, sort, friendly, end) });
    await send('PATCH', `workflows/${workflow}/`, { data: chain(start, sort, friendly, greeting, end) });
    runs.push(await finishedRun('Where is my parcel?'));
    await send('PUT', `projects/${project}/drafts/`, { uses_drafts: true });
    await send('POST', `workflows/${workflow}/revisions/1/publish/`, { note: 'Back to the first words' });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await upstream?.stop();
  });

  /** Checks the open screen in two sizes: no element is wider than the window, and no rule of accessibility is violated. */
  async function inspect(page: Page, name: string, theme: string) {
    for (const size of ['phone', 'wide'] as const) {
      await page.setViewportSize(WINDOWS[size]);
      expect([name, size, await accessibilityFaults(page)]).toEqual([name, size, []]);
      expect([name, size, await page.evaluate(FIND_WIDE_ELEMENTS)]).toEqual([name, size, []]);
      await takePicture(page, `${name}-${theme}-${size}`);
    }
  }
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  test.each(THEMES)('a version is compared, checked and questioned, and a run is repaired: %s', async theme => {
    const { page, context, complaints, open } = await openConsole(browser, service, { theme, size: 'wide' });
    await signInByPassword(page, service, email);
    const versions = `/projects/${project}/workflows/${workflow}/versions`;

    await open(`${versions}/compare?left=1&right=3`, 'Compare versions');
    await page.getByRole('region', { name: 'Nodes' }).getByText('Greeting').waitFor();
    for (const number of [1, 3])
      await page
        .getByRole('region', { name: `Version ${number}`, exact: true })
        .getByText('Changed')
        .first()
        .waitFor();
    await page.getByRole('region', { name: 'Version 3', exact: true }).getByText('Added').first().waitFor();
    await inspect(page, 'version-diff', theme);

    await open(versions, 'Drafts in this project');
    await inspect(page, 'version-history', theme);
    await button(page, 'Actions for version 3').click();
    await page.getByRole('menuitem', { name: 'Publish' }).click();
    const publish = page.getByRole('dialog', { name: 'Publish version 3' });
    await publish.getByLabel('Last runs').fill('3');
    await inspect(page, 'publish-dialog', theme);
    await publish.getByRole('button', { name: 'Check with recorded runs' }).click();
    await publish.getByText('Some runs end differently').waitFor();
    const table = publish.getByRole('table', { name: 'Rehearsed runs' });
    await table.getByRole('button', { name: 'Compare: Changed' }).first().waitFor();
    await table.getByRole('button', { name: 'Compare: Unchanged' }).first().waitFor();
    await inspect(page, 'publish-check', theme);
    await table.getByRole('button', { name: 'Compare: Changed' }).first().click();
    const run = publish.getByRole('region', { name: 'Rehearsed run' });
    await run.getByRole('region', { name: 'Result of the run' }).getByText('Dear customer,').waitFor();
    await inspect(page, 'rehearsed-run', theme);
    await run.getByRole('button', { name: 'Close the comparison' }).click();
    await run.waitFor({ state: 'detached' });
    await button(page, 'Cancel').click();
    await publish.waitFor({ state: 'detached' });

    await button(page, 'What if').click();
    const whatIf = page.getByRole('dialog', { name: 'What if' });
    await whatIf.getByRole('combobox', { name: 'Node' }).click();
    await page.getByRole('option', { name: 'Sort' }).click();
    await whatIf.getByLabel('Model').fill('gpt-4o');
    await inspect(page, 'what-if-dialog', theme);
    await whatIf.getByRole('button', { name: 'Rehearse the change' }).click();
    await page.getByRole('heading', { name: 'Rehearsal' }).waitFor();
    await page.getByText('All runs end as recorded.').waitFor();
    await inspect(page, 'what-if', theme);

    await open(versions, 'Drafts in this project');
    await button(page, 'Since when').click();
    const bisect = page.getByRole('dialog', { name: 'Since when' });
    await bisect.getByRole('combobox', { name: 'Good run' }).click();
    await page
      .getByRole('option', { name: /version 1/ })
      .last()
      .click();
    await bisect.getByRole('combobox', { name: 'Bad run' }).click();
    await page
      .getByRole('option', { name: /version 3/ })
      .first()
      .click();
    await inspect(page, 'bisect-dialog', theme);
    await bisect.getByRole('button', { name: 'Find the change' }).click();
    await page.getByText('Version 3 has the bad result, version 2 the good one. 2 changes, 1 replay.').waitFor();
    await inspect(page, 'bisect', theme);

    await open(`/projects/${project}/runs/${runs[0]}`, 'Write an answer');
    await button(page, 'More actions').click();
    await page.getByRole('menuitem', { name: 'Repair and continue' }).click();
    const repair = page.getByRole('dialog', { name: 'Repair and continue' });
    const effects = repair.getByRole('table', { name: 'Effects' });
    await effects.getByRole('row', { name: /^Sort 1 1 0 0/ }).waitFor();
    await effects.getByRole('row', { name: /^Write an answer 1 0 1 0/ }).waitFor();
    await inspect(page, 'repair-dialog', theme);
    await repair.getByRole('button', { name: 'Start' }).click();
    await page.waitForURL(url => url.pathname.includes('/runs/') && !url.pathname.endsWith(String(runs[0])));
    await page.locator('main').getByText('Succeeded', { exact: true }).first().waitFor();
    expect(complaints()).toEqual([]);
    await context.close();
  });
});
