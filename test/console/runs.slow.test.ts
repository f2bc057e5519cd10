import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, isConsoleSuite, launchBrowser, takePicture } from '../pages/browser.js';
import { eventually } from '../support/eventually.js';
import { startTestService, type TestService } from '../support/service.js';
import { type StubUpstream, startStubUpstream } from '../support/upstreams/stub-upstream.js';
import {
  accessibilityFaults,
  type ConsolePage,
  type ConsoleWindow,
  openConsole,
  overflowWidth,
  signInByPassword,
} from './console-page.js';
import { expectAllEvents } from './measures/run-events.js';
import { createRunSample, type RunSample, respondWithRefundCall } from './run-sample.js';

const LIGHT: ConsoleWindow = { theme: 'light', size: 'wide' };

describeInBrowser('Runs and approvals in the console', () => {
  let upstream: StubUpstream;
  let service: TestService;
  let browser: Browser;
  let sample: RunSample;
  const settings = () => ({ openai: { baseUrl: upstream.url, apiKey: 'k' }, outboundAllow: ['127.0.0.1'] });
  beforeAll(async () => {
    upstream = await startStubUpstream();
    [browser, service] = await Promise.all([launchBrowser(), startTestService(settings())]);
    sample = await createRunSample(() => service, upstream);
    respondWithRefundCall(upstream);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await upstream?.stop();
  });

  async function inWindow(window: ConsoleWindow, work: (page: Page, opened: ConsolePage) => Promise<void>) {
    const { context, ...opened } = await openConsole(browser, service, window);
    await signInByPassword(opened.page, service, sample.email);
    await work(opened.page, opened);
    await context.close();
  }
  const address = (rest: string) => `/projects/${sample.project}/${rest}`;
  const headState = (page: Page, state: string) =>
    page.locator('main').getByText(state, { exact: true }).first().waitFor();

  test('a run is watched live across a restart, without a missing or repeated event', async () => {
    const run = await sample.start('refund', { complaint: 'My parcel arrived broken.' });
    await sample.awaitState(run, 'WAITING');
    await inWindow(LIGHT, async (page, { open }) => {
      await open(address(`runs/${run}?tab=events`), 'Refund agent');
      await headState(page, 'Waiting');
      await page.getByRole('region', { name: 'Events' }).getByText('Refund agent waiting').waitFor();
      const { port } = new URL(service.url);
      await service.stop();
      await page.getByText(/Connection lost/).waitFor();
      service = await startTestService({ ...settings(), port: Number(port) }, service.database);
      await page.getByText(/Connection lost/).waitFor({ state: 'detached' });
      await sample.approve(run);
      await headState(page, 'Succeeded');
      await expectAllEvents(page);
    });
  });

  test('a run is forked from a node with another input and compared with the original', async () => {
    const run = await sample.start('answer', { question: 'Where is my parcel?', urgent: 'no' });
    await sample.awaitState(run, 'SUCCEEDED');
    await inWindow(LIGHT, async (page, { open, complaints }) => {
      await open(address(`runs/${run}`), 'Write an answer');
      await page.getByRole('button', { name: 'Write an answer', exact: true }).click();
      await page
        .getByRole('region', { name: 'Input' })
        .getByText(/Where is my parcel/)
        .waitFor();
      await page.getByRole('button', { name: 'Fork from here' }).click();
      await page.getByRole('textbox', { name: 'Question' }).fill('When does it arrive?');
      await page.getByRole('button', { name: 'Show effects' }).click();
      await page.getByRole('table', { name: 'Effects' }).waitFor();
      await page.getByRole('button', { name: 'Fork', exact: true }).click();
      await page.waitForURL(url => url.pathname.includes('/runs/') && !url.pathname.endsWith(run));
      await headState(page, 'Succeeded');
      await page.getByText('Forked from').waitFor();
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Repair and continue' }).click();
      const repair = page.getByRole('dialog');
      await repair.getByRole('table', { name: 'Effects' }).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await repair.getByRole('button', { name: 'Close' }).click();
      await repair.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Compare with another run' }).click();
      await page.getByRole('textbox', { name: 'Id of a run' }).fill(run);
      await page.getByRole('textbox', { name: 'Id of a run' }).press('Enter');
      await page.getByRole('heading', { name: 'Compare runs' }).waitFor();
      await page.getByText('First difference').first().waitFor();
      await page.getByRole('region', { name: 'Input' }).getByText('When does it arrive?').waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(complaints()).toEqual([]);
    });
  });

  test('a request of an agent appears in the open inbox and is approved', async () => {
    await inWindow(LIGHT, async (page, { open, complaints }) => {
      await open(address('approvals'), 'Nothing waits for you');
      const run = await sample.start('refund', { complaint: 'The cup is cracked.' });
      const request = page.getByRole('article', { name: 'Call pay_refund' });
      await request.getByText('Ada Lovelace').waitFor();
      await request.getByText('Pays money back.').waitFor();
      await request.getByRole('button', { name: 'Approve' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'amount' }).fill('20');
      await dialog.getByRole('textbox', { name: 'Comment' }).fill('Shipping is not paid back.');
      const changes = dialog.getByRole('region', { name: 'Changes' });
      await changes.getByText('24.9').waitFor();
      await changes.getByText('20', { exact: true }).waitFor();
      await takePicture(page, 'approve-dialog');
      expect(await accessibilityFaults(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Approve with changes' }).click();
      await page.getByText('Nothing waits for you').waitFor();
      await sample.awaitState(run, 'SUCCEEDED');
      expect(JSON.parse(upstream.calls.findLast(({ path: at }) => at === '/refunds')?.body ?? '')).toEqual({
        amount: 20,
      });

      await page.getByText('Decided', { exact: true }).click();
      const decided = page.getByRole('article', { name: 'Call pay_refund' }).first();
      await decided.getByText(/Grace Hopper approved/).waitFor();
      await decided.getByText('“Shipping is not paid back.”').waitFor();
      await open(address(`runs/${run}?node=${await nodeOf(run, 'agent-node')}`), 'Grace Hopper approved');
      expect(complaints()).toEqual([]);
    });
  });

  test('a request disappears from the open inbox with its run', async () => {
    await inWindow(LIGHT, async (page, { open, complaints }) => {
      await open(address('approvals'), 'Nothing waits for you');
      const run = await sample.start('refund', { complaint: 'The box is empty.' });
      await page.getByRole('article', { name: 'Call pay_refund' }).waitFor();
      await service.graphql('mutation ($id: UUID!) { workflowRunCancel(id: $id) { workflowRun { id } } }', { id: run });
      await page.getByText('Nothing waits for you').waitFor();
      expect(complaints()).toEqual([]);
    });
  });

  test('runs are found by their tags and by a text', async () => {
    const run = await sample.start('answer', { question: 'Do you ship "fragile" vases?', urgent: 'yes' });
    await sample.awaitState(run, 'SUCCEEDED');
    await inWindow(LIGHT, async (page, { open, complaints }) => {
      await open(address(`runs/${run}`), 'Write an answer');
      const tags = page.getByRole('combobox', { name: 'Tags' });
      await tags.fill('vases');
      await tags.press('Enter');
      await tags.fill('shipping');
      await tags.press('Enter');
      await eventually(
        () => service.sql('select tag from workflow_run_tag where run_id = $1 order by tag', [run]),
        rows => rows.map(({ tag }) => tag).join() === 'shipping,vases',
      );
      expect(await accessibilityFaults(page)).toEqual([]);
      const rows = page.getByRole('region', { name: 'Runs' }).getByRole('row');
      await open(address('runs?tags=["shipping","vases"]'), 'Answer questions');
      await eventually(
        () => rows.count(),
        count => count === 2,
      );
      expect(await accessibilityFaults(page)).toEqual([]);
      await takePicture(page, 'runs-by-tag');
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.getByRole('textbox', { name: 'Text' }).fill('"FRAGILE" vases');
      await page.waitForURL(/text=/);
      await eventually(
        () => rows.count(),
        count => count === 2,
      );
      await page.getByRole('textbox', { name: 'Text' }).fill('no run has this');
      await page.getByText('No run matches the filters').waitFor();
      expect(complaints()).toEqual([]);
    });
  });

  test('runs are filtered by the address, selected and cancelled together', async () => {
    const runs = [
      await sample.start('refund', { complaint: 'One.' }),
      await sample.start('refund', { complaint: 'Two.' }),
    ];
    for (const run of runs) await sample.awaitState(run, 'WAITING');
    await inWindow(LIGHT, async (page, { open, complaints }) => {
      await open(address('runs?states=["WAITING"]'), 'Refund with approval');
      await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check();
      await page.getByRole('button', { name: 'Cancel 2' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel runs' }).click();
      await page.getByText('No run matches the filters').waitFor();
      for (const run of runs) await sample.awaitState(run, 'CANCELLED');
      expect(complaints()).toEqual([]);
    });
  });

  // `npm run test:console` visits the screens in six windows; other commands visit them in one.
  const sizes = isConsoleSuite ? (['wide', 'tablet', 'phone'] as const) : (['wide'] as const);
  const windows = (isConsoleSuite ? (['light', 'dark'] as const) : (['dark'] as const)).flatMap(theme =>
    sizes.map(size => ({ theme, size })),
  );
  test.each(windows)('the screens are accessible and fit the window: $theme, $size', async ({ theme, size }) => {
    const waiting = await sample.start('refund', { complaint: 'My parcel arrived broken.' });
    const orders = await sample.start('orders');
    const broken = await sample.start('broken');
    await Promise.all([
      sample.awaitState(waiting, 'WAITING'),
      sample.awaitState(orders, 'SUCCEEDED'),
      sample.awaitState(broken, 'FAILED'),
    ]);
    const faults: string[] = [];
    await inWindow({ theme, size: size === 'tablet' ? 'wide' : size }, async (page, { open, complaints }) => {
      if (size === 'tablet') await page.setViewportSize({ width: 900, height: 1100 });
      const inspect = async (name: string, rest: string, shows: string) => {
        await open(address(rest), shows);
        for (const fault of await accessibilityFaults(page)) faults.push(`${name}: ${fault}`);
        const overflow = await overflowWidth(page);
        if (overflow > 0) faults.push(`${name}: the page is ${overflow} px wider than the window`);
        await takePicture(page, `${name}-${theme}-${size}`);
      };
      await inspect('runs-list', 'runs', 'Report the stock');
      await inspect('runs-filtered', 'runs?states=["DRAFT"]', 'No run matches');
      await inspect('approvals-inbox', 'approvals', 'Call pay_refund');
      await inspect('run-loop', `runs/${orders}`, 'For each customer');
      await inspect('run-waiting', `runs/${waiting}?node=${await nodeOf(waiting, 'agent-node')}`, 'Call pay_refund');
      await inspect('run-failed', `runs/${broken}?node=${await nodeOf(broken, 'http-node')}`, 'Attempts');
      await inspect('run-events', `runs/${orders}?tab=events`, 'Run succeeded');
      await inspect('run-charges', `runs/${waiting}?tab=ledger`, 'Charge');
      expect(complaints()).toEqual([]);
    });
    await service.graphql('mutation ($id: UUID!) { workflowRunCancel(id: $id) { errors { code } } }', { id: waiting });
    expect(faults).toEqual([]);
  });

  async function nodeOf(run: string, type: string): Promise<string> {
    const { data } = await service.graphql('query ($id: UUID!) { workflowRun(id: $id) { data } }', { id: run });
    return data.workflowRun.data.nodes.find((one: { type: string }) => one.type === type).id;
  }
});
