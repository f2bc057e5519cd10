import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../pages/browser.js';
import { eventually } from '../../support/eventually.js';
import { startTestService, type TestService } from '../../support/service.js';
import { createSample, openConsole, type Sample, signInByPassword } from '../console-page.js';
import { describeMeasure } from './describe-measure.js';
import { reportFigure } from './figures.js';

const RUNS = 1_000_000;
const SCROLLED = 10_000;
/** How often the first page is loaded. */
const LOADS = 3;
/** In bytes. It is not 0, because the loaded rows stay in the cache. */
const MAX_GROWTH = 60e6;

/** One run per 20 seconds: 230 days. */
const insertRuns = (project: number, workflow: number) => `
  insert into workflow_run (id, project_id, workflow_id, revision_id, state, sequence, cost_usd, created_at, updated_at,
                            run_started_at, run_finished_at)
  select ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${project}, ${workflow}, revision_id,
         case when n % 50 = 0 then 'failed' else 'succeeded' end, 5, 0.001, at, at, at, at + interval '2 seconds'
    from workflow, generate_series(1, ${RUNS}) n,
         lateral (select date_trunc('milliseconds', now()) - n * interval '20 seconds' as at) _
   where workflow.id = ${workflow}`;

/** The newest inserted run, as the table shows its id. */
const NEWEST_RUN = '00000001';

/** Pixels. */
const ROW_HEIGHT = 44;
const scrollTo = (top: number | string) => `{
  const area = document.querySelector('[role=region][aria-label="Runs"]');
  area.scrollTo(0, ${top});
}`;

/** The last eight characters of the id in each drawn row; empty while a row is loading. */
const SHOWN = `(() => {
  const rows = [...document.querySelectorAll('[role=region][aria-label="Runs"] tbody tr')];
  const ids = rows.filter(row => row.cells.length > 1).map(row => row.cells[row.cells.length - 1].textContent);
  const isLoading = rows.some(row => row.querySelector('.mantine-Skeleton-root'));
  return isLoading ? '' : ids.join(' ');
})()`;

describeMeasure(`A list of ${RUNS.toLocaleString('en')} runs`, () => {
  let service: TestService;
  let browser: Browser;
  let sample: Sample;
  beforeAll(async () => {
    [browser, service] = await Promise.all([launchBrowser(), startTestService()]);
    sample = await createSample(service);
    await service.sql(insertRuns(Number(sample.project), Number(sample.workflow)));
    // As autovacuum does after so many inserts: a count then reads the index only.
    await service.sql('vacuum analyze workflow_run');
  }, 600_000);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const timed = async (title: string, work: () => Promise<unknown>) => {
    const began = performance.now();
    await work();
    const milliseconds = performance.now() - began;
    process.stderr.write(`runs table, ${title}: ${Math.round(milliseconds)} ms\n`);
    return milliseconds;
  };
  const heapOf = async (page: Page) => {
    const session = await page.context().newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    await session.detach();
    return usedSize;
  };

  test('opens, filters and scrolls with few drawn rows and bounded memory', async () => {
    const { page, context, open, complaints } = await openConsole(browser, service, { theme: 'light', size: 'wide' });
    await signInByPassword(page, service, sample.email);
    const runs = `/projects/${sample.project}/runs`;
    const firstPages: number[] = [];
    while (firstPages.length < LOADS) {
      await open(`/projects/${sample.empty}/runs`, 'Nothing has run yet');
      firstPages.push(await timed('first page', () => open(runs, NEWEST_RUN)));
    }
    // The sample has three runs more.
    await timed('count after the first page', () => page.getByText('1,000,003').waitFor());
    // The median, because one load can take half a second more while the machine does something else.
    reportFigure('runs-first-page', firstPages.sort((a, b) => a - b)[Math.floor(LOADS / 2)]! / 1_000);
    // Every 50th run has failed.
    await timed('only failed runs', () => open(`${runs}?states=FAILED`, '20,000'));
    await open(runs, '1,000,003');
    const before = await heapOf(page);
    const area = page.getByRole('region', { name: 'Runs' });
    const rowCount = async () => Number(await area.getByRole('table').getAttribute('aria-rowcount'));
    await timed(`scrolled over ${SCROLLED.toLocaleString('en')} rows`, async () => {
      for (let loaded = await rowCount(); loaded < SCROLLED; loaded = await rowCount()) {
        await page.evaluate(scrollTo('area.scrollHeight'));
        await eventually(rowCount, count => count > loaded);
      }
    });
    const drawn = await area.getByRole('row').count();
    const growth = (await heapOf(page)) - before;
    process.stderr.write(`runs table: ${drawn} rows drawn, ${(growth / 1e6).toFixed(1)} MB more memory\n`);
    reportFigure('runs-memory', growth / 1e6);
    reportFigure('complaints', complaints().length);
    expect(drawn).toBeLessThan(100);
    expect(growth).toBeLessThan(MAX_GROWTH);
    await timed('back in the middle, and at the start', async () => {
      // The number of an inserted run that is among the rows drawn from the index on.
      for (const [index, number] of [
        [SCROLLED / 2, 5_003],
        [0, 1],
      ] as const) {
        await page.evaluate(scrollTo(index * ROW_HEIGHT));
        const wanted = number.toString(16).padStart(8, '0');
        await eventually(
          () => page.evaluate<string>(SHOWN),
          ids => ids.split(' ').includes(wanted),
        );
      }
    });
    await timed('home with counts and sums', () => open(`/projects/${sample.project}`, 'Recent runs'));
    await timed('costs of 12 months', () => open(`/projects/${sample.project}/costs?range=12m`, 'Ended runs'));
    expect(complaints()).toEqual([]);
    await context.close();
  }, 600_000);
});
