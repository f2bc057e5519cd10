import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, expect, it } from '@jest/globals';
import { bySourceLines, withSourceLines } from '../../src/platform/logging/source-lines.js';
import { readPage } from '../support/readme/readme.js';

// In the folder of the compiled code, because no other maps are read.
const folder = mkdtempSync(fileURLToPath(new URL('./maps-', import.meta.url)));
afterAll(() => rmSync(folder, { recursive: true }));

/** The path of a compiled file with this map. */
function compiled(name: string, map?: string): string {
  const file = path.join(folder, name);
  if (map !== undefined) writeFileSync(`${file}.map`, map);
  return pathToFileURL(file).href;
}

/** Columns 0-9 are line 3 of one.ts, 10-19 a library’s, 20 and on line 4 of two.ts. */
const MAP = JSON.stringify({
  version: 3,
  sources: ['../one.ts', '../two.ts'],
  names: [],
  mappings: 'AAEA,U,UCCA',
});

it('reports an error of compiled code with the line of its source', () => {
  const config = new URL('../../src/platform/config/config.js', import.meta.url).href;
  const lines = new URL('../../src/platform/logging/source-lines.js', import.meta.url).href;
  // Without the flag that makes Node map the lines itself.
  const script = `
    const { bySourceLines } = await import(${JSON.stringify(lines)});
    const { readConfig } = await import(${JSON.stringify(config)});
    try { readConfig({ PORT: 'abc' }); } catch (error) { console.log(error.stack + '|' + bySourceLines(error.stack)); }`;
  const mapped = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  const [before = '', after = ''] = mapped.split('|');
  const line =
    readPage('src/platform/config/config.ts')
      .split('\n')
      .findIndex(text => text.includes('throw new ConfigError')) + 1;
  expect(before).toContain(`${config}:`);
  expect(after).toContain(`src/platform/config/config.ts:${line})`);
  expect(after).not.toContain(config);
});

it.each([
  ['a call', (file: string) => `    at run (${file}:1:3)`, `    at run (${path.resolve(folder, '../one.ts')}:3)`],
  [
    'an async call',
    (file: string) => `    at async ${file}:1:25`,
    `    at async ${path.resolve(folder, '../two.ts')}:4`,
  ],
])('reads the map of %s', (_title, frame, mapped) => {
  const file = compiled('mapped.js', MAP);
  expect(bySourceLines(`Error: no\n${frame(file)}\n    at node:internal/x:1:2`)).toBe(
    `Error: no\n${mapped}\n    at node:internal/x:1:2`,
  );
});

it.each([
  ['of a library', () => `    at run (${compiled('library.js', MAP)}:1:15)`],
  ['without a map', () => `    at run (${compiled('none.js')}:1:15)`],
  ['with a map that is broken', () => `    at run (${compiled('broken.js', '{')}:1:15)`],
  ['with a map that is none', () => `    at run (${compiled('other.js', '[]')}:1:15)`],
  ['with a map that names no file', () => `    at run (${compiled('web.js', MAP.replaceAll('../', 'http://x/'))}:1:3)`],
  ['in a text that is not a frame', () => `told ${compiled('text.js', MAP)}:1:3`],
  ['of another folder', () => '    at run (file:///etc/other.js:1:3)'],
  ['longer than a frame', () => `    at ${'x'.repeat(10_000)} (${compiled('long.js', MAP)}:1:3)`],
])('leaves a frame %s unchanged', (_title, frame) => {
  const stack = `Error: no\n${frame()}`;
  expect(bySourceLines(stack)).toBe(stack);
});

it('reports causes of an error as well, and leaves frozen errors unchanged', () => {
  const stack = `Error: no\n    at run (${compiled('cause.js', MAP)}:1:3)`;
  const cause = Object.assign(new Error('no'), { stack });
  const fixed = Object.defineProperty(new Error('no', { cause }), 'stack', { value: stack, writable: false });
  expect(withSourceLines(fixed)).toBe(fixed);
  expect(fixed.stack).toBe(stack);
  expect(cause.stack).toContain('one.ts:3');
  const circle = new Error('no');
  circle.cause = circle;
  expect(withSourceLines(circle)).toBe(circle);
  expect(withSourceLines(null)).toBeNull();
});
