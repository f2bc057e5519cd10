import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../pages/browser.js';
import { pdf } from '../support/sample-documents.js';
import { startTestService, type TestService } from '../support/service.js';
import { bearer, createLogin } from '../support/sessions.js';
import { accessibilityFaults, openConsole, signInByPassword } from './console-page.js';

const PARTS = ['The return label is in the parcel.', 'Express shipping takes one working day.'];

describeInBrowser('Documents in the console', () => {
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    [browser, service] = await Promise.all([launchBrowser(), startTestService()]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  async function projectOf(name: string) {
    const user = await createLogin(service, name, { name });
    const { body } = await service.rest('POST', '/api/v1/projects/', {
      ...bearer(user.access),
      body: { name: 'Handbooks' },
    });
    return { email: user.email, projectId: (body as { id: number }).id };
  }

  async function search(page: Page, words: string) {
    await page.getByRole('textbox', { name: 'Words', exact: true }).fill(words);
    await button(page, 'Search').click();
  }

  test('a file is uploaded, read, found by a search and no longer found when its chunk is disabled', async () => {
    const { email, projectId } = await projectOf('ada');
    const { page, context, complaints, open } = await openConsole(browser, service, { theme: 'dark', size: 'wide' });
    await signInByPassword(page, service, email);
    await open(`/projects/${projectId}/documents`, 'Add the first file');
    const file = { name: 'handbook.pdf', mimeType: 'application/pdf', buffer: pdf(PARTS) };
    await page.getByLabel('Files to upload').setInputFiles(file);
    await button(page, 'Read text').click();
    await page.getByText(/^\d chunks?$/).waitFor();
    await page.getByRole('link', { name: 'handbook.pdf' }).click();
    await page.getByText('Express shipping').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'Try a search in this file' }).click();
    await search(page, 'express banana');
    await page.locator('mark', { hasText: /^Express$/ }).waitFor();
    await page.getByText('Contains “express”, not “banana”').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'handbook.pdf' }).click();
    await page.getByRole('switch', { name: 'Chunk 1 is enabled' }).waitFor();
    await button(page, 'Disable all').click();
    await page.getByText('All chunks are disabled.').waitFor();
    await open(`/projects/${projectId}/documents/search?q=express`, 'Nothing was found');
    expect(complaints()).toEqual([]);
    await context.close();
  });

  test('filters are in the address, and a failed upload says why', async () => {
    const { email, projectId } = await projectOf('alan');
    const { page, context, open } = await openConsole(browser, service, { theme: 'light', size: 'phone' });
    await signInByPassword(page, service, email);
    await open(`/projects/${projectId}/documents`, 'Add the first file');
    const note = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('A short note.') };
    const isUpload = (headers: Record<string, string>) => headers['content-type']?.startsWith('multipart/') === true;
    await page.route('**/graphql', route => (isUpload(route.request().headers()) ? route.abort() : route.continue()));
    await page.getByLabel('Files to upload').setInputFiles(note);
    await page.getByRole('group', { name: 'Uploads' }).getByText('The service cannot be reached.').waitFor();
    await button(page, 'Dismiss note.txt').click();
    await page.unrouteAll();
    await page.getByLabel('Files to upload').setInputFiles(note);
    await page.getByRole('link', { name: 'note.txt' }).waitFor();
    await open(`/projects/${projectId}/documents?size=large`, 'No file matches the filters');
    await open(`/projects/${projectId}/documents?type=text&size=small`, 'note.txt');
    await context.close();
  });
});
