import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { nodeKinds } from '../../src/engine/workflow/nodes/index.js';
import { defaultPublicDir } from '../../src/http/pages.js';
import { reportFigure } from './measures/figures.js';

const MAX_SHELL_KB = 250;
const folder = path.join(defaultPublicDir, 'console');

/** Compressed size of the scripts that index.html loads, with everything that they import at once. */
function shellScripts(): { file: string; bytes: number }[] {
  const html = readFileSync(path.join(folder, 'index.html'), 'utf8');
  const files = [...html.matchAll(/"\/console\/assets\/([^"]+\.js)"/g)].map(([, file = '']) => file);
  return [...new Set(files)].map(file => ({ file, bytes: statSync(path.join(folder, 'assets', `${file}.gz`)).size }));
}

describe('The build of the console', () => {
  test(`loads at most ${MAX_SHELL_KB} KB of scripts before the first screen`, () => {
    const scripts = shellScripts();
    const kilobytes = scripts.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000;
    process.stderr.write(`console shell: ${kilobytes.toFixed(1)} KB of scripts, gzip, in ${scripts.length} files\n`);
    reportFigure('shell-kilobytes', kilobytes);
    expect(scripts.length).toBeGreaterThan(0);
    expect(kilobytes).toBeLessThanOrEqual(MAX_SHELL_KB);
  });

  test('has a compressed copy of every script and style', () => {
    const files = readdirSync(path.join(folder, 'assets'));
    const plain = files.filter(file => /\.(js|css)$/.test(file));
    expect(plain.filter(file => !files.includes(`${file}.br`) || !files.includes(`${file}.gz`))).toEqual([]);
  });

  test('has the icon of every kind of node', () => {
    const known = new Set(readFileSync('console/src/icons.ts', 'utf8').match(/\bIcon[A-Z]\w*(?= =)/g));
    const missing = nodeKinds
      .map(({ form }) => `Icon-${form.icon}`.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()))
      .filter(name => !known.has(name));
    // Remedy: node console/icons.mjs.
    expect(missing).toEqual([]);
  });

  test('lists its operations for a safelist', () => {
    const operations = JSON.parse(readFileSync(path.join(folder, 'operations.json'), 'utf8'));
    expect(operations.Me).toContain('__typename');
    expect(Object.values(operations).every(text => typeof text === 'string')).toBe(true);
  });
});
