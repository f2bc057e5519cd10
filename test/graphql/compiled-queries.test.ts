import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
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

it('does not compile a mutation, so that it is executed once', async () => {
  let calls = 0;
  const count = () => {
    calls++;
    return { maintenance: { isOn: true } };
  };
  const resolvers = new Proxy({}, { get: () => count });
  const queries = new CompiledQueries(
    buildScenariumSchema(
      () => resolvers,
      () => undefined,
    ),
  );
  const document = parse('mutation { maintenanceSet(isOn: true) { maintenance { isOn } } }');
  for (let request = 0; request <= COMPILE_AFTER_USES; request++) {
    expect(await queries.run(document, {}, {})).toBeNull();
  }
  expect(calls).toBe(0);
});
