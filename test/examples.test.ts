import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '../src/platform/config/config.js';
import { executeInOneShell } from './support/readme/one-shell.js';
import { type Block, blocksOf, differences, isThere, readPage } from './support/readme/readme.js';
import { npmFaults, ruleOf, variablesOf } from './support/readme/readme-commands.js';
import { startTestService, type TestService } from './support/service.js';

const PAGES = ['README.md', 'graphql/README.md', 'rest/README.md', 'subscriptions/README.md'].map(
  name => `examples/${name}`,
);
const hasCurl = spawnSync('curl', ['--version']).status === 0;
if (!hasCurl) console.warn('curl cannot be found here: the commands of examples/rest are skipped.');

describe.each(PAGES)('%s', page => {
  const commands = blocksOf(readPage(page)).filter(({ language }) => language === 'sh');

  it('names scripts that exist and variables that are valid', () => {
    expect(commands.filter(block => ruleOf(block) !== 'tour').flatMap(npmFaults)).toEqual([]);
    const variables = commands.filter(block => ruleOf(block) === 'service').flatMap(variablesOf);
    for (const each of variables) expect(() => readConfig(each)).not.toThrow();
  });

  it('links to files that are there', () => {
    const targets = [...readPage(page).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, target]) => target ?? '');
    expect(targets.filter(target => !isThere(path.join(path.dirname(page), target)))).toEqual([]);
  });
});

describe('the commands of', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  /** The commands of a page are executed in one shell; `npx` would look for the project's own Node, which runs the tests. */
  async function tour(page: string): Promise<{ blocks: Block[]; commands: Block[]; outputs: string[] }> {
    const blocks = blocksOf(readPage(page));
    const commands = blocks.filter(block => block.language === 'sh' && ruleOf(block) === 'tour');
    const outputs = await executeInOneShell(
      commands.map(({ text }) => text.replace(/^npx node /, 'node ')),
      { SCENARIUM_URL: service.url, SCENARIUM_API_KEY: service.key },
    );
    return { blocks, commands, outputs };
  }

  it('examples/graphql print what its page shows', async () => {
    const { blocks, outputs } = await tour('examples/graphql/README.md');
    const [shown] = blocks.filter(({ language }) => language === 'text');
    expect(outputs.map(output => output.trim())).toEqual([shown?.text]);
  });

  (hasCurl ? it : it.skip)('examples/rest print what its page shows', async () => {
    const { blocks, commands, outputs } = await tour('examples/rest/README.md');
    expect(commands).toHaveLength(6);
    expect(outputs.pop()).toMatch(
      /^Workflow \d+: Welcome a guest\n(in queue\n|in progress\n)*succeed\nWelcome, Ada!\n$/,
    );
    for (const [index, output] of outputs.entries()) {
      const below = blocks[blocks.indexOf(commands[index] as Block) + 1];
      if (below?.language === 'text') expect(output.trim()).toBe(below.text);
      else if (below?.language === 'json') expect(differences(JSON.parse(output), JSON.parse(below.text))).toEqual([]);
      else expect(output).toBe('');
    }
  });
});
