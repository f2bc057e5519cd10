import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import type { Fixture } from '../security/sweep/fixtures/fixtures.js';
import { databaseUrl } from '../support/config.js';
import { createDatabase, startTestService, type TestService } from '../support/service.js';
import { isPage, type ObjectPath, objectPathsOf, selectionsOf } from './statements/selections.js';
import { type StatementProxy, startStatementProxy } from './statements/statement-proxy.js';
import { createWideFixture } from './statements/wide-fixture.js';

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));

let service: TestService;
let proxy: StatementProxy;
let wideFixture: Fixture;
beforeAll(async () => {
  const database = await createDatabase();
  proxy = await startStatementProxy(databaseUrl(database));
  service = await startTestService({ role: 'api', databaseUrl: proxy.databaseUrl }, database);
  wideFixture = await createWideFixture(service);
});
afterAll(async () => {
  await service?.stop();
  await proxy?.close();
});

/** Arguments of the lists that belong to an object. */
const ARGUMENTS: Record<string, (wideFixture: Fixture) => Record<string, unknown>> = {
  agentApprovals: ({ project }) => ({ projectId: project }),
  billingTransactions: ({ run }) => ({ runId: run }),
  documentSearch: ({ project }) => ({ projectId: project, query: 'cats' }),
  marketplaceExamples: ({ workflow }) => ({ slug: `wide-${workflow}` }),
  projectEarnings: ({ project }) => ({ projectId: project }),
  projectInvitations: ({ project }) => ({ projectId: project }),
  projectMembers: ({ project }) => ({ projectId: project }),
  recognitionChunks: ({ recognition }) => ({ recognitionRunId: recognition }),
  keyValueEntries: ({ project }) => ({ projectId: project }),
  projectFiles: ({ project }) => ({ projectId: project }),
  projectEnvironments: ({ project }) => ({ projectId: project }),
  triggerConversations: ({ trigger }) => ({ triggerId: trigger }),
  projectVariables: ({ project }) => ({ projectId: project }),
  projectConnections: ({ project }) => ({ projectId: project }),
  apiDefinitions: ({ project }) => ({ projectId: project }),
  apiOperations: ({ apidefinition }) => ({ id: apidefinition }),
  connectionUses: ({ connection }) => ({ id: connection }),
  mcpServerTool: ({ workflow }) => ({ workflowId: workflow }),
  mcpServerTools: ({ project }) => ({ projectId: project }),
  webhookDeliveries: ({ project }) => ({ projectId: project }),
  workflowRevisions: ({ workflow }) => ({ workflowId: workflow }),
  workflowRehearsals: ({ workflow }) => ({ workflowId: workflow }),
  workflowRehearsedRuns: ({ rehearsal }) => ({ rehearsalId: rehearsal }),
  workflowPublications: ({ workflow }) => ({ workflowId: workflow }),
  workflowTriggers: ({ workflow }) => ({ workflowId: workflow }),
  workflowRuns: ({ workflow }) => ({ workflowId: workflow }),
};
/** Fields that call the server of another party. */
const ELSEWHERE = ['mcpTools'];
/** Types that are read with their parent, so their values need not exist. */
const PARTS = [
  ...['DocumentSearchHit', 'MarketplaceExample', 'RunCost', 'ExternalCost', 'NodeKind', 'OperatorLimit'],
  // The requests of the fixtures have no details. Functions of expressions are constants, and sessions those of the caller.
  ...['AgentApprovalDecider', 'AgentApprovalMessage', 'AgentApprovalStart', 'AgentApprovalTool', 'UserSession'],
  ...['AgentApprovalQuestion', 'AgentApprovalVote', 'AuditDetail'],
  ...['ExpressionExample', 'ExpressionFunction', 'ExpressionParameter', 'ExpressionReference'],
  ...['TriggerChat', 'TriggerEvent', 'TriggerFailure', 'TriggerForm', 'TriggerSchedule', 'WorkflowIssue'],
  ...['ConnectionPreset', 'ConnectionSettings', 'ProjectEnvironment'],
  ...['WorkflowBisectFinding', 'WorkflowRehearsalChange'],
  ...['WorkflowGap', 'WorkflowInputFieldOption', 'WorkflowRunStep', 'WorkflowRunWait'],
  ...[
    'NodeField',
    'NodeFieldCondition',
    'NodeOutput',
    'NodeUiHints',
    'WorkflowGraphEdge',
    'WorkflowRunAttempt',
    'WorkflowRunError',
  ],
];

function documentOf({ path }: ObjectPath, selection: string, many: number): string {
  const [root = '', ...inner] = path;
  const { args } = schema.getQueryType()!.getFields()[root]!;
  const given = Object.entries(ARGUMENTS[root]?.(wideFixture) ?? {}).map(
    ([name, value]) => `${name}: ${JSON.stringify(value)}`,
  );
  const size = args.find(({ name }) => name === 'size' || name === 'limit');
  if (size) given.push(`${size.name}: ${many}`);
  const call = given.length > 0 ? `${root}(${given.join(', ')})` : root;
  return [call, ...inner].reduceRight((within, field) => `{ ${field} ${within} }`, `{ ${selection} }`);
}

interface QueryResult {
  data: unknown;
  /**
   * Number of executions of each statement. Statements that differ only in their values and the number of values count
   * as one.
   */
  statements: Map<string, number>;
}

async function ask(query: string): Promise<QueryResult> {
  proxy.taken();
  const { data, errors } = await service.graphql(query);
  expect({ query, errors }).toEqual({ query, errors: undefined });
  // A connection that is opened for the request sets up its session. A timer probes each pool with `select 1`.
  const asked = proxy.taken().filter(text => !/^\s*(?:set\b|select 1$)/i.test(text));
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

/**
 * Statements that twenty items need more often than two. A statement of a timer, or one that a cache saved the two,
 * does not count.
 */
async function repeated(objectPath: ObjectPath, selection: string): Promise<string[]> {
  const [few, many] = [
    await ask(documentOf(objectPath, selection, 2)),
    await ask(documentOf(objectPath, selection, 20)),
  ];
  if (!PARTS.includes(objectPath.type.name))
    expect(valuesAt(many.data, objectPath.path).length).toBeGreaterThan(valuesAt(few.data, objectPath.path).length);
  if (isPage(objectPath.type) && /\bitems\b/.test(selection))
    expect(valuesAt(many.data, [...objectPath.path, 'items']).length).toBeGreaterThan(1);
  return [...many.statements]
    .filter(([text, times]) => times > Math.max(few.statements.get(text) ?? 1, loadersOf(text)))
    .map(([text]) => text);
}

/** Loaders for nodes of unfinished runs, nodes of ended runs and resolved inputs read journals with the same statement. */
const loadersOf = (statement: string) => (statement.includes('from "workflow_run_journal"') ? 3 : 1);

const objectPaths = objectPathsOf(schema).filter(({ path }) => !ELSEWHERE.includes(path[0]!));

describe('twenty items take no more statements than two, in every list', () => {
  it.each(objectPaths.map(objectPath => [objectPath.type.name, objectPath] as const))(
    '%s',
    async (_name, objectPath) => {
      const selections = selectionsOf(objectPath.type);
      if ((await repeated(objectPath, [...selections.values()].join(' '))).length === 0) return;
      const repeatedByField: Record<string, string[]> = {};
      for (const [field, selection] of selections) {
        const statements = await repeated(objectPath, selection);
        if (statements.length > 0) repeatedByField[[...objectPath.path, field].join('.')] = statements;
      }
      expect(repeatedByField).toEqual({});
    },
  );

  it('of more than fifty types', () => {
    expect(objectPaths.length).toBeGreaterThan(50);
  });
});
