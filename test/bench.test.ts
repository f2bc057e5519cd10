import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { measureInRounds, median } from '../bench/load/measurements.js';
import { figureOf, tableOf, writeReport } from '../bench/report.js';
import { runBench } from '../bench/run-bench.js';

describe('the bench', () => {
  it('measures parts that need no other software, with the smallest sizes', async () => {
    const logged: string[] = [];
    const report = await runBench({
      names: ['chat', 'reads', 'growth', 'durable'],
      rounds: 1,
      roundMs: 1,
      isSmoke: true,
      databaseUrl: process.env.TEST_POSTGRES_URL,
      log: line => logged.push(line),
    });
    expect(new Set(report.figures.map(({ bench }) => bench))).toEqual(new Set(['chat', 'reads', 'growth']));
    for (const { ours, theirs, ratio } of report.figures)
      expect([ours, theirs, ratio].every(Number.isFinite)).toBe(true);
    expect(logged).toEqual(expect.arrayContaining([expect.stringContaining('growth: marketplace')]));
    expect(report.notes).toContainEqual(expect.stringContaining('100 published'));
    // Without other software the figures of `durable` are notes. A smoke test has fewer clients than a measurement.
    expect(report.notes).toContainEqual(expect.stringMatching(/^durable: no call, 2 clients: .* runs\/s$/));

    const folder = await mkdtemp(path.join(tmpdir(), 'scenarium-report-'));
    try {
      const file = await writeReport(report, folder);
      expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(report);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('measures the candidates in reverse order in every second round', async () => {
    const order: string[] = [];
    const candidate = (name: string) => async () => order.push(name);
    const measured = await measureInRounds({ a: candidate('a'), b: candidate('b') }, 3);
    expect(order).toEqual(['a', 'b', 'b', 'a', 'a', 'b']);
    expect(measured).toEqual({ a: [1, 4, 5], b: [2, 3, 6] });
  });

  it('takes the median of the measurements', () => {
    expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([7])]).toEqual([2, 2.5, 7]);
    expect(() => median([])).toThrow('at least one value');
  });

  it('shows each figure as a row with its ratio', () => {
    const figure = figureOf({ bench: 'a', what: 'b', measure: 'ms', ours: 1234.5, comparison: 'c', theirs: 100 });
    expect(tableOf([figure])).toMatch(/^\| a +\| b +\| ms +\| 1235 +\| c +\| 100 +\| 12\.3 +\|$/m);
  });
});
