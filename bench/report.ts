import { mkdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** One ratio: both sides were measured in one run, in turn. */
export interface Figure {
  /** The part of the bench that measured it. */
  bench: string;
  /** What was done, to how much. */
  what: string;
  /** What was measured, with its unit. */
  measure: string;
  ours: number;
  /** Beside what. */
  beside: string;
  theirs: number;
  /** ours / theirs. */
  ratio: number;
}

export interface Report {
  startedAt: string;
  machine: { cores: number; memoryGb: number; system: string; node: string };
  /** What was left out and why, and how long preparations took. */
  notes: string[];
  figures: Figure[];
}

export function figureOf(figure: Omit<Figure, 'ratio'>): Figure {
  return { ...figure, ratio: figure.ours / figure.theirs };
}

export function machine(): Report['machine'] {
  return {
    cores: os.availableParallelism(),
    memoryGb: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.platform()} ${os.arch()}`,
    node: process.version,
  };
}

/** Writes the report and answers where. */
export async function writeReport(report: Report, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `${report.startedAt.replace(/[:.]/g, '-')}.json`);
  await writeFile(file, `${JSON.stringify(report, null, 2)}\n`);
  return file;
}

/** The figures as a table of Markdown. */
export function tableOf(figures: readonly Figure[]): string {
  const head = ['bench', 'what', 'measure', 'ours', 'beside', 'theirs', 'ratio'];
  const rows = figures.map(({ bench, what, measure, ours, beside, theirs, ratio }) => [
    bench,
    what,
    measure,
    shown(ours),
    beside,
    shown(theirs),
    shown(ratio),
  ]);
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map(row => row[column]!.length)));
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(head), line(widths.map(width => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** Three digits that matter. */
function shown(value: number): string {
  if (!Number.isFinite(value)) return '-';
  return Math.abs(value) >= 100 ? value.toFixed(0) : Number(value.toPrecision(3)).toString();
}
