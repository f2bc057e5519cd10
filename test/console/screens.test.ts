import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { Config } from '../../src/platform/config/config.js';
import { describeInBrowser, isConsoleSuite, launchBrowser, takePicture } from '../pages/browser.js';
import { startTestService, type TestService } from '../support/service.js';
import {
  accessibilityFaults,
  type ConsoleWindow,
  createSample,
  openConsole,
  overflowWidth,
  type Sample,
  signInByPassword,
} from './console-page.js';
import { reportFigure } from './measures/figures.js';
import { SCREENS } from './screens.js';

const ALL: ConsoleWindow[] = (['light', 'dark'] as const).flatMap(theme => [
  { theme, size: 'wide' },
  { theme, size: 'tablet' },
  { theme, size: 'phone' },
]);
/** The timeout of one window, which visits more than 50 screens. */
const MAX_MS = 600_000;
/** `npm run test:console` visits every screen in six windows; `npm test` visits some in one. */
const windows: ConsoleWindow[] = isConsoleSuite ? ALL : [{ theme: 'light', size: 'wide' }];
const only = process.env.CONSOLE_SCREENS?.split(',');
const smoke = ['home', 'workflows', 'versions', 'versions-compare', 'not-found'];
const screens = SCREENS.filter(({ name }) =>
  (only ?? (isConsoleSuite ? SCREENS.map(one => one.name) : smoke)).includes(name),
);
/** Ways of signing in that the screen offers. The test uses none of them, so the servers need not exist. */
const SIGN_IN: Partial<Config> = {
  publicUrl: 'https://scenarium.example',
  mail: { server: 'smtp://127.0.0.1:1?tls=none', from: 'scenarium@example.com' },
  oidc: {
    ...{ issuer: 'https://sso.example', clientId: 'console', clientSecret: 'none', name: 'Example' },
    ...{ domains: [], createsUsers: false },
  },
};

describeInBrowser('The screens of the console', () => {
  let service: TestService;
  let browser: Browser;
  let sample: Sample;
  beforeAll(async () => {
    [browser, service] = await Promise.all([launchBrowser(), startTestService(SIGN_IN)]);
    sample = await createSample(service);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  test.each(windows)(
    'load without errors and are accessible: $theme, $size',
    async window => {
      const { page, context, complaints, open } = await openConsole(browser, service, window);
      const faults: string[] = [];
      const inspect = async (name: string) => {
        for (const fault of await accessibilityFaults(page)) faults.push(`${name}: ${fault}`);
        const overflow = await overflowWidth(page);
        if (overflow > 0) faults.push(`${name}: the page is ${overflow} px wider than the window`);
        await takePicture(page, `${name}-${window.theme}-${window.size}`);
      };
      await open('/sign-in', 'Sign in');
      await page.getByText('Continue with Example').waitFor();
      await inspect('sign-in');
      await open('/forgot-password', 'Send link');
      await inspect('forgot-password');
      await open('/reset-password#token=none', 'New password');
      await inspect('reset-password');
      await signInByPassword(page, service, sample.email);
      for (const { name, path: template, shows } of screens) {
        const address = template.replaceAll(/\{(\w+)\}/g, (_, id: keyof Sample) => String(sample[id]));
        await open(address, shows);
        await inspect(name);
      }
      await context.close();
      reportFigure('accessibility-violations', faults.length);
      reportFigure('complaints', complaints().length);
      expect(faults).toEqual([]);
      expect(complaints()).toEqual([]);
    },
    MAX_MS,
  );
});
