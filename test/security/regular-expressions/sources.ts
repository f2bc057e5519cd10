import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from '@babel/parser';

const ROOT = new URL('../../../../', import.meta.url).pathname;
const SOURCE = /\.(ts|tsx|mjs|js)$/;

export interface Expression {
  pattern: string;
  flags: string;
  /** `file:line` of each occurrence. */
  places: string[];
}

/** Every literal expression below these folders, by its text. */
export function expressionsOf(folders: readonly string[]): Map<string, Expression> {
  const found = new Map<string, Expression>();
  visitNodes(folders, (node, file) => {
    if (node.type !== 'RegExpLiteral') return;
    const { pattern, flags } = node as unknown as { pattern: string; flags: string };
    const text = `/${pattern}/${flags}`;
    const expression = found.get(text) ?? { pattern, flags, places: [] };
    expression.places.push(`${file}:${node.loc?.start.line}`);
    found.set(text, expression);
  });
  return found;
}

/** The files that call `RegExp`. */
export function builtExpressions(folders: readonly string[]): string[] {
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
      walk(program, node => visit(node, file));
    }
  }
}

function walk(value: unknown, visit: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) walk(item, visit);
    return;
  }
  if ('type' in value && typeof value.type === 'string') visit(value as Node);
  for (const [key, member] of Object.entries(value)) if (key !== 'loc') walk(member, visit);
}
