import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { buildSchema, coerceInputValue, type GraphQLInputType, Kind, parse, typeFromAST, validate } from 'graphql';
import { readyMadeTabs, VISIBLE_COLUMNS } from '../../pages/graphiql/tabs.js';

const schema = buildSchema(readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'));
const nameOf = (query: string): string => /(?:query|mutation|subscription) (\w+)/.exec(query)?.[1] ?? 'unnamed';

describe("GraphiQL's ready-made tabs", () => {
  test.each(readyMadeTabs.map(tab => [nameOf(tab.query), tab] as const))(
    '%s fits the schema',
    (_name, { query, variables }) => {
      const document = parse(query);
      expect(validate(schema, document)).toEqual([]);
      const [operation] = document.definitions;
      if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('a tab holds one operation');
      const given = JSON.parse(variables ?? '{}') as Record<string, unknown>;
      const declared = new Map(operation.variableDefinitions?.map(each => [each.variable.name.value, each.type]));
      expect(Object.keys(given).filter(name => !declared.has(name))).toEqual([]);
      for (const [name, type] of declared) {
        if (given[name] === undefined && type.kind !== Kind.NON_NULL_TYPE) continue;
        const inputType = typeFromAST(schema, type as never) as GraphQLInputType;
        expect(() => coerceInputValue(given[name], inputType)).not.toThrow();
      }
    },
  );

  test('are lines that a window of ordinary width shows whole', () => {
    const long = readyMadeTabs.flatMap(({ query }) => query.split('\n')).filter(line => line.length > VISIBLE_COLUMNS);
    expect(long).toEqual([]);
  });
});
