import { describe, expect, it } from '@jest/globals';
import { readConfig, variableNames } from '../../src/platform/config/config.js';
import { configurationPage } from '../../src/platform/config/configuration-page.js';
import { code, readPage, tablesOf } from '../support/readme/readme.js';

const rows = tablesOf(readPage('docs/configuration.md')).flat();

describe('docs/configuration.md', () => {
  it('is the page that `npm run generate` writes', () => {
    expect(readPage('docs/configuration.md')).toBe(configurationPage());
  });

  it('names every variable that is read, and no other', () => {
    expect(rows.map(([name]) => code(name)).sort()).toEqual([...variableNames].sort());
  });

  it.each(rows.filter(([, value]) => value !== 'unset'))('has the default of %s', (name, value) => {
    expect(readConfig({ [code(name)]: code(value) })).toEqual(readConfig({}));
  });

  it('has an accepted format for every variable', () => {
    expect(rows.filter(([, , format]) => !format)).toEqual([]);
  });
});
