import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import type { Place as SweepPlace } from '../security/sweep/places/places.js';
import { databaseUrl } from '../support/config.js';
import { createDatabase, startTestService, type TestService } from '../support/service.js';
import { isPage, type Place, placesOf, selectionsOf } from './statements/selections.js';
import { type StatementProxy, startStatementProxy } from './statements/statement-proxy.js';
import { wideWorld } from './statements/wide-world.js';

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));

let service: TestService;
let proxy: StatementProxy;
let world: SweepPlace;
beforeAll(async () => {
  const database = await createDatabase();
  const url = new URL(databaseUrl(database));
  proxy = await startStatementProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  service = await startTestService({ role: 'api', databaseUrl: url.href }, database);
  world = await wideWorld(service);
});
afterAll(async () => {
  await service?.stop();
  await proxy?.close();
});

/** What the lists that belong to something are asked of. */
const ARGUMENTS: Record<string, (world: SweepPlace) => Record<string, unknown>> = {
  agentApprovals: ({ project }) => ({ projectId: project }),
  billingTransactions: ({ run }) => ({ runId: run }),
  documentSearch: ({ project }) => ({ projectId: project, query: 'cats' }),
  marketplaceExamples: ({ workflow }) => ({ slug: `wide-${workflow}` }),
  projectEarnings: ({ project }) => ({ projectId: project }),
  projectInvitations: ({ project }) => ({ projectId: project }),
  projectMembers: ({ project }) => ({ projectId: project }),
  recognitionChunks: ({ recognition }) => ({ recognitionrun: recognition }),
  webhookDeliveries: ({ project }) => ({ projectId: project }),
  workflowRuns: ({ workflow }) => ({ workflowId: workflow }),
};
/** Asks a server of somebody else's. */
const ELSEWHERE = ['mcpTools'];
/** Members of what their parents hold, looked up nowhere: of these there need be none. */
const PARTS = [
  ...['DocumentSearchHit', 'MarketplaceExample', 'RunCost', 'ExternalCost', 'NodeKind', 'OperatorLimit'],
  ...['WorkflowGap', 'WorkflowInputFieldOption', 'WorkflowRunStep', 'WorkflowRunWait'],
];

function documentOf({ path }: Place, selection: string, many: number): string {
  const [root = '', ...inner] = path;
  const { args } = schema.getQueryType()!.getFields()[root]!;
  const given = Object.entries(ARGUMENTS[root]?.(world) ?? {}).map(
    ([name, value]) => `${name}: ${JSON.stringify(value)}`,
  );
  const size = args.find(({ name }) => name === 'size' || name === 'limit');
  if (size) given.push(`${size.name}: ${many}`);
  const call = given.length > 0 ? `${root}(${given.join(', ')})` : root;
  return [call, ...inner].reduceRight((within, field) => `{ ${field} ${within} }`, `{ ${selection} }`);
}

interface Asked {
  data: unknown;
  /** How often each statement was executed; those that differ in values and in their number alone are one. */
  statements: Map<string, number>;
}

async function ask(query: string): Promise<Asked> {
  proxy.taken();
  const { data, errors } = await service.graphql(query);
  expect({ query, errors }).toEqual({ query, errors: undefined });
  // A connection that is opened for the request sets its session up.
  const asked = proxy.taken().filter(text => !/^\s*set\b/i.test(text));
  const texts = asked.map(text => text.replaceAll(/'[^']*'|\$?\b\d+\b/g, '?').replaceAll(/\?(, ?\?)+/g, '?'));
  return { data, statements: new Map([...Map.groupBy(texts, text => text)].map(([text, all]) => [text, all.length])) };
}

/** The values at the end of a path, through all lists on the way. */
function valuesAt(data: unknown, path: readonly string[]): unknown[] {
  return path.reduce<unknown[]>(
    (values, name) => values.flatMap(value => (value as Record<string, unknown> | null)?.[name] ?? []),
    [data],
  );
}

/** Statements that twenty items need more often than two; one that a cache has saved the two, or of a timer, is no more. */
async function repeated(place: Place, selection: string): Promise<string[]> {
  const [few, many] = [await ask(documentOf(place, selection, 2)), await ask(documentOf(place, selection, 20))];
  if (!PARTS.includes(place.type.name))
    expect(valuesAt(many.data, place.path).length).toBeGreaterThan(valuesAt(few.data, place.path).length);
  if (isPage(place.type) && /\bitems\b/.test(selection))
    expect(valuesAt(many.data, [...place.path, 'items']).length).toBeGreaterThan(1);
  return [...many.statements].filter(([text, times]) => times > (few.statements.get(text) ?? 1)).map(([text]) => text);
}

const places = placesOf(schema).filter(({ path }) => !ELSEWHERE.includes(path[0]!));

describe('twenty items take no more statements than two, whatever is asked of them', () => {
  it.each(places.map(place => [place.type.name, place] as const))('%s', async (_name, place) => {
    const selections = selectionsOf(place.type);
    if ((await repeated(place, [...selections.values()].join(' '))).length === 0) return;
    const guilty: Record<string, string[]> = {};
    for (const [field, selection] of selections) {
      const statements = await repeated(place, selection);
      if (statements.length > 0) guilty[[...place.path, field].join('.')] = statements;
    }
    expect(guilty).toEqual({});
  });

  it('and nearly every type is reached', () => {
    expect(places.length).toBeGreaterThan(50);
  });
});
