import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';
import { readConfig, variableNames } from '../src/platform/config/config.js';
import { type ServiceProcess, startProcess } from './support/processes/process.js';
import { executeInOneShell } from './support/readme/one-shell.js';
import { type Block, blocksOf, differences, readPage } from './support/readme/readme.js';
import { npmFaults, ruleOf, variablesOf } from './support/readme/readme-commands.js';

const PAGES = ['README.md', 'docs/tour.md'].map(name => {
  const blocks = blocksOf(readPage(name));
  const commands = blocks.filter(({ language }) => language === 'sh');
  return { name, blocks, commands, tour: commands.filter(block => ruleOf(block) === 'tour') };
});
type Page = (typeof PAGES)[number];

/** The output that a page shows below a block of commands, before the next one. */
function shownBelow({ blocks }: Page, block: Block): Block | undefined {
  const next = blocks[blocks.indexOf(block) + 1];
  return next && ['json', 'text'].includes(next.language) ? next : undefined;
}

describe.each(PAGES)('the commands of $name', ({ blocks, commands, tour }) => {
  it('name scripts that exist', () => {
    expect(commands.filter(block => ruleOf(block) === 'npm').flatMap(npmFaults)).toEqual([]);
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
    expect(tour.length).toBeGreaterThan(1);
  });
});

it('docs/tour.md has more than five blocks that are executed', () => {
  expect(PAGES.find(({ name }) => name === 'docs/tour.md')?.tour.length).toBeGreaterThan(5);
});

const hasCurl = spawnSync('curl', ['--version']).status === 0;
if (!hasCurl) console.warn('curl cannot be found here: the tours are skipped.');

(hasCurl ? describe : describe.skip).each(PAGES)('the tour of $name', page => {
  const { commands, tour } = page;
  let dataDir: string;
  let service: ServiceProcess;
  let outputs: string[];

  /** The service as the page starts it: with an embedded database and the key of the tour. */
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

  it.each(tour)('prints what the page shows (line $line)', block => {
    const output = outputs[tour.indexOf(block)] ?? '';
    const shown = shownBelow(page, block);
    if (shown === undefined) expect(output).toBe('');
    else if (shown.language === 'text') expect(output.trim()).toBe(shown.text);
    else expect(differences(JSON.parse(output), JSON.parse(shown.text))).toEqual([]);
  });
});

describe('the GraphQL of the tour', () => {
  const schema = buildSchema(readPage('schema.graphql'));
  const operations = PAGES.flatMap(({ blocks }) => blocks.filter(({ language }) => language === 'graphql'));

  it.each(operations)('fits the schema (line $line)', ({ text }) => {
    expect(validate(schema, parse(text))).toEqual([]);
  });
});
