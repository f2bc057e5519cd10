import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** The text of a documentation page of the repository. */
export function readPage(name: string): string {
  return readFileSync(path.join(ROOT, name), 'utf8');
}

export function isThere(name: string): boolean {
  return existsSync(path.join(ROOT, name));
}

export interface Block {
  language: string;
  text: string;
  /** Line of its first fence, from 1. */
  line: number;
}

/** The fenced blocks of a page in their order. */
export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  let open: { language: string; line: number; lines: string[] } | undefined;
  for (const [index, line] of markdown.split('\n').entries()) {
    const fence = /^```(\S*)$/.exec(line);
    if (open && fence) {
      blocks.push({ language: open.language, line: open.line, text: open.lines.join('\n') });
      open = undefined;
    } else if (open) open.lines.push(line);
    else if (fence) open = { language: fence[1] ?? '', line: index + 1, lines: [] };
  }
  if (open) throw new Error(`the block that begins in line ${open.line} has no end`);
  return blocks;
}

/** The section below a heading, up to the next heading of the same level. */
export function section(markdown: string, heading: string): string {
  const rank = /^#+/.exec(heading)?.[0] ?? '';
  const from = markdown.indexOf(`\n${heading}\n`);
  if (from === -1) throw new Error(`there is no heading "${heading}"`);
  const below = markdown.slice(from + heading.length + 2);
  const end = below.search(new RegExp(`^${rank} `, 'm'));
  return end === -1 ? below : below.slice(0, end);
}

/** The tables of a page, each a list of rows without the head; cells are trimmed. */
export function tablesOf(markdown: string): string[][][] {
  const tables: string[][][] = [];
  let table: string[][] | undefined;
  for (const line of markdown.split('\n')) {
    if (!line.startsWith('|')) {
      table = undefined;
      continue;
    }
    const cells = line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map(cell => cell.trim().replaceAll('\\|', '|'));
    if (table) table.push(cells);
    else {
      table = [];
      tables.push(table);
    }
  }
  return tables.map(rows => rows.filter(cells => !cells.every(cell => /^:?-+:?$/.test(cell))));
}

/** The text of a cell that contains only code. */
export function code(cell: string | undefined): string {
  const [, fence = '', text = ''] = /^(`+)(.*?)\1$/.exec(cell ?? '') ?? [];
  if (fence === '') throw new Error(`not a cell of code: ${cell}`);
  return text;
}

/**
 * The differences between a response and the documented one. A documented text `…` matches any text, a documented
 * member `…` any further members.
 */
export function differences(actual: unknown, shown: unknown, at = 'answer'): string[] {
  if (shown === '…') return typeof actual === 'string' ? [] : [`${at} is not a text`];
  if (Array.isArray(shown)) {
    if (!Array.isArray(actual)) return [`${at} is not a list`];
    if (actual.length !== shown.length) return [`${at} has ${actual.length} items, shown are ${shown.length}`];
    return shown.flatMap((item, index) => differences(actual[index], item, `${at}.${index}`));
  }
  if (typeof shown === 'object' && shown !== null) {
    if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return [`${at} is not an object`];
    const given = actual as Record<string, unknown>;
    const { '…': more, ...members } = shown as Record<string, unknown>;
    const hidden = more === undefined ? Object.keys(given).filter(name => !Object.hasOwn(members, name)) : [];
    return [
      ...hidden.map(name => `${at}.${name} is not shown`),
      ...Object.entries(members).flatMap(([name, member]) => differences(given[name], member, `${at}.${name}`)),
    ];
  }
  return Object.is(actual, shown) ? [] : [`${at} is ${JSON.stringify(actual)}, shown is ${JSON.stringify(shown)}`];
}
