import { globSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT, readPage } from '../support/readme/readme.js';

const FOLDER = 'docs/adr';
const files = readdirSync(path.join(ROOT, FOLDER)).sort();
const numbers = new Set(files.map(file => file.slice(0, 4)));

describe.each(files)('docs/adr/%s', file => {
  const text = readPage(`${FOLDER}/${file}`);

  it('is named after its title and has at most 250 words', () => {
    const title = text.slice(2, text.indexOf('\n'));
    expect(`${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.md`).toBe(file);
    expect(text.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(250);
  });

  it('has a context, a decision and consequences', () => {
    const parts = [...text.matchAll(/^(?:## (\w+)$|\*\*(\w+)\.\*\*)/gm)].map(([, heading, bold]) => heading ?? bold);
    expect(parts).toEqual(['Context', 'Decision', 'Consequences']);
  });
});

describe('the decisions', () => {
  it('are numbered from 1 without gaps', () => {
    expect(files.map(file => Number(file.slice(0, 4)))).toEqual(files.map((_file, index) => index + 1));
  });

  it('exist wherever the repository refers to one', () => {
    const folders = [
      'src',
      'rest-compat',
      'test',
      'scripts',
      'bench',
      'pages',
      'examples',
      'deploy',
      'docs',
      'console',
      'clients',
      'templates',
    ];
    const pages = globSync([...folders.map(folder => `${folder}/**/*.*`), '*.md', '*.mjs'], { cwd: ROOT }).filter(
      name => !name.includes('node_modules/') && /\.(ts|tsx|mjs|cjs|md|ya?ml|graphql)$|Dockerfile$/.test(name),
    );
    expect(pages.length).toBeGreaterThan(500);
    expect(pages.flatMap(page => danglingReferences(page, readPage(page)))).toEqual([]);
  });

  // The numbers are inserted, because the test above reads this file too.
  it('have no dangling reference that the check overlooks', () => {
    expect(danglingReferences('src/a.ts', `see ADR ${9999}`)).toEqual(['src/a.ts: 9999']);
    expect(danglingReferences(`${FOLDER}/a.md`, `rows (${9998}) carry`)).toEqual([`${FOLDER}/a.md: 9998`]);
    const target = `${'0001'}-rest.md`;
    expect(danglingReferences('a.md', `[0002](docs/adr/${target})`)).toEqual([`a.md: ${target}`, 'a.md: 0002']);
  });
});

/** References to decisions that do not exist, and links whose text names another number than their target. */
function danglingReferences(page: string, text: string): string[] {
  const targets = [...text.matchAll(/\b(\d{4}-[a-z0-9-]+\.md)\b/g)].map(([, name = '']) => name);
  const links = [...text.matchAll(/\[(?:ADR )?(\d{4})\]\([\w./]*?(\d{4})-[\w-]+\.md\)/g)];
  const mentions = [...text.matchAll(/\bADR (\d{4})\b|\bdocs\/adr\/(\d{4})\b/g)].map(([, one, other]) => one ?? other);
  const inDecisions = page.startsWith(FOLDER) ? [...text.matchAll(/\((\d{4})\)/g)].map(([, number]) => number) : [];
  const dangling = [
    ...targets.filter(name => !files.includes(name)),
    ...[...mentions, ...inDecisions].filter(number => !numbers.has(number ?? '')),
    ...links.filter(([, shown, target]) => shown !== target).map(([, shown]) => shown),
  ];
  return dangling.map(reference => `${page}: ${reference}`);
}
