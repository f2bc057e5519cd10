import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';
import { readyMadeTabs, VISIBLE_COLUMNS } from '../../pages/graphiql/tabs.js';
import { variableFaults } from './variable-faults.js';

const schema = buildSchema(readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'));
const nameOf = (query: string): string => /(?:query|mutation|subscription) (\w+)/.exec(query)?.[1] ?? 'unnamed';

describe("GraphiQL's ready-made tabs", () => {
  test.each(readyMadeTabs.map(tab => [nameOf(tab.query), tab] as const))(
    '%s fits the schema',
    (_name, { query, variables }) => {
      const document = parse(query);
      expect(validate(schema, document)).toEqual([]);
      expect(variableFaults(schema, document, JSON.parse(variables ?? '{}'))).toEqual([]);
    },
  );

  test('are lines that a window of ordinary width shows whole', () => {
    const long = readyMadeTabs.flatMap(({ query }) => query.split('\n')).filter(line => line.length > VISIBLE_COLUMNS);
    expect(long).toEqual([]);
  });
});
