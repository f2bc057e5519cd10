import { mkdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** One ratio. Both sides were measured in the same run, in turn. */
export interface Figure {
  /** The part of the bench that measured it. */
  bench: string;
  /** The action and its amount. */
  what: string;
  /** The measured quantity with its unit. */
  measure: string;
  ours: number;
  /** The name of the comparison. */
  comparison: string;
  theirs: number;
  /** Our value divided by that of the comparison. */
  ratio: number;
}

export interface Report {
  startedAt: string;
  machine: { cores: number; memoryGb: number; system: string; node: string };
  /** Skipped parts with their reasons, and durations of preparations. */
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

/** Writes the report and returns its path. */
export async function writeReport(report: Report, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `${report.startedAt.replace(/[:.]/g, '-')}.json`);
  await writeFile(file, `${JSON.stringify(report, null, 2)}\n`);
  return file;
}

/** The results as a Markdown table. */
export function tableOf(figures: readonly Figure[]): string {
  const head = ['bench', 'what', 'measure', 'ours', 'comparison', 'theirs', 'ratio'];
  const rows = figures.map(({ bench, what, measure, ours, comparison, theirs, ratio }) => [
    bench,
    what,
    measure,
    formatNumber(ours),
    comparison,
    formatNumber(theirs),
    formatNumber(ratio),
  ]);
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map(row => row[column]!.length)));
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(head), line(widths.map(width => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** Rounds to three significant digits. */
function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '-';
  return Math.abs(value) >= 100 ? value.toFixed(0) : Number(value.toPrecision(3)).toString();
}
