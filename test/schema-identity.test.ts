import { describe, expect, it } from '@jest/globals';
import { buildSchema, type GraphQLField, type GraphQLInputField, isInputObjectType, isObjectType } from 'graphql';
import { readPage } from './support/readme/readme.js';

const LISTED = 'scripts/schema-lint/types-without-id.mjs';

/** Types whose `id` is unique within the type over the whole service: the primary key of a table, or the name of a model. */
const IDENTIFIED = [
  ...['ApiKey', 'AuditEntry', 'BillingTransaction', 'CatalogWorkflow', 'Category', 'ChatModel', 'DeadLetter'],
  ...['Document', 'Keyword', 'KeywordCluster', 'KeywordRun', 'MarketplaceExample', 'MarketplaceWorkflow', 'Message'],
  ...['Project', 'ProjectInvitation', 'ProjectMember', 'Prompt', 'ProviderKey', 'RecognitionChunk', 'RecognitionRun'],
  ...[
    'Scenario',
    'ScenarioRun',
    'Subcategory',
    'TriggerFiring',
    'User',
    'UserSession',
    'Variable',
    'WebhookDelivery',
    'Workflow',
  ],
  ...['ProjectFile', 'KeyValueEntry'],
  ...['WorkflowEvent', 'WorkflowRun', 'WorkflowTrigger', 'ProjectVariable', 'ConnectedService', 'ConnectionUse'],
  ...['ApiDefinition', 'ApiOperation', 'ProjectEnvironment', 'ProjectVariableValue', 'TriggerConversation'],
  ...['WorkflowRevision', 'WorkflowPublication', 'WorkflowRehearsal', 'WorkflowRehearsedRun'],
];

/** Whether a name is that of an object with an `id` (`project`, `retriedRun`), or for a list of several (`projects`). */
function namesAnObject(name: string, isList: boolean): boolean {
  const word = (text: string) => /[A-Z]?[a-z]+$/.exec(text)?.[0].toLowerCase();
  const singular = isList ? word(name)?.replace(/ies$/, 'y').replace(/s$/, '') : word(name);
  return IDENTIFIED.some(type => word(type) === singular);
}

describe('identity in schema.graphql', () => {
  const types = Object.values(buildSchema(readPage('schema.graphql')).getTypeMap());

  it('gives the name id only to values that are unique within their type', () => {
    const withId = types.filter(type => isObjectType(type) && !type.name.startsWith('__') && type.getFields().id);
    expect(withId.map(({ name }) => name).filter(name => !IDENTIFIED.includes(name))).toEqual([]);
  });

  it('lists each type without an id, with its reason, for npm run lint:schema', () => {
    const listed = new Set(readPage(LISTED).match(/\w+/g));
    const isListed = (name: string) => /(Payload|Page|Connection|Edge)$/.test(name) || listed.has(name);
    const roots = ['Query', 'Mutation', 'Subscription'];
    const withoutId = types.filter(
      type => isObjectType(type) && !/^__/.test(type.name) && !roots.includes(type.name) && !type.getFields().id,
    );
    expect(withoutId.map(({ name }) => name).filter(name => !isListed(name))).toEqual([]);
  });

  it('ends the names of foreign keys in Id or Ids', () => {
    const fields = types.flatMap(type =>
      (isObjectType(type) || isInputObjectType(type)) && !type.name.startsWith('__')
        ? Object.values<GraphQLField<unknown, unknown> | GraphQLInputField>(type.getFields()).map(
            field => [`${type.name}.${field.name}`, field] as const,
          )
        : [],
    );
    const args = fields.flatMap(([path, field]) =>
      'args' in field ? field.args.map(arg => [`${path}.${arg.name}`, arg] as const) : [],
    );
    const names = [...fields, ...args].filter(([, { name, type }]) => {
      const text = String(type);
      const isKey =
        /^\[?(UUID|ID)\b/.test(text) || (/^\[?Int\b/.test(text) && namesAnObject(name, text.startsWith('[')));
      // Not keys: numbers per object such as `freeRunsPerUser`, and `prompt`, a number of tokens or a text.
      return isKey && !/(Ids?|^ids?)$|Per[A-Z]|^prompt$/.test(name);
    });
    expect(names.map(([path]) => path)).toEqual([]);
  });

  it('spells the kinds of runs as words', () => {
    expect(readPage('schema.graphql')).not.toMatch(
      /(scenario|keyword|recognition)run[A-Z]|\b(scenario|keyword|recognition)run:/,
    );
  });
});
