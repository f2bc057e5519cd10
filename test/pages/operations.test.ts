import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { buildSchema, getOperationAST, parse, validate } from 'graphql';
import { readyResources } from '../../pages/graphiql/operations.js';
import { VISIBLE_COLUMNS } from '../../pages/graphiql/tabs.js';
import { MAX_TOKENS } from '../../src/graphql/documents.js';
import { MAX_WEIGHT } from '../../src/graphql/limits.js';
import { measureQuery } from '../../src/graphql/query-weight.js';
import { variableFaults } from './variable-faults.js';

// Tests run compiled, in `build/test/pages`.
const schema = buildSchema(readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'));
const resources = readyResources(schema);
const operations = resources.flatMap(({ operations }) => operations);
const rootFields = ['Query', 'Mutation', 'Subscription'].flatMap(name =>
  Object.keys((schema.getType(name) as any).getFields()),
);

describe("GraphiQL's ready-made operations", () => {
  test('exist for each root field, except for uploads and sessions', () => {
    const fields = operations.map(({ field }) => field);
    expect(new Set(fields).size).toBe(fields.length);
    const absent = rootFields.filter(field => !fields.includes(field));
    expect(absent.filter(field => !/Upload$|^session/.test(field))).toEqual([]);
    expect(absent).toEqual(expect.arrayContaining(['documentUpload', 'sessionCreate', 'sessionEnd', 'sessionRefresh']));
  });

  test.each(operations.map(operation => [operation.field, operation] as const))(
    '%s fits the schema and is far below the limits of an operation',
    (_field, { query, variables }) => {
      const document = parse(query, { maxTokens: MAX_TOKENS });
      expect(validate(schema, document)).toEqual([]);
      const given = JSON.parse(variables || '{}') as Record<string, unknown>;
      expect(variableFaults(schema, document, given)).toEqual([]);
      const operation = getOperationAST(document);
      if (operation == null) throw new Error('no operation');
      const weight = measureQuery(schema, operation, new Map(), given);
      expect(weight.cost).toBeLessThanOrEqual(MAX_WEIGHT.cost / 10);
      expect(weight.depth).toBeLessThanOrEqual(5);
    },
  );

  test('have the argument that names their parent, where one of several is required', () => {
    const variablesOf = (field: string) => operations.find(each => each.field === field)?.variables;
    expect(JSON.parse(variablesOf('workflowRuns') ?? '')).toEqual({ workflowId: 1 });
    expect(Object.keys(JSON.parse(variablesOf('billingTransactions') ?? ''))).toEqual(['runId']);
    expect(variablesOf('workflows')).toBe('');
  });

  test('are grouped by their resource', () => {
    const names = Object.fromEntries(
      resources.map(({ name, operations }) => [name, operations.map(({ field }) => field)]),
    );
    expect(names.Workflows).toEqual(
      expect.arrayContaining(['workflow', 'workflows', 'workflowCreate', 'workflowCheck']),
    );
    expect(names['Workflow runs']).toEqual(
      expect.arrayContaining(['workflowRuns', 'workflowRunStart', 'workflowRunDiff', 'workflowRunChanged']),
    );
    expect(names['API keys']).toEqual([
      ...['apiKeys', 'apiKeyBudgetSet', 'apiKeyCreate', 'apiKeyDelete', 'apiKeyUpdate'],
    ]);
    expect(names.Categories).toEqual(expect.arrayContaining(['categories', 'categoryCreate']));
    expect(names['Webhook deliveries']).toEqual(expect.arrayContaining(['webhookRedeliver', 'webhookSecretRotate']));
    expect(names.Users).toEqual(expect.arrayContaining(['me', 'users', 'userCreate']));
    expect(names['MCP server tools']).toEqual(
      expect.arrayContaining(['mcpTools', 'mcpServerTools', 'mcpServerToolSave']),
    );
    expect(names.Maintenance).toEqual(['maintenance', 'maintenanceSet']);
    expect(resources.length).toBeLessThan(rootFields.length / 3);
  });

  test('have a one-sentence summary, and short lines', () => {
    expect(operations.filter(({ summary }) => !/^[A-Z].*\.$/.test(summary)).map(({ field }) => field)).toEqual([]);
    const long = operations
      .flatMap(({ query }) => query.split('\n'))
      .filter(line => line.length > VISIBLE_COLUMNS + 10);
    expect(long).toEqual([]);
  });
});

describe('an operation generated for a field', () => {
  const buildOperation = (sdl: string, field: string) => {
    const built = buildSchema(sdl);
    const found = readyResources(built)
      .flatMap(({ operations }) => operations)
      .find(operation => operation.field === field);
    if (found) expect(validate(built, parse(found.query))).toEqual([]);
    return found;
  };

  test('selects no recursive or deprecated field, none with required arguments, and one level of objects', () => {
    const sdl = `
      type Query { tree: Tree! }
      type Tree { id: Int! old: Int @deprecated nth(n: Int!): Int leaf: Leaf! parent: Tree named(as: String): String }
      type Leaf { tree: Tree! green: Boolean! twig: Twig! }
      type Twig { id: Int! }`;
    expect(buildOperation(sdl, 'tree')?.query).toBe(
      'query Tree {\n  tree {\n    id\n    leaf {\n      green\n    }\n    named\n  }\n}\n',
    );
  });

  test('contains the required members of an input, at all levels, and defaults where there are any', () => {
    const sdl = `
      type Query { none: Int }
      type Mutation { make(input: Made!, times: Int! = 3, also: [Kind!]): Boolean! }
      enum Kind { A B }
      input Made { kind: Kind! parts: [Part!]! name: String note: String size: Int! = 2 }
      input Part { id: Int! whole: Made }`;
    const { query, variables } = buildOperation(sdl, 'make') ?? { query: '', variables: '' };
    expect(query).toContain('$times: Int! = 3');
    expect(JSON.parse(variables)).toEqual({ input: { kind: 'A', parts: [{ id: 1 }] } });
  });

  test('omits the JSON of listed objects, and lists within lists', () => {
    const sdl = `
      scalar JSON
      type Query { things: ThingPage! thing: Thing }
      type ThingPage { total: Int! items: [Thing!]! }
      type Thing { id: Int! data: JSON parts: [Part!]! }
      type Part { id: Int! data: JSON bits: [Bit!]! }
      type Bit { id: Int! }`;
    expect(buildOperation(sdl, 'things')?.query).not.toMatch(/data|parts|bits/);
    expect(buildOperation(sdl, 'thing')?.query).toMatch(/data\n {4}parts \{\n {6}id\n {4}\}/);
  });
});
