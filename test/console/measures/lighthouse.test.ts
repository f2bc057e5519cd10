import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chromiumPath } from '../../pages/browser.js';
import { startTestService, type TestService } from '../../support/service.js';
import { describeMeasure } from './describe-measure.js';
import { reportFigure } from './figures.js';

/** Lighthouse has 200 packages. It is downloaded when it is used, and is not a dependency of the project. */
const PACKAGE = 'lighthouse@12.8.2';
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
/** The screens for visitors who are not signed in. */
const SCREENS = ['/sign-in', '/marketplace'];

/** The score of one run varies by 10 points with the load of the machine. Lighthouse recommends the median of several runs. */
const RUNS = 3;

interface Report {
  categories: Record<(typeof CATEGORIES)[number], any>;
  audits: Record<string, any>;
}

const performanceOf = ({ categories }: Report): number => categories.performance.score;

/** Runs Lighthouse for a screen, and again if it recorded no start of the navigation, as its message asks. */
async function reportOf(url: string): Promise<Report> {
  try {
    return await runLighthouse(url);
  } catch (error) {
    if (!String(error).includes('NO_NAVSTART')) throw error;
    return runLighthouse(url);
  }
}

async function runLighthouse(url: string): Promise<Report> {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'lighthouse-')), 'report.json');
  const options = [
    url,
    '--quiet',
    '--preset=desktop',
    '--output=json',
    `--output-path=${file}`,
    `--only-categories=${CATEGORIES.join()}`,
    '--chrome-flags=--headless=new --no-sandbox --disable-dev-shm-usage',
  ];
  await promisify(execFile)('npm', ['exec', '--yes', `--package=${PACKAGE}`, '--', 'lighthouse', ...options], {
    env: { ...process.env, CHROME_PATH: chromiumPath() ?? '' },
  });
  return JSON.parse(readFileSync(file, 'utf8'));
}

describeMeasure('Lighthouse', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(async () => {
    await service?.stop();
  });

  test.each(SCREENS)(
    'gives full points for accessibility and best practices: %s',
    async screen => {
      const reports = [];
      for (let nth = 0; nth < RUNS; nth++) reports.push(await reportOf(`${service.url}${screen}`));
      const { categories, audits } = reports.toSorted((a, b) => performanceOf(a) - performanceOf(b))[RUNS >> 1]!;
      const scores = Object.fromEntries(CATEGORIES.map(name => [name, Math.round(categories[name].score * 100)]));
      for (const name of CATEGORIES) reportFigure(`lighthouse-${name}`, scores[name] ?? 0);
      process.stderr.write(`lighthouse, ${screen}: ${CATEGORIES.map(name => `${name} ${scores[name]}`).join(', ')}\n`);
      const required = [categories.accessibility, categories['best-practices']].flatMap(({ auditRefs }) => auditRefs);
      const lost = required.filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 1);
      expect(lost.map(({ id }) => `${id}: ${JSON.stringify(audits[id].details?.items)}`)).toEqual([]);
      expect(scores).toMatchObject({ accessibility: 100, 'best-practices': 100 });
    },
    600_000,
  );
});
