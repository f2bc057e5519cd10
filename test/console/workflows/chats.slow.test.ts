import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser, takePicture } from '../../pages/browser.js';
import { eventually } from '../../support/eventually.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type LoopbackServer, serveHttp } from '../../support/upstreams/loopback-server.js';
import {
  accessibilityFaults,
  createSample,
  openConsole,
  overflowWidth,
  type Sample,
  signInByPassword,
} from '../console-page.js';

/** A site of another origin whose pages have the given content. */
function startSite(html: () => string): Promise<LoopbackServer> {
  return serveHttp((_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><html lang="en"><title>Shop</title><h1>Shop</h1>${html()}</html>`);
  });
}

describeInBrowser('Chats', () => {
  let service: TestService;
  let browser: Browser;
  let sample: Sample;
  let snippet = '';
  /** Only the first one may embed the chat. */
  const sites: LoopbackServer[] = [];
  beforeAll(async () => {
    [browser, service] = await Promise.all([launchBrowser(), startTestService()]);
    sample = await createSample(service);
    for (let site = 0; site < 2; site++) sites.push(await startSite(() => snippet));
  });
  afterAll(async () => {
    for (const site of sites) await site.close();
    await browser?.close();
    await service?.stop();
  });

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const textOf = (page: Page, name: string) =>
    page.getByRole('region', { name, exact: true }).locator('pre').textContent();

  test('a chat is created in the console, used on its page and on another site, and then only by members', async () => {
    const { page, context, complaints, open } = await openConsole(browser, service, { theme: 'light', size: 'wide' });
    await signInByPassword(page, service, sample.email);
    await open(`/projects/${sample.project}/workflows/${sample.workflow}/triggers`, 'Start runs automatically');
    await button(page, 'More').first().click();
    await page.getByRole('menuitem', { name: 'New chat' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Help');
    await dialog.getByLabel('Greeting').fill('How can we help?');
    const origins = dialog.getByPlaceholder('Enter one and press Enter');
    await origins.fill(sites[0]!.url);
    await origins.press('Enter');
    await dialog.getByRole('textbox', { name: 'Mapping' }).fill('{"question": "{{ input.message }}"}');
    expect(await accessibilityFaults(page)).toEqual([]);
    await takePicture(page, 'chat-dialog');
    await button(page, 'Create chat').click();
    await page.getByRole('heading', { name: 'Help' }).waitFor();
    const address = (await textOf(page, 'address')) ?? '';
    expect(address).toMatch(new RegExp(`^${service.url}/chats/`));
    snippet = (await textOf(page, 'embedding')) ?? '';
    expect(await accessibilityFaults(page)).toEqual([]);
    await takePicture(page, 'chat-trigger');

    await talkOnPage(address);
    await talkOnSite();

    await page.getByRole('table', { name: 'Log' }).getByText('Started').first().waitFor();
    const conversations = page.getByRole('table', { name: 'Conversations' });
    await button(page, 'Refresh').click();
    await conversations
      .getByRole('button', { name: /^Delete/ })
      .first()
      .waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await takePicture(page, 'chat-conversations');
    const rows = await conversations.getByRole('button', { name: /^Delete/ }).count();
    await conversations
      .getByRole('button', { name: /^Delete/ })
      .first()
      .click();
    await button(page, 'Delete conversation').click();
    await eventually(
      () => conversations.getByRole('button', { name: /^Delete/ }).count(),
      count => count === rows - 1,
    );
    await button(page, 'Actions for Help').click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await dialog.getByRole('combobox', { name: 'Who can write' }).click();
    await page.getByRole('option', { name: 'Members of the project, who sign in' }).click();
    await button(page, 'Save').click();
    await page.getByText('Members of the project, viewers included, can use the chat.').waitFor();
    expect((await fetch(address)).status).toBe(404);
    await page.goto((await textOf(page, 'address')) ?? '');
    await page.getByText('How can we help?').waitFor();
    await page.getByRole('textbox', { name: 'Message' }).fill('Where is my parcel?');
    await button(page, 'Send').click();
    const log = page.getByRole('log', { name: 'Conversation' });
    await log.getByText('done', { exact: true }).waitFor();
    await page.reload();
    await log.getByText('done', { exact: true }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await takePicture(page, 'chat-members');
    await button(page, 'New conversation').click();
    await log.getByText('done', { exact: true }).waitFor({ state: 'detached' });
    expect(complaints()).toEqual([]);
    await context.close();
  });

  async function talkOnPage(address: string) {
    const { page, context, complaints } = await openConsole(browser, service, { theme: 'dark', size: 'phone' });
    await page.goto(address);
    await page.getByText('How can we help?').waitFor();
    await page.getByLabel('Message').fill('Where is my parcel?');
    await page.getByLabel('Message').press('Enter');
    await page.getByText('done', { exact: true }).waitFor();
    expect(await page.getByLabel('Message').inputValue()).toBe('');
    await page.reload();
    await page.getByText('done', { exact: true }).waitFor();
    expect(await page.getByRole('listitem').allTextContents()).toEqual([
      ...['How can we help?', 'Where is my parcel?', 'done'],
    ]);
    expect(await overflowWidth(page)).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    await takePicture(page, 'chat-page');
    await button(page, 'New conversation').click();
    await page.getByText('done', { exact: true }).waitFor({ state: 'detached' });
    expect(complaints()).toEqual([]);
    await context.close();
  }

  async function talkOnSite() {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(sites[0]!.url);
    await button(page, 'Chat').click();
    const frame = page.frameLocator('iframe');
    await frame.getByLabel('Message').fill('Which sizes exist?');
    await frame.getByRole('button', { name: 'Send' }).click();
    await frame.getByText('done', { exact: true }).waitFor();
    await takePicture(page, 'chat-on-site');
    await button(page, 'Chat').click();
    await page.locator('iframe').waitFor({ state: 'hidden' });
    // A site that is not allowed gets no frame.
    await page.goto(sites[1]!.url);
    await button(page, 'Chat').click();
    await eventually(
      async () => page.frames().map(each => each.url()),
      urls => urls.some(url => url.startsWith('chrome-error:')),
    );
    await context.close();
  }
});
