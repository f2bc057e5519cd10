import { describe, expect, it } from '@jest/globals';
import { GraphQLInt, GraphQLObjectType, GraphQLSchema, parse } from 'graphql';
import { COMPILE_AFTER_USES, CompiledQueries } from '../../src/graphql/compiled-queries.js';
import { buildScenariumSchema } from '../../src/graphql/schema.js';

describe('a compiled query', () => {
  it('awaits the items and the total of a nested page, which are read when they are selected', async () => {
    const nested = { page: 1, size: 10, total: Promise.resolve(1), items: Promise.resolve([{ id: 2 }]) };
    const resolvers = {
      list: () => ({ page: 1, size: 10, total: 1, items: [{ id: 1 }] }),
      workflows: () => nested,
    };
    const queries = new CompiledQueries(
      buildScenariumSchema(
        () => resolvers,
        () => undefined,
      ),
    );
    const document = parse('{ projects { total items { id workflows { total items { id } } } } }');
    const results: unknown[] = [];
    // A compiled query that fails gives null as well.
    for (let request = 0; request < COMPILE_AFTER_USES; request++) results.push(await queries.run(document, {}, {}));
    expect(results.at(-1)).toEqual({
      data: { projects: { total: 1, items: [{ id: 1, workflows: { total: 1, items: [{ id: 2 }] } }] } },
    });
  });
});

it('leaves a frequent mutation to the caller and never executes it', async () => {
  let executions = 0;
  const typeWith = (name: string) =>
    new GraphQLObjectType({ name, fields: { count: { type: GraphQLInt, resolve: () => ++executions } } });
  const schema = new GraphQLSchema({ query: typeWith('Query'), mutation: typeWith('Mutation') });
  const queries = new CompiledQueries(schema);
  const document = parse('mutation { count }');
  for (let request = 0; request <= COMPILE_AFTER_USES; request++)
    expect(await queries.run(document, {}, {})).toBeNull();
  expect(executions).toBe(0);
});
