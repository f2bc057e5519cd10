// Measures the console in Chromium and prints a table with the limit and the result of each row: npm run measure:console
//
// Ends with code 1 when a limit is missed or a row has no result. `-- --fast` leaves out the visit of every screen in both
// themes and three widths, which takes longest; its rows have no result then and do not count.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const SCREENS = 'test/console/screens';
const isFast = process.argv.includes('--fast');

/** Each row: what is measured, the unit, the limit, the figure that the tests report, and the test that reports it. */
const ROWS = [
  ['Build trigger, if / else, LLM and output by clicks, run it and read the result', 's', '<= 60', 'build-seconds'],
  [
    'Serious and critical violations that axe finds, every screen, both themes, three widths',
    '',
    '<= 0',
    'accessibility-violations',
    SCREENS,
  ],
  ['Lighthouse, performance', '', '>= 90', 'lighthouse-performance'],
  ['Lighthouse, accessibility', '', '>= 100', 'lighthouse-accessibility'],
  ['Lighthouse, best practices', '', '>= 100', 'lighthouse-best-practices'],
  ['Scripts before the first screen, gzip', 'KB', '<= 250', 'shell-kilobytes'],
  ['Canvas of 500 nodes, panned and dragged: frames per second of processor time', '', '>= 50', 'canvas-frames'],
  ['Canvas of 500 nodes, panned and dragged: longest task', 'ms', '<= 100', 'canvas-longest-task'],
  ['Run of 200 nodes, 2,000 events per second: frames per second', '', '>= 50', 'live-frames'],
  ['Run of 200 nodes, 2,000 events per second: longest task', 'ms', '<= 100', 'live-longest-task'],
  ['List of 1,000,000 runs: first page', 's', '<= 1', 'runs-first-page'],
  ['List of 1,000,000 runs: memory after 10,000 rows', 'MB', '<= 60', 'runs-memory'],
  [
    'Missing and repeated events after a restart of the service, 30 s of silence and a killed worker',
    '',
    '<= 0',
    'lost-events',
  ],
  ['Requests to other hosts, errors and warnings of the browser', '', '<= 0', 'complaints'],
].map(([title, unit, limit, figure, test]) => ({ title, unit, limit, figure, isLeftOut: isFast && test === SCREENS }));

const folder = mkdtempSync(path.join(tmpdir(), 'console-figures-'));
const file = path.join(folder, 'figures.jsonl');
const tests = [
  'measures',
  'size',
  'editor\\.test',
  'runs\\.slow\\.test',
  'interrupted',
  ...(isFast ? [] : ['screens']),
];
// One file at a time, because they measure times.
const script = fileURLToPath(new URL('../scripts/test.mjs', import.meta.url));
const args = [script, '--runInBand', `test/console/(${tests.join('|')})`];
const env = { ...process.env, CONSOLE_TEST: 'all', CONSOLE_FIGURES: file };
try {
  await new Promise(resolve => spawn(process.execPath, args, { env, stdio: 'inherit' }).once('exit', resolve));
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(JSON.parse) : [];
  console.log('\n| Measure | Limit | Result | |\n|---|---|---|---|');
  const missed = ROWS.filter(row => !printRow(row, lines));
  console.log(missed.length === 0 ? '\nEvery limit is kept.' : `\nMissed: ${missed.length} of ${ROWS.length} limits.`);
  process.exitCode = missed.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Prints a row of the table, with the worst of the reported values. Returns whether its limit is kept or its test is left out. */
function printRow({ title, unit, limit, figure, isLeftOut }, lines) {
  const values = lines.filter(line => line.figure === figure).map(({ value }) => value);
  const [sign, bound] = limit.split(' ');
  const worst = sign === '<=' ? Math.max(...values) : Math.min(...values);
  const isKept = values.length > 0 && (sign === '<=' ? worst <= Number(bound) : worst >= Number(bound));
  const result = values.length === 0 ? 'no result' : `${Number(worst.toFixed(1))} ${unit}`.trim();
  const words = `${sign === '<=' ? 'at most' : 'at least'} ${bound} ${unit}`.trim();
  console.log(`| ${title} | ${words} | ${result} | ${isKept ? 'kept' : isLeftOut ? 'left out' : 'missed'} |`);
  return isKept || isLeftOut;
}
