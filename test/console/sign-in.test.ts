import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { cli } from '../cli/entry.js';
import { describeInBrowser, launchBrowser, testInConsoleSuite } from '../pages/browser.js';
import { testEnvironment } from '../support/config.js';
import { eventually } from '../support/eventually.js';
import { startTestService, type TestService } from '../support/service.js';
import { createLogin, type Login, PASSWORD } from '../support/sessions.js';
import { type MailServer, startMailServer } from '../support/upstreams/mail-server.js';
import { type ConsolePage, openConsole, signInByPassword } from './console-page.js';

describeInBrowser('Signing in to the console', () => {
  let service: TestService;
  let mail: MailServer;
  let browser: Browser;
  let user: Login;
  beforeAll(async () => {
    mail = await startMailServer();
    const settings = { server: mail.url, from: 'scenarium@example.com' };
    [browser, service] = await Promise.all([
      launchBrowser(),
      startTestService({ mail: settings, publicUrl: 'https://scenarium.example' }),
    ]);
    user = await createLogin(service, 'ada', { name: 'Ada Lovelace' });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await mail?.stop();
  });

  async function inWindow(work: (page: Page, window: ConsolePage) => Promise<void>) {
    const { context, ...window } = await openConsole(browser, service, { theme: 'light', size: 'wide' });
    await work(window.page, window);
    await context.close();
  }
  const awaitSignedIn = (page: Page) => page.getByText('Ada Lovelace').first().waitFor();
  const awaitSignedOut = (page: Page) => page.getByRole('button', { name: 'Sign in' }).waitFor();

  test('a password opens a session that survives reloads and ends with the logout', async () => {
    await inWindow(async (page, { complaints }) => {
      await signInByPassword(page, service, user.email);
      await awaitSignedIn(page);
      await page.reload();
      await awaitSignedIn(page);
      expect(
        await page.evaluate('[document.cookie, ...Object.keys(localStorage), ...Object.keys(sessionStorage)]'),
      ).toEqual(['', expect.stringMatching(/^tsr-scroll-restoration/)]);
      // A token begins with `eyJ`, the base64 of `{"`.
      expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toMatch(/eyJ[\w-]+\./);
      await page.getByText('Ada Lovelace').click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await awaitSignedOut(page);
      await page.reload();
      await awaitSignedOut(page);
      expect(complaints()).toEqual([]);
    });
  });

  testInConsoleSuite('the code of the first screen loads while the session does', async () => {
    await inWindow(async (page, { complaints }) => {
      await signInByPassword(page, service, user.email);
      await awaitSignedIn(page);
      const screen = page.waitForRequest(/\/catalog-screen-[^/]+\.js$/);
      // The session is answered only after the code was requested, so a console that loads one after the other never opens.
      await page.route('**/console/session', async route => {
        await screen;
        await route.continue();
      });
      await page.goto(`${service.url}/catalog`);
      await awaitSignedIn(page);
      expect(complaints()).toEqual([]);
    });
  });

  testInConsoleSuite('a wrong password is refused with a message', async () => {
    await inWindow(async page => {
      await page.goto(`${service.url}/sign-in`);
      await page.getByLabel('Email').fill(user.email);
      await page.getByRole('textbox', { name: 'Password' }).fill(`not ${PASSWORD}`);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('The email or the password is wrong.').waitFor();
    });
  });

  test('an API key signs in until its tab is closed', async () => {
    const { key } = await service.createUser('grace');
    await inWindow(async (page, { complaints }) => {
      await page.goto(`${service.url}/account`);
      await page.getByRole('tab', { name: 'API key' }).click();
      await page.getByRole('textbox', { name: 'API key' }).fill(`${key}\n`);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('Signed in by an API key').waitFor();
      await page.reload();
      await page.getByText('Signed in by an API key').waitFor();
      expect(complaints()).toEqual([]);
    });
  });

  testInConsoleSuite('the one-time link signs in once and leaves the address', async () => {
    const environment = { ...testEnvironment(service.database), PORT: new URL(service.url).port };
    const { stdout } = await cli(['user', 'sign-in-link', '--email', user.email], environment);
    const link = new URL(stdout.trim());
    const address = `${service.url}${link.pathname}?next=/account${link.hash}`;
    await inWindow(async (page, { complaints }) => {
      await page.goto(address);
      await page.waitForURL('**/account');
      await awaitSignedIn(page);
      expect(page.url()).not.toContain('token');
      expect(complaints()).toEqual([]);
    });
    await inWindow(async page => {
      await page.goto(address);
      await page.getByText('The sign-in link is invalid, expired or already used.').waitFor();
    });
  });

  testInConsoleSuite('a link of an administrator sets a new password once', async () => {
    const admin = await createLogin(service, 'grace-admin', { name: 'Grace Hopper', isAdmin: true });
    await createLogin(service, 'lost', { name: 'Lost Password' });
    let link = '';
    await inWindow(async (page, { open, complaints }) => {
      await signInByPassword(page, service, admin.email);
      await open('/admin', 'Lost Password');
      await page.getByRole('button', { name: 'Actions for Lost Password' }).click();
      await page.getByRole('menuitem', { name: 'Create link for a new password' }).click();
      link = (await page.getByRole('group', { name: 'Link' }).textContent()) ?? '';
      await page.getByRole('button', { name: 'Done' }).click();
      expect(complaints()).toEqual([]);
    });
    const fill = async (page: Page) => {
      await page.goto(link);
      await page.getByRole('textbox', { name: 'New password' }).fill('a quite new password');
      await page.getByRole('button', { name: 'Set password' }).click();
    };
    await inWindow(async (page, { complaints }) => {
      await fill(page);
      await page.getByText('Lost Password').first().waitFor();
      expect(page.url()).not.toContain('token');
      expect(complaints()).toEqual([]);
    });
    await inWindow(async page => {
      await fill(page);
      await page.getByText(/The link is invalid, expired or already used/).waitFor();
    });
  });

  test('a forgotten password is set again by a link in an email', async () => {
    const forgetful = await createLogin(service, 'forgetful', { name: 'Forgetful User' });
    let link = '';
    await inWindow(async (page, { complaints }) => {
      await page.goto(`${service.url}/sign-in`);
      await page.getByRole('link', { name: 'Forgot your password?' }).click();
      // The form to sign in has an email too.
      await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
      await page.getByLabel('Email').fill(forgetful.email);
      await page.getByRole('button', { name: 'Send link' }).click();
      await page.getByRole('heading', { name: 'Check your email' }).waitFor();
      const [email] = await eventually(
        async () => mail.received,
        ({ length }) => length > 0,
      );
      // The text of an email is in quoted-printable encoding.
      link =
        /\/reset-password#token=[\w-]{43}/.exec(email!.text.replaceAll('=\r\n', '').replaceAll('=3D', '='))?.[0] ?? '';
      await page.goto(`${service.url}${link}`);
      await page.getByRole('textbox', { name: 'New password' }).fill('a quite new password');
      await page.getByRole('button', { name: 'Set password' }).click();
      await page.getByText('Forgetful User').first().waitFor();
      expect(complaints()).toEqual([]);
    });
  });

  testInConsoleSuite('a session that ended elsewhere leads to the form and back', async () => {
    await inWindow(async page => {
      await signInByPassword(page, service, user.email);
      await awaitSignedIn(page);
      await service.sql('update user_session set ended_at = now() where user_id = $1', [user.id]);
      await page.goto(`${service.url}/account`);
      await awaitSignedOut(page);
      await page.getByLabel('Email').fill(user.email);
      await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('Change password').first().waitFor();
    });
  });
});
