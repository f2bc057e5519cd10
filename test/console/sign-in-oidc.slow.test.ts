import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../pages/browser.js';
import { freePort } from '../support/processes/postgres-server.js';
import { startTestService, type TestService } from '../support/service.js';
import {
  type AuthorizationServer,
  CLIENT,
  startAuthorizationServer,
} from '../support/upstreams/authorization-server.js';
import { openConsole } from './console-page.js';

describeInBrowser('Signing in to the console at an issuer', () => {
  let issuer: AuthorizationServer;
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    // The issuer must know the address of the service before the service starts.
    const port = await freePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    issuer = await startAuthorizationServer(undefined, [`${publicUrl}/console/oidc/callback`]);
    const settings = { issuer: issuer.origin, clientId: CLIENT.id, clientSecret: CLIENT.secret };
    const oidc = { ...settings, name: 'Example', domains: [], createsUsers: false };
    [browser, service] = await Promise.all([launchBrowser(), startTestService({ port, publicUrl, oidc })]);
    await service.createUser('ada');
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await issuer?.stop();
  });

  test('opens the requested screen after the sign-in there, and says why another one failed', async () => {
    const { context, page, complaints } = await openConsole(browser, service, { theme: 'light', size: 'wide' });
    const signIn = async (login: string) => {
      await page.getByRole('link', { name: 'Continue with Example' }).click();
      await page.locator('input[name=login]').fill(login);
      await page.locator('input[name=password]').fill('any');
      await page.locator('button[type=submit]').click();
      // The second page of the issuer asks for consent.
      await page.locator('button[type=submit]').click();
    };
    await page.goto(`${service.url}/account`);
    await signIn('unknown');
    await page.getByText('You have no account here yet.', { exact: false }).waitFor();
    await context.clearCookies();
    await page.goto(`${service.url}/account`);
    await signIn('ada');
    await page.waitForURL('**/account');
    await page.getByText('ada@example.com').first().waitFor();
    await page.reload();
    await page.getByText('ada@example.com').first().waitFor();
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    expect(await page.getByRole('button', { name: 'Change password' }).count()).toBe(0);
    // The pages of the issuer load fonts of another host and have no icon.
    const isOfIssuer = (complaint: string) => /^(foreign: |Failed to load resource)/.test(complaint);
    expect(complaints().filter(complaint => !isOfIssuer(complaint))).toEqual([]);
    await context.close();
  });
});
