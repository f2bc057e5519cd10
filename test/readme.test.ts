import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';
import { readConfig, variableNames } from '../src/platform/config/config.js';
import { executeInOneShell } from './support/one-shell.js';
import { type ServiceProcess, startProcess } from './support/process.js';
import { type Block, blocksOf, code, differences, isThere, readPage, section, tablesOf } from './support/readme.js';
import { npmFaults, ruleOf, variablesOf } from './support/readme-commands.js';

const README = readPage('README.md');
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'docs/nodes.md',
  'docs/keywords.md',
  'docs/webhooks.md',
  'docs/marketplace.md',
  'docs/guarantees.md',
  'docs/operations.md',
  'docs/rights.md',
  'docs/mutation.md',
  ...['module', 'node', 'provider', 'route'].map(name => `docs/contributing/${name}.md`),
  'SECURITY.md',
];

const blocks = blocksOf(README);
const commands = blocks.filter(({ language }) => language === 'sh');
const tour = commands.filter(block => ruleOf(block) === 'tour');

/** What a page shows below a block of commands, before the next one. */
function shownBelow(block: Block): Block | undefined {
  const next = blocks[blocks.indexOf(block) + 1];
  return next && ['json', 'text'].includes(next.language) ? next : undefined;
}

describe('the commands of the README', () => {
  it.each(commands.filter(block => ruleOf(block) === 'npm'))('name scripts that exist (line $line)', block => {
    expect(npmFaults(block)).toEqual([]);
  });

  it.each(commands.filter(block => ruleOf(block) === 'service'))('set variables that are valid (line $line)', block => {
    expect(npmFaults(block)).toEqual([]);
    for (const variables of variablesOf(block)) {
      expect(variableNames).toEqual(expect.arrayContaining(Object.keys(variables)));
      expect(() => readConfig(variables)).not.toThrow();
    }
  });

  it('are marked as commands, all of them', () => {
    expect(blocks.filter(({ language }) => !['sh', 'json', 'text', 'graphql'].includes(language))).toEqual([]);
    expect(tour.length).toBeGreaterThan(5);
  });
});

const hasCurl = spawnSync('curl', ['--version']).status === 0;
if (!hasCurl) console.warn('curl cannot be found here: the tour of the README is skipped.');

(hasCurl ? describe : describe.skip)('the tour of the README', () => {
  let dataDir: string;
  let service: ServiceProcess;
  let outputs: string[];

  /** The service as the README starts it: on an embedded database of its own, with the key of the tour. */
  beforeAll(async () => {
    const start = commands.find(block => ruleOf(block) === 'service' && block.line < (tour[0]?.line ?? 0));
    const [variables] = variablesOf(start as Block);
    dataDir = await mkdtemp(path.join(process.env.TEST_DATA_DIR as string, 'tour-'));
    service = await startProcess({ ...variables, DATA_DIR: dataDir, PORT: '0' });
    outputs = await executeInOneShell(tour.map(({ text }) => text.replaceAll('http://127.0.0.1:4000', service.url)));
  });
  afterAll(async () => {
    await service.end();
    await rm(dataDir, { recursive: true, force: true });
  });

  it.each(tour)('does what it says (line $line)', block => {
    const output = outputs[tour.indexOf(block)] ?? '';
    const shown = shownBelow(block);
    if (shown === undefined) expect(output).toBe('');
    else if (shown.language === 'text') expect(output.trim()).toBe(shown.text);
    else expect(differences(JSON.parse(output), JSON.parse(shown.text))).toEqual([]);
  });
});

describe('the GraphQL of the README', () => {
  const schema = buildSchema(readPage('schema.graphql'));

  it.each(blocks.filter(({ language }) => language === 'graphql'))('fits the schema (line $line)', ({ text }) => {
    expect(validate(schema, parse(text))).toEqual([]);
  });
});

describe('the configuration table', () => {
  const [rows = []] = tablesOf(section(README, '## Configuration'));

  it('names every variable that is read, and no other', () => {
    expect(rows.map(([name]) => code(name)).sort()).toEqual([...variableNames].sort());
  });

  it.each(rows.filter(([, value]) => value !== 'unset'))('tells the default of %s', (name, value) => {
    expect(readConfig({ [code(name)]: code(value) })).toEqual(readConfig({}));
  });
});

describe.each(PAGES)('%s', page => {
  const text = readPage(page);

  it('has commands that are executed, or scripts that exist', () => {
    const others = blocksOf(text).filter(({ language }) => language === 'sh');
    if (page !== 'README.md') expect(others.filter(block => ruleOf(block) !== 'npm')).toEqual([]);
    expect(others.filter(block => ruleOf(block) === 'npm').flatMap(npmFaults)).toEqual([]);
  });

  it('mentions scripts that exist', () => {
    const mentions = [...text.matchAll(/`(npm (?:test|start|run [\w:-]+))(?: [^`]*)?`/g)].map(([, command]) => command);
    expect(mentions.flatMap(command => npmFaults({ language: 'sh', line: 0, text: command ?? '' }))).toEqual([]);
  });

  it('links to files that are there', () => {
    const targets = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, target]) => target ?? '');
    const local = targets.filter(target => !/^https?:/.test(target));
    expect(local.filter(target => !isThere(path.join(path.dirname(page), target)))).toEqual([]);
  });

  it('names files that are there', () => {
    const names = [...text.matchAll(/`((?:src|test|rest-compat|scripts|pages|docs)\/[\w./-]+)`/g)].map(
      ([, name]) => name,
    );
    expect(names.filter(name => !isThere(name ?? ''))).toEqual([]);
  });
});

describe('the floor plan', () => {
  it('names what is there', () => {
    const plan = blocksOf(section(README, '## The floor plan'))[0]?.text ?? '';
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
