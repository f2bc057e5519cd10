import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from '@babel/parser';

const ROOT = new URL('../../../../', import.meta.url).pathname;
const SOURCE = /\.(ts|tsx|mjs|js)$/;

/** A regular expression literal, with all its occurrences. */
export interface RegExpLiteral {
  pattern: string;
  flags: string;
  /** `file:line` of each occurrence. */
  locations: string[];
}

/** Returns every regular expression literal in these folders, by its text. */
export function findRegExpLiterals(folders: readonly string[]): Map<string, RegExpLiteral> {
  const found = new Map<string, RegExpLiteral>();
  visitNodes(folders, (node, file) => {
    if (node.type !== 'RegExpLiteral') return;
    const { pattern, flags } = node as unknown as { pattern: string; flags: string };
    const text = `/${pattern}/${flags}`;
    const expression = found.get(text) ?? { pattern, flags, locations: [] };
    expression.locations.push(`${file}:${node.loc?.start.line}`);
    found.set(text, expression);
  });
  return found;
}

/** Returns the files in these folders that call `RegExp`. */
export function findFilesCallingRegExp(folders: readonly string[]): string[] {
  const files = new Set<string>();
  visitNodes(folders, (node, file) => {
    if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return;
    if (node.callee?.type === 'Identifier' && node.callee.name === 'RegExp') files.add(file);
  });
  return [...files];
}

interface Node {
  type: string;
  loc?: { start: { line: number } };
  callee?: { type: string; name?: string };
}

function visitNodes(folders: readonly string[], visit: (node: Node, file: string) => void): void {
  for (const folder of folders) {
    for (const name of readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
      if (!SOURCE.test(name)) continue;
      const file = path.posix.join(folder, name);
      const plugins = ['typescript', 'decorators-legacy', ...(name.endsWith('x') ? ['jsx'] : [])];
      const { program } = parse(readFileSync(path.join(ROOT, file), 'utf8'), {
        sourceType: 'module',
        plugins: plugins as ('typescript' | 'decorators-legacy' | 'jsx')[],
      });
      visitTree(program, node => visit(node, file));
    }
  }
}

function visitTree(value: unknown, visit: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) visitTree(item, visit);
    return;
  }
  if ('type' in value && typeof value.type === 'string') visit(value as Node);
  for (const [key, member] of Object.entries(value)) if (key !== 'loc') visitTree(member, visit);
}
