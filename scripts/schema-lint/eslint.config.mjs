import graphql from '@graphql-eslint/eslint-plugin';
import { TYPES_WITHOUT_ID } from './types-without-id.mjs';

const SORTED_DEFINITIONS = ['ObjectTypeDefinition', 'InterfaceTypeDefinition', 'InputObjectTypeDefinition'];

/** Rules of `schema-all` with other options. */
const OPTIONS = {
  // Also `id`, `createdAt` and `updatedAt` are sorted by name.
  '@graphql-eslint/alphabetize': [
    'error',
    {
      definitions: true,
      fields: SORTED_DEFINITIONS,
      values: true,
      arguments: ['FieldDefinition', 'Field', 'DirectiveDefinition', 'Directive'],
    },
  ],
  // An id is the primary key of a table, or the name of a model. `globalId` is unique over all types.
  '@graphql-eslint/strict-id-in-types': [
    'error',
    {
      acceptedIdTypes: ['Int', 'ID', 'UUID', 'String'],
      exceptions: {
        suffixes: ['Payload', 'Page', 'Connection', 'Edge'],
        types: TYPES_WITHOUT_ID,
      },
    },
  ],
};

/** Rules that are off, because every type would be an exception. */
const OFF = {
  // The rule must forbid mutations or subscriptions. The service has both.
  '@graphql-eslint/no-root-type': 'off',
  // Rights, rate limits and costs are checked for the root fields of an operation. A field `query` of each payload would be a second way to
  // them, after the mutation. Payloads contain the changed object; a client that needs more sends a query.
  '@graphql-eslint/require-field-of-type-query-in-mutation-result': 'off',
};

const RELATED_TYPES = [
  ...['Keyword.keywordClusterId', 'Keyword.keywordRun', 'Keyword.keywordRunId', 'Prompt.promptConditions'],
  ...['Scenario.scenarioRunId', 'Variable.variableNames'],
];

/** Findings that are not faults, by rule. The pattern finds the names in the message. */
const EXCEPTIONS = {
  // Capital letters come first, as graphql-schema-linter requires; this rule ignores case.
  alphabetize: {
    pattern: /"(\w+)" should be before [\w ]+ "(\w+)"/,
    isException: ([, later, earlier]) => earlier < later,
  },
  // Named after the related type, which begins like the parent: a keyword belongs to a keyword run.
  'no-typename-prefix': {
    pattern: /Field "(\w+)" starts with the name of the parent type "(\w+)"/,
    isException: ([, field, type]) => RELATED_TYPES.includes(`${type}.${field}`),
  },
  // An argument of an input type is named `input`. The object of the mutation, options of the call and other scalars are arguments of their
  // own, which are shorter to write and have their own variable in REST operations. A list of inputs is
  // named `items`, and the typed form of the graph in `data` is `graph`. Rehearsals have two objects: the `runs` to repeat and the `change`.
  'input-name': {
    pattern: /Input "(\w+)" should be named "input"/,
    isException: ([, name], { node }) =>
      ['items', 'graph', 'runs', 'change'].includes(name) || !namedType(node.parent.rawNode().type).endsWith('Input'),
  },
};

function namedType({ kind, type, name }) {
  return kind === 'NamedType' ? name.value : namedType(type);
}

/** The message of a finding. Most rules name a text with `{{ members }}` of the data. */
function textOf({ meta }, { message, messageId, data = {} }) {
  return message ?? meta.messages[messageId].replaceAll(/\{\{ ?(\w+) ?\}\}/g, (_, name) => data[name]);
}

/** The rule without the findings that are exceptions. */
function except(rule, { pattern, isException }) {
  const create = context => {
    const report = finding => {
      const found = pattern.exec(textOf(rule, finding));
      if (found === null || !isException(found, finding)) context.report(finding);
    };
    return rule.create(Object.create(context, { report: { value: report } }));
  };
  return { ...rule, create };
}

const rules = Object.entries(EXCEPTIONS).map(([name, exceptions]) => [name, except(graphql.rules[name], exceptions)]);

export default [
  {
    files: ['schema.graphql'],
    languageOptions: {
      parser: graphql.parser,
      parserOptions: { graphQLConfig: { schema: './schema.graphql' } },
    },
    plugins: { '@graphql-eslint': { ...graphql, rules: { ...graphql.rules, ...Object.fromEntries(rules) } } },
    rules: { ...graphql.configs['flat/schema-all'].rules, ...OPTIONS, ...OFF },
  },
];
