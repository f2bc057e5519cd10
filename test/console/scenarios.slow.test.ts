import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../pages/browser.js';
import { startTestService, type TestService } from '../support/service.js';
import { bearer, createLogin } from '../support/sessions.js';
import { accessibilityFaults, openConsole, signInByPassword } from './console-page.js';

const RUN = `query ($id: Int!) {
  scenarioRun(id: $id) { insertedVariables { value } processedMessages { results } }
}`;

describeInBrowser('Scenarios in the console', () => {
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    [browser, service] = await Promise.all([launchBrowser(), startTestService()]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const dialog = (page: Page) => page.getByRole('dialog');
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  async function createVariable(page: Page) {
    await button(page, 'New variable').first().click();
    await dialog(page).getByRole('textbox', { name: 'Name', exact: true }).fill('City');
    await dialog(page).getByLabel('Value 1', { exact: true }).fill('Paris');
    await button(page, 'Add value').click();
    await dialog(page).getByLabel('Value 2', { exact: true }).fill('Rome');
    await button(page, 'Create variable').click();
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByText('Paris, Rome').waitFor();
  }

  async function createScenario(page: Page) {
    await button(page, 'New scenario').first().click();
    await dialog(page).getByRole('textbox', { name: 'Name', exact: true }).fill('City guide');
    await button(page, 'Create scenario').click();
    await button(page, 'Add message').click();
    await button(page, 'New prompt').click();
    const text = dialog(page).getByRole('textbox', { name: 'Text' });
    await text.click();
    await text.pressSequentially('Describe @City');
    await page.getByRole('option', { name: 'City · 1' }).click();
    await dialog(page).locator('.cm-placeholder-name', { hasText: 'City · 1' }).waitFor();
    await button(page, 'Create prompt').click();
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByLabel('Model', { exact: true }).first().fill('echo');
    await page.getByLabel('Loop: send it several times').check();
    await page.getByLabel('Once for each value of').first().click();
    await page.getByRole('option', { name: 'City', exact: true }).click();
    await button(page, 'Save message').click();
    await page.getByText('Loop: City').waitFor();
  }

  test('a loop is written, run with another value and shown round by round', async () => {
    const user = await createLogin(service, 'grace', { name: 'Grace Hopper' });
    const { body } = await service.rest('POST', '/api/v1/projects/', {
      ...bearer(user.access),
      body: { name: 'Travel' },
    });
    const { id: projectId } = body as { id: number };
    const { page, context, complaints, open } = await openConsole(browser, service, { theme: 'light', size: 'wide' });
    await signInByPassword(page, service, user.email);
    await open(`/projects/${projectId}/scenarios/variables`, 'Name the values that change');
    await createVariable(page);
    await page.getByRole('navigation', { name: 'Scenarios' }).getByRole('link', { name: 'Scenarios' }).click();
    await createScenario(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await button(page, 'Run').click();
    await page.getByRole('group', { name: 'City' }).getByLabel('2').fill('Lisbon');
    await button(page, 'Start run').click();
    await page.waitForURL('**/scenarios/runs/*');
    await page.getByText('Round 2').waitFor();
    await page.locator('dd', { hasText: '1 of 1' }).waitFor();
    await page.getByRole('heading', { name: 'Final result' }).waitFor();
    await page.getByText('Describe Paris').first().waitFor();
    await page.getByText('Describe Lisbon').first().waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const first = page.url();
    await button(page, 'Run again').click();
    await page.waitForURL(url => url.href !== first);
    await page.getByText('Describe Lisbon').first().waitFor();
    const { data } = await service.graphql(RUN, { id: Number(page.url().split('/').at(-1)) });
    expect(data.scenarioRun.insertedVariables).toEqual([{ value: 'Lisbon' }]);
    expect(complaints()).toEqual([]);
    await context.close();
  });

  test('a condition examines a language, or a text without regard to case', async () => {
    const user = await createLogin(service, 'edsger', { name: 'Edsger Dijkstra' });
    const create = async (route: string, body: object) =>
      ((await service.rest('POST', `/api/v1/${route}/`, { ...bearer(user.access), body })).body as { id: number }).id;
    const project = await create('projects', { name: 'Letters' });
    const message = await create('messages', { project, key: 'Draft' });
    const prompt = await create('prompts', { project, role: 'user', content: 'Hello', key: 'Greeting' });
    const stored = async () =>
      (await service.rest('GET', `/api/v1/prompts/${prompt}/`, bearer(user.access))).body.prompt_conditions;
    const { page, context, complaints, open } = await openConsole(browser, service, { theme: 'light', size: 'wide' });
    await signInByPassword(page, service, user.email);
    await open(`/projects/${project}/scenarios/prompts`, 'Greeting');
    const choose = async (field: string, option: string) => {
      await condition.getByRole('combobox', { name: field }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    const save = async () => {
      await button(page, 'Save prompt').click();
      await dialog(page).waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Greeting' }).click();
    };
    const condition = dialog(page).getByRole('group', { name: 'Condition 1' });
    await page.getByRole('link', { name: 'Greeting' }).click();
    await button(page, 'Add condition').click();
    await choose('If', 'Language of Draft');
    await condition.getByLabel('Ignore case').waitFor({ state: 'detached' });
    await condition.getByLabel('Value').fill('german');
    await button(page, 'Save prompt').click();
    await condition.getByText('must consist of codes of languages').waitFor();
    await condition.getByLabel('Value').fill('de');
    expect(await accessibilityFaults(page)).toEqual([]);
    await save();
    expect(await stored()).toMatchObject([{ type: 'language', message, matching: 'equal', value: 'de' }]);
    expect(await condition.getByRole('combobox', { name: 'If' }).inputValue()).toBe('Language of Draft');
    await choose('If', 'Draft');
    await condition.getByLabel('Ignore case').check();
    await save();
    expect(await stored()).toMatchObject([{ type: 'message', message, value: 'de', ignore_case: true }]);
    await choose('If', 'Language of the first variable or message in the text');
    await choose('Comparison', 'does not exist');
    expect(await condition.getByLabel('Value').isDisabled()).toBe(true);
    await save();
    expect(await stored()).toMatchObject([{ type: 'language', message: null, matching: 'not_exists' }]);
    expect(complaints()).toEqual([]);
    await context.close();
  });

  test('a taken name is refused at its field, and unsaved changes are kept', async () => {
    const user = await createLogin(service, 'alan', { name: 'Alan Turing' });
    const asUser = bearer(user.access);
    const create = async (route: string, body: object) =>
      ((await service.rest('POST', route, { ...asUser, body })).body as { id: number }).id;
    const project = await create('/api/v1/projects/', { name: 'Machines' });
    const prompt = { project, role: 'user', content: 'Hello', key: 'Greeting' };
    await create('/api/v1/prompts/', prompt);
    await create('/api/v1/prompts/', { ...prompt, key: 'Farewell' });
    const { page, context, open } = await openConsole(browser, service, { theme: 'dark', size: 'phone' });
    await signInByPassword(page, service, user.email);
    await open(`/projects/${project}/scenarios/prompts`, 'Greeting');
    await page.getByRole('link', { name: 'Farewell' }).click();
    await dialog(page).getByRole('textbox', { name: 'Name', exact: true }).fill('Greeting');
    await button(page, 'Save prompt').click();
    await dialog(page).locator('[aria-invalid=true]').waitFor();
    await page.goBack();
    await page.getByText('Leave without saving?').waitFor();
    await button(page, 'Keep editing').click();
    expect(await dialog(page).getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Greeting');
    await context.close();
  });
});
