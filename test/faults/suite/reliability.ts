import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OutcomeLine } from './outcome.js';

const BEGIN = '<!-- the table, as the last runs printed it -->';
const END = '<!-- its end -->';
const HEAD = [
  '| Fault | Runs | Succeeded | Lost | Doubled | Paid twice | Recovery p99 | Scale | Seed | Date, cores |',
  '| --- | --: | --: | --: | --: | --: | --: | --: | --: | --- |',
];

/** Replaces the rows of these procedures at the same scale in `docs/reliability.md`. */
export async function writeReliability(lines: readonly OutcomeLine[]): Promise<void> {
  const file = path.join(repository(), 'docs', 'reliability.md');
  const text = await readFile(file, 'utf8');
  const [before, rest] = text.split(BEGIN);
  const [table, after] = (rest ?? '').split(END);
  if (before === undefined || after === undefined) throw new Error(`${file} has no place for the table`);
  const rows = new Map<string, string>();
  for (const row of (table ?? '').trim().split('\n').slice(2)) rows.set(nameOf(row), row);
  for (const line of lines) rows.set(nameOf(rowOf(line)), rowOf(line));
  await writeFile(file, `${before}${BEGIN}\n\n${[...HEAD, ...rows.values()].join('\n')}\n\n${END}${after}`);
}

function nameOf(row: string): string {
  const [, name, scale] = /`([^`]+)`.*\| ([\d.]+) \| \d+ \| [^|]+ \|$/.exec(row) ?? [];
  return name === undefined ? row : `${name} at ${scale}`;
}

function rowOf(line: OutcomeLine): string {
  const cells = [
    `\`${line.procedure}\`: ${line.fault}${line.passed ? '' : ' — **did not pass**'}`,
    ...[line.runs, line.succeeded, line.lost, line.doubled, line.paidTwice],
    line.recoveryP99Ms === null ? '–' : `${(line.recoveryP99Ms / 1_000).toFixed(1)} s`,
    ...[line.scale, line.seed, `${line.date}, ${line.cores}`],
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The root folder of the repository; the compiled suite runs from a build folder. */
function repository(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(folder, 'package.json'))) folder = path.dirname(folder);
  return folder;
}
