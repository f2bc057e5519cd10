import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
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
      const file = path.join(mkdtempSync(path.join(tmpdir(), 'lighthouse-')), 'report.json');
      const options = [
        `${service.url}${screen}`,
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
      expect(existsSync(file)).toBe(true);
      const { categories, audits } = JSON.parse(readFileSync(file, 'utf8'));
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
