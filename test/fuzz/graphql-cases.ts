import fc from 'fast-check';
import {
  type GraphQLInputType,
  getNamedType,
  getVariableValues,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { arbitraryValue, codeUnit, RawJson } from './arbitrary-values.js';
import { graphValue } from './declared-values.js';
import { ACTORS, type Actor, type FuzzTarget, type Kind, Slot, slotOf } from './fuzz-target.js';
import { ROOT_FIELDS, type RootField, SCHEMA } from './graphql-fields.js';
import { jsonText } from './rest-cases.js';

export interface GraphQLCase {
  caller: Actor;
  /** Values by variable; slots are not resolved yet. */
  variables: Record<string, unknown>;
}

/** Variables of one root field: some as declared, most with one fault, some with many. */
export function graphqlCase(root: RootField): fc.Arbitrary<GraphQLCase> {
  return fc.oneof(
    { weight: 3, arbitrary: caseOf(root, 0) },
    { weight: 6, arbitrary: caseOf(root, 1) },
    { weight: 2, arbitrary: caseOf(root, 6) },
  );
}

/** The required arguments of a root field, which name objects of the owner. */
export function plainCase({ name, field }: RootField): GraphQLCase {
  const required = field.args
    .filter(isRequiredArgument)
    .map(argument => [argument.name, kindOfArgument(name, argument.name)]);
  const variables = Object.fromEntries(required.map(([key, kind]) => [key, new Slot(kind as Kind, 'live', 0)]));
  return { caller: 'owner', variables };
}

function caseOf({ name, field }: RootField, arbitraryShare: number): fc.Arbitrary<GraphQLCase> {
  const usual: Actor = /^(user|users|auditLog|apiKeyUpdate|apiKeyBudget)/.test(name) ? 'administrator' : 'owner';
  return fc.record({
    caller: fc.oneof(
      { weight: 6, arbitrary: fc.constant(usual) },
      { weight: 2, arbitrary: fc.constantFrom(...ACTORS) },
    ),
    variables: membersOf(field.args, name, arbitraryShare),
  });
}

function membersOf(
  inputs: readonly { name: string; type: GraphQLInputType; defaultValue?: unknown }[],
  root: string,
  arbitraryShare: number,
): fc.Arbitrary<Record<string, unknown>> {
  const sent = inputs.map(({ name, type, defaultValue }) => {
    const isRequired = isNonNullType(type) && defaultValue === undefined;
    const value = fc.oneof(
      { weight: 12 - arbitraryShare, arbitrary: declared(type, name, root, arbitraryShare) },
      { weight: arbitraryShare, arbitrary: arbitraryValue },
    );
    const isSent = isRequired ? fc.nat(arbitraryShare > 0 ? 12 : 1_000).map(one => one > 0) : fc.boolean();
    return fc.tuple(fc.constant(name), isSent, value);
  });
  return fc
    .tuple(...sent)
    .map(all => Object.fromEntries(all.filter(([, isSent]) => isSent).map(([name, , value]) => [name, value])));
}

function declared(type: GraphQLInputType, name: string, root: string, arbitraryShare: number): fc.Arbitrary<unknown> {
  if (isNonNullType(type)) return declaredOf(type.ofType, name, root, arbitraryShare);
  return fc.oneof({ weight: 5, arbitrary: declaredOf(type, name, root, arbitraryShare) }, fc.constant(null));
}

function declaredOf(type: GraphQLInputType, name: string, root: string, arbitraryShare: number): fc.Arbitrary<unknown> {
  if (isListType(type) && getNamedType(type).name === 'Int') return fc.array(fc.nat(9), { maxLength: 3 });
  if (isListType(type) && isEnumType(getNamedType(type)))
    return fc.array(declaredOf(getNamedType(type) as GraphQLInputType, name, root, arbitraryShare), { maxLength: 3 });
  if (isListType(type)) return fc.array(fc.constantFrom('one', 'Two ', 'de'), { maxLength: 3 });
  if (isInputObjectType(type)) return membersOf(Object.values(type.getFields()), root, arbitraryShare);
  const named = getNamedType(type);
  if (isEnumType(named)) return fc.constantFrom(...named.getValues().map(value => value.name));
  const kind = kindOfArgument(root, name);
  if (kind && (kind === 'slug' || ['Int', 'UUID'].includes(named.name))) {
    return slotOf(kind, /Delete|Remove|Detach/.test(root) ? 1 : 12);
  }
  return BY_NAME[name] ?? BY_SCALAR[named.name] ?? fc.constant('a');
}

const BY_NAME: Record<string, fc.Arbitrary<unknown>> = {
  globalId: fc.constantFrom(...['Project:1', 'Workflow:2', 'User:1', 'Money:1'].map(text => btoa(text)), 'a'),
  after: fc.constantFrom(null, btoa('["auditLog","2026-02-30T00:00:00.000000Z","a"]')),
  email: fc.oneof(
    fc.constantFrom('Outsider@example.com', 'bystander@example.com', 'one@example.com'),
    fc.uuid().map(name => `${name}@example.com`),
  ),
  name: fc.oneof(fc.constant('a'), fc.uuid()),
  password: fc.constantFrom('wrong', 'a password of twenty characters'),
  webhookUrl: fc.constantFrom('', 'https://example.com/hook'),
  endpointUrl: fc.constantFrom('http://127.0.0.1:1/mcp', 'http://[::1]/'),
  nodeId: fc.constantFrom('if', 'out', 'call'),
  idempotencyKey: fc.constantFrom('one', 'two'),
  page: fc.integer({ min: 1, max: 3 }),
  size: fc.integer({ min: 0, max: 100 }),
  categoryId: fc.integer({ min: 1, max: 8 }),
  key: fc.uuid(),
  // Members of prompts and of messages.
  role: fc.constantFrom('user', 'system', 'assistant', 'viewer', 'editor', 'admin'),
  content: fc.constantFrom('Write.', 'Write about cats.'),
  returnType: fc.constantFrom('text', 'variables', 'image'),
  promptIds: fc.constant([]),
  messages: fc.constant([]),
  messageIds: fc.constant([]),
  conditions: fc.constant([]),
  promptConditions: fc.constant([]),
  parameters: fc.constantFrom({}, { model_name: 'echo', temperature: 0.5 }),
  marketPermission: fc.constantFrom('private', 'market_available'),
  keywordRunId: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, slotOf('keywordRun')),
  keywordClusterId: fc.constant(null),
  url: fc.constantFrom(null, 'https://example.com/', 'http://127.0.0.1:1/'),
  preset: fc.constantFrom(1, 2, 4),
  keywordRunMode: fc.constant(null),
  loopVariableId: fc.constant(null),
  chunkSize: fc.constantFrom(50, 500),
  query: fc.constantFrom('cats', 'a b'),
  subcategoryId: fc.constant(null),
  data: graphValue,
  input: fc.constantFrom({ topic: 'cats' }, {}, null),
  baseUrl: fc.constantFrom('http://127.0.0.1:1/v1', null),
  headers: fc.constantFrom({}, { 'x-a': '********' }),
  languages: fc.constantFrom('en', 'de,pt-BR'),
};

const BY_SCALAR: Record<string, fc.Arbitrary<unknown>> = {
  Int: fc.nat(999),
  Float: fc.constantFrom(0.1, 1, 30),
  Boolean: fc.boolean(),
  DateTime: fc.constant('2030-01-01T00:00:00Z'),
  Date: fc.constantFrom('2026-01-31', '2030-12-31'),
  Decimal: fc.constantFrom('0', '0.000000000001', '12.50', '1000000000'),
  UUID: fc.uuid(),
  HttpHeaders: fc.constantFrom({}, { 'x-a': 'b' }),
  ChatRequest: fc.constantFrom(
    { model: 'echo', messages: [{ role: 'user', content: 'Hello' }] },
    { model: 'gpt-4o-mini' },
  ),
  JSON: fc.jsonValue({ maxDepth: 2 }),
};

/** Kinds of object whose root fields begin with their name. */
const KINDS_BY_NAME = [
  ...(['workflow', 'project', 'apiKey', 'user', 'category', 'variable', 'prompt', 'message', 'scenario'] as const),
  ...(['document', 'recognitionRun', 'keywordRun', 'keyword'] as const),
];

/** The kind of object that an argument names. */
export function kindOfArgument(root: string, name: string): Kind | undefined {
  const own: Record<string, Kind> = {
    projectId: 'project',
    workflowId: 'workflow',
    runId: 'run',
    leftId: 'run',
    rightId: 'run',
    requestId: 'approval',
    userId: 'user',
    documentId: 'document',
    recognitionRunId: 'recognitionRun',
    categoryId: 'category',
    scenarioId: 'scenario',
    scenarioRunId: 'scenarioRun',
    slug: 'slug',
    rehearsalId: 'rehearsal',
  };
  if (root === 'marketplaceExample' && name === 'runId') return 'example';
  if (name !== 'id') return own[name];
  if (root.startsWith('projectMember')) return 'member';
  if (root.startsWith('projectInvitation')) return 'invitation';
  if (root.startsWith('workflowRehears')) return 'rehearsal';
  if (root.startsWith('workflowRun')) return 'run';
  if (root.startsWith('workflowTrigger')) return 'trigger';
  if (root.startsWith('webhook')) return 'delivery';
  if (root.startsWith('catalog')) return 'workflow';
  if (root.startsWith('scenarioRun')) return 'scenarioRun';
  if (root.startsWith('recognitionChunk')) return 'chunk';
  if (root.startsWith('providerKey')) return 'providerKey';
  if (root.startsWith('projectFile')) return 'file';
  if (root.startsWith('keyValueEntry')) return 'keyValueEntry';
  if (root.startsWith('projectEnvironment')) return 'environment';
  if (root.startsWith('projectVariable')) return 'projectVariable';
  if (root.startsWith('connection')) return 'connection';
  if (root.startsWith('api')) return 'apiDefinition';
  if (root.startsWith('subcategory')) return 'category';
  return KINDS_BY_NAME.find(kind => root.startsWith(kind));
}

/** The variables as JSON text. */
export async function variablesText(values: unknown, target: FuzzTarget): Promise<string> {
  if (values instanceof Slot) return JSON.stringify(await target.idOf(values));
  if (values instanceof RawJson || typeof values !== 'object' || values === null || Array.isArray(values)) {
    return jsonText(values);
  }
  const members: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    members.push(`${JSON.stringify(name)}:${await variablesText(value, target)}`);
  }
  return `{${members.join(',')}}`;
}

/** Why the schema requires that the variables are refused; null: it does not. */
export function badVariables({ document }: RootField, text: string): string | null {
  const [operation] = parse(document).definitions as [OperationDefinitionNode];
  const read = getVariableValues(SCHEMA, operation.variableDefinitions ?? [], JSON.parse(text), { maxErrors: 1 });
  return read.errors?.[0]?.message ?? null;
}

const QUERY_DOCUMENTS = ROOT_FIELDS.filter(({ operation }) => operation === 'query').map(({ document }) => document);
const me = '{ me { id } }';

/** Requests that no client sends: malformed documents, excessive queries, bodies that are not GraphQL requests. */
export const oddRequest: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(fc.constantFrom(...QUERY_DOCUMENTS, me), fc.nat(), fc.nat(30), oddText()).map(corrupted),
  },
  { weight: 3, arbitrary: oddText().map(query => JSON.stringify({ query })) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(arbitraryValue, arbitraryValue, arbitraryValue)
      .map(([query, variables, operationName]) => jsonText({ query, variables, operationName })),
  },
  { weight: 1, arbitrary: arbitraryValue.map(extensions => jsonText({ query: me, extensions })) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...[
        `{${Array.from({ length: 300 }, (_, at) => ` a${at}: me { id }`).join('')} }`,
        `{${' me { id }'.repeat(2_000)} }`,
        `query { me ${'{ id '.repeat(500)}${'}'.repeat(500)} }`,
        'fragment A on User { ...B } fragment B on User { ...A } { me { ...A } }',
        'fragment A on User { id ...A } { me { ...A } }',
        `{ me ${'@include(if: true) '.repeat(200)} { id } }`,
        `{ me @skip(if: $no) { id } }`,
        'query A { me { id } } query A { me { id } }',
        'query A { me { id } } query B { me { id } }',
        'query ($a: Int = null, $a: String!) { me { id } }',
        '{ __schema { types { fields { type { fields { type { name } } } } } } }',
        '{ __type(name: "__proto__") { name } __typename }',
        '{ project(id: 99999999999999999999) { id } }',
        '{ project(id: 1e400) { id } }',
        '{ workflowCheck(data: "\\u0000") { isValid } }',
        '{ workflowCheck(data: {__proto__: {polluted: true}, constructor: 1}) { isValid } }',
        `{ workflowCheck(data: ${'['.repeat(500)}${']'.repeat(500)}) { isValid } }`,
        'subscription { workflowRunChanged(id: "00000000-0000-0000-0000-000000000000") { sequence } }',
        'type A { a: Int }',
        '',
        ' ',
        '#',
      ].map(query => JSON.stringify({ query })),
      ...['', '[]', '{}', 'null', '1', '"x"', '[{"query":"{ me { id } }"},{"query":"{ me { id } }"}]', '{"query":1}'],
      ...['{"query":"{ me { id } }","variables":[]}', '{"query":"{ me { id } }","variables":"{}"}', '{', '\ufeff{}'],
    ),
  },
);

function oddText(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.string({ unit: codeUnit, maxLength: 20 }),
    fc.constantFrom(
      '{',
      '}',
      '(',
      '"',
      '"""',
      '$a',
      '@x',
      '...',
      '\u0000',
      '\ud800',
      '[[[[',
      '1e999',
      '#',
      '__proto__',
      '\ufeff',
    ),
  );
}

function corrupted([document, place, length, text]: [string, number, number, string]): string {
  const at = place % document.length;
  return JSON.stringify({ query: document.slice(0, at) + text + document.slice(at + length) });
}
