import { globSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { blocksOf, isThere, ROOT, readPage, section } from '../support/readme/readme.js';
import { npmFaults, ruleOf } from '../support/readme/readme-commands.js';

/** `test/readme.slow.test.ts` executes their commands. */
const TOURS = ['README.md', 'docs/tour.md'];
/** Its commands start containers. */
const DEPLOYMENT = 'docs/deployment.md';
const PAGES = globSync(['*.md', 'docs/*.md', 'docs/contributing/*.md'], { cwd: ROOT }).sort();

it('finds the pages', () => {
  expect(PAGES).toEqual(expect.arrayContaining([...TOURS, DEPLOYMENT, 'CONTRIBUTING.md', 'docs/contributing/node.md']));
});

describe.each(PAGES)('%s', page => {
  const text = readPage(page);
  const names = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);

  it('has commands that are executed, or scripts that exist', () => {
    const commands = blocksOf(text).filter(({ language }) => language === 'sh');
    const scripts = commands.filter(block => ruleOf(block) === 'npm');
    if (![...TOURS, DEPLOYMENT].includes(page)) expect(scripts).toEqual(commands);
    expect(scripts.flatMap(npmFaults)).toEqual([]);
  });

  it('mentions scripts that exist', () => {
    const mentions = names(/`(npm (?:test|start|run [\w:-]+))(?: [^`]*)?`/g);
    expect(mentions.flatMap(command => npmFaults({ language: 'sh', line: 0, text: command }))).toEqual([]);
  });

  it('links to files and headings that exist', () => {
    const targets = names(/\]\(([^)\s]+)[^)]*\)/g).filter(target => !/^https?:/.test(target));
    expect(targets.filter(target => !targetExists(page, target))).toEqual([]);
  });

  it('names files that exist', () => {
    const files = names(/`((?:src|test|rest-compat|scripts|pages|docs|deploy|bench|templates)\/[\w./-]+)`/g);
    expect(files.filter(name => !isThere(name) && !isCreatedByUse(name))).toEqual([]);
  });
});

/** Files that git ignores: `deploy/.env` is filled in by the operator, the bench writes its results and installs its peers. */
function isCreatedByUse(name: string): boolean {
  return name === 'deploy/.env' || /^bench\/(results|peers)/.test(name);
}

/** Whether the file of a link exists, and in a Markdown page its heading. */
function targetExists(page: string, target: string): boolean {
  const [file = '', heading] = target.split('#');
  const name = file === '' ? page : path.join(path.dirname(page), file);
  if (!isThere(name)) return false;
  return heading === undefined || !name.endsWith('.md') || anchorsOf(readPage(name)).includes(heading);
}

function anchorsOf(text: string): string[] {
  const titles = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => title.toLowerCase());
  return titles.map(title => title.replaceAll(/[^\w\- ]/g, '').replaceAll(' ', '-'));
}

describe('CONTRIBUTING.md', () => {
  const spans = [...readPage('CONTRIBUTING.md').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);

  it('names paths that exist', () => {
    const paths = spans.filter(span => /^[\w./-]+$/.test(span) && /\/|\.(ts|mjs|md|json|graphql)$/.test(span));
    expect(paths.length).toBeGreaterThan(25);
    const generated = (name: string) => isThere(`rest-compat/generated/${name}`);
    expect(paths.filter(name => !isThere(name) && !generated(name))).toEqual([]);
  });

  it('names scripts of Node that exist', () => {
    const scripts = spans.flatMap(span => /^node (\S+)/.exec(span)?.[1] ?? []);
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.filter(name => !isThere(name))).toEqual([]);
  });
});

describe('docs/README.md', () => {
  it('lists every page', () => {
    const index = readPage('docs/README.md');
    const pages = globSync(['*.md', 'contributing/*.md'], { cwd: path.join(ROOT, 'docs') });
    expect(pages.filter(name => name !== 'README.md' && !index.includes(`](${name})`))).toEqual([]);
  });
});

describe('README.md', () => {
  it('has at most 160 lines', () => {
    expect(readPage('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(160);
  });
});

describe('the folders of docs/architecture.md', () => {
  it('exist', () => {
    const plan = blocksOf(section(readPage('docs/architecture.md'), '## Folders'))[0]?.text ?? '';
    const named = plan.split('\n').flatMap(line => {
      const [, indent = '', name = ''] = /^(\s*)([\w-]+(?:\.\w+|\/))\s/.exec(line) ?? [];
      if (name === '') return [];
      if (indent.length === 4) return [`src/engine/${name}`];
      return [indent.length === 2 ? `src/${name}` : name];
    });
    expect(named.length).toBeGreaterThan(12);
    expect(named.filter(name => !isThere(name))).toEqual([]);
  });
});
