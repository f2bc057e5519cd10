import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser, takePicture } from '../pages/browser.js';
import { eventually } from '../support/eventually.js';
import { chain, node, output, trigger } from '../support/graphs.js';
import { startTestService, type TestService } from '../support/service.js';
import { bearer, createLogin, type Login } from '../support/sessions.js';
import { accessibilityFaults, type ConsolePage, inSignedInConsole } from './console-page.js';

/** More than one page of the API, which has at most 100 items. */
const COUNT = 120;
const SECRET = 'a-secret-of-a-service';

/** A name whose order as a text is that of the numbers. */
const nameOf = (noun: string, number: number) => `${noun} ${String(number).padStart(3, '0')}`;

describeInBrowser('Lists of more than 100 choices', () => {
  let service: TestService;
  let browser: Browser;
  let user: Login;
  let project: number;
  beforeAll(async () => {
    [browser, service] = await Promise.all([launchBrowser(), startTestService()]);
    user = await createLogin(service, 'grace', { name: 'Grace Hopper' });
    project = await create('projects', { name: 'Many choices' });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  async function create(route: string, body: object): Promise<number> {
    const answer = await service.rest('POST', `/api/v1/${route}/`, { ...bearer(user.access), body });
    if (answer.status >= 300) throw new Error(`${route}: ${JSON.stringify(answer.body)}`);
    return answer.body.id;
  }
  async function createMany(route: string, bodyOf: (number: number) => object) {
    for (let number = 1; number <= COUNT; number += 1) await create(route, bodyOf(number));
  }
  async function inConsole(work: (page: Page, window: ConsolePage) => Promise<void>) {
    await inSignedInConsole(browser, service, { email: user.email }, async (page, window) => {
      await work(page, window);
      expect(window.complaints()).toEqual([]);
    });
  }
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const option = (page: Page, name: string) => page.getByRole('option', { name: new RegExp(`^${name}`) });
  /** Chooses an item that the search of an open list finds. */
  async function find(page: Page, search: string, name: string) {
    await page.getByRole('combobox', { name: search }).fill(name.toUpperCase());
    await option(page, name).click();
    await page.getByRole('combobox', { name: search }).waitFor({ state: 'detached' });
  }

  test('the last connection of a project is chosen for an HTTP node', async () => {
    await createMany('connections', number => ({
      project,
      name: nameOf('Connection', number),
      kind: 'bearer',
      secret: SECRET,
      allowed_hosts: ['api.example.com'],
    }));
    const call = node('http-node', { url: 'https://api.example.com' }, 'call');
    const id = await create('workflows', { project, title: 'Calls', data: chain(trigger(), call, output()) });
    await inConsole(async (page, { open }) => {
      await open(`/projects/${project}/workflows/${id}?node=call`, 'Add node');
      await page.getByRole('combobox', { name: 'Connection' }).click();
      await option(page, nameOf('Connection', 1)).waitFor();
      await option(page, nameOf('Connection', COUNT)).click();
      await button(page, 'Save').click();
      await page.getByText('Saved just now').waitFor();
      const { body } = await service.rest('GET', `/api/v1/workflows/${id}/`);
      const { body: stored } = await service.rest(
        'GET',
        `/api/v1/connections/${body.data.nodes[1].data.connection_id}/`,
      );
      expect(stored.name).toBe(nameOf('Connection', COUNT));
    });
  });

  test('each prompt, variable and message of a project is chosen in a message', async () => {
    await createMany('prompts', number => ({ project, key: nameOf('Prompt', number), role: 'user', content: 'Hello' }));
    await createMany('variables', number => ({
      project,
      key: nameOf('Variable', number),
      variable_names: [{ name: 'first', value: 'first' }],
    }));
    await createMany('messages', number => ({ project, key: nameOf('Message', number), prompts: [] }));
    const message = await create('messages', { project, key: 'Greeting', prompts: [] });
    const { data } = await service.graphql('{ categories(size: 1) { items { id } } }');
    const scenario = await create('scenarios', {
      project,
      name: 'Greetings',
      category: data.categories.items[0].id,
      messages: [message],
      run_fee: 0,
      free_runs_per_user: 0,
    });
    const stored = async () => (await service.rest('GET', `/api/v1/messages/${message}/`)).body;
    await inConsole(async (page, { open }) => {
      await open(`/projects/${project}/scenarios/${scenario}`, 'From library');
      for (const [index, number] of [1, COUNT].entries()) {
        await button(page, 'From library').click();
        if (index === 0) {
          await page.getByRole('combobox', { name: 'Search prompts' }).waitFor();
          expect(await accessibilityFaults(page)).toEqual([]);
          await takePicture(page, 'choice-button');
        }
        await find(page, 'Search prompts', nameOf('Prompt', number));
        await eventually(stored, ({ prompts }) => prompts.length === index + 1);
      }
      await page.getByLabel('Loop: send it several times').check();
      for (const number of [1, COUNT]) {
        await page.getByLabel('Once for each value of').first().fill(nameOf('Variable', number));
        await option(page, nameOf('Variable', number)).click();
        await button(page, 'Save message').click();
        await page.getByText(`Loop: ${nameOf('Variable', number)}`).waitFor();
      }
      await button(page, 'Add condition').last().click();
      const condition = page.getByRole('group', { name: 'Condition 1' });
      for (const number of [1, COUNT]) {
        await condition.getByRole('combobox', { name: 'If' }).fill(nameOf('Message', number));
        await option(page, nameOf('Message', number)).click();
      }
      await condition.getByRole('combobox', { name: 'If' }).click();
      // The limit of one group hides no other group.
      await option(page, 'First variable in the text').waitFor();
      await option(page, 'First message in the text').waitFor();
    });
  });

  test('each project is opened, and a new one is named after the list has loaded again', async () => {
    await createMany('projects', number => ({ name: nameOf('Project', number) }));
    const last = await create('projects', { name: 'Workshop' });
    await inConsole(async (page, { open }) => {
      await open(`/projects/${last}`, 'Workshop');
      await button(page, 'Project: Workshop').click();
      await option(page, nameOf('Project', COUNT)).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await takePicture(page, 'project-switcher');
      await find(page, 'Search projects', nameOf('Project', COUNT));
      await button(page, `Project: ${nameOf('Project', COUNT)}`).click();
      await button(page, 'All projects, new project').click();
      await button(page, 'New project').first().click();
      await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Zoo');
      await button(page, 'Create project').click();
      await button(page, 'Project: Zoo').click();
      await find(page, 'Search projects', nameOf('Project', 1));
      await button(page, `Project: ${nameOf('Project', 1)}`).waitFor();
    });
  });
});
