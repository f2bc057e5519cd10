import { afterAll, beforeAll, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../pages/browser.js';
import { testEnvironment } from '../support/config.js';
import { eventually } from '../support/eventually.js';
import { expireJobs } from '../support/jobs/expire-jobs.js';
import { startProcess } from '../support/processes/process.js';
import { startTcpProxy, type TcpProxy } from '../support/processes/tcp-proxy.js';
import { startTestService, type TestService } from '../support/service.js';
import { type StubUpstream, startStubUpstream } from '../support/upstreams/stub-upstream.js';
import { openConsole, signInByPassword } from './console-page.js';
import { expectAllEvents } from './measures/run-events.js';
import { createRunSample, type RunSample, respondWithRefundCall } from './run-sample.js';

/** How long the network stays silent. */
const SILENCE_MS = 30_000;

/** The service runs as two processes: this one answers the console, workers execute runs. */
describeInBrowser('A run that is watched through interruptions', () => {
  let upstream: StubUpstream;
  let service: TestService;
  let proxy: TcpProxy;
  let browser: Browser;
  let sample: RunSample;
  let environment: Record<string, string>;
  beforeAll(async () => {
    upstream = await startStubUpstream();
    const openai = { baseUrl: upstream.url, apiKey: 'k' };
    const settings = { role: 'api' as const, openai, outboundAllow: ['127.0.0.1'] };
    [browser, service] = await Promise.all([launchBrowser(), startTestService(settings)]);
    proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(service.url).port) });
    environment = {
      ...testEnvironment(service.database),
      ROLE: 'worker',
      OPENAI_BASE_URL: upstream.url,
      OPENAI_API_KEY: 'k',
      OUTBOUND_ALLOW: '127.0.0.1',
    };
    sample = await createRunSample(() => service, upstream);
    respondWithRefundCall(upstream);
  });
  afterAll(async () => {
    await browser?.close();
    await proxy?.cut();
    await service?.stop();
    await upstream?.stop();
  });

  /** Opens the events of a run in a browser that reaches the service through the proxy. */
  async function watch(run: string) {
    const behindProxy = { ...service, url: `http://127.0.0.1:${proxy.port}` };
    const { page, context, open } = await openConsole(browser, behindProxy, { theme: 'light', size: 'wide' });
    await signInByPassword(page, behindProxy, sample.email);
    await open(`/projects/${sample.project}/runs/${run}?tab=events`, 'Refund agent');
    return { page, context };
  }

  test('shows every event once after the network was silent for 30 seconds', async () => {
    const worker = await startProcess(environment);
    try {
      const run = await sample.start('refund', { complaint: 'My parcel arrived broken.' });
      await sample.awaitState(run, 'WAITING');
      const { page, context } = await watch(run);
      await page.getByRole('region', { name: 'Events' }).getByText('Refund agent waiting').waitFor();
      proxy.dropAll();
      const silentSince = Date.now();
      await sample.approve(run);
      await sample.awaitState(run, 'SUCCEEDED');
      await page.getByText(/Connection lost/).waitFor();
      await page.waitForTimeout(SILENCE_MS - (Date.now() - silentSince));
      await proxy.restore();
      await expectAllEvents(page);
      await page.getByText(/Connection lost/).waitFor({ state: 'detached' });
      await context.close();
    } finally {
      await worker.end();
    }
  });

  test('shows every event once after the worker of the run was killed', async () => {
    const victim = await startProcess(environment);
    const run = await sample.start('refund', { complaint: 'The cup is cracked.' });
    await sample.awaitState(run, 'WAITING');
    const { page, context } = await watch(run);
    await page.getByRole('region', { name: 'Events' }).getByText('Refund agent waiting').waitFor();
    const answer = upstream.hold();
    await sample.approve(run);
    await answer.arrived;
    await victim.end('SIGKILL');
    answer.release();
    const worker = await startProcess(environment);
    try {
      await expireJobs(service);
      await eventually(
        () => sample.state(run),
        state => state === 'SUCCEEDED',
      );
      await expectAllEvents(page);
      await context.close();
    } finally {
      await worker.end();
    }
  });
});
