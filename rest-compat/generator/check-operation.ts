import {
  type DocumentNode,
  type GraphQLSchema,
  getDirectiveValues,
  getNamedType,
  getNullableType,
  isEnumType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  print,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { directiveArguments } from '../runtime/input/ast-directive.js';
import { bodyFieldOf } from '../runtime/input/body-field.js';
import { fragmentsOf } from '../runtime/input/input-objects.js';
import {
  filePartsOf,
  graphVariable,
  type Input,
  inputsOf,
  restNamesOf,
  runVariables,
  unusedMembersOf,
  verbatimVariable,
} from '../runtime/input/inputs.js';
import { pathParameters, type Route } from '../runtime/route.js';
import { jsonComponents } from './openapi/json-components.js';
import type { OperationFile, OperationSource } from './operation-source.js';

type RestDirective = Pick<Route, 'method' | 'path' | 'auth' | 'reply'> & {
  readonly status?: number | null;
  readonly body?: Route['body'] | null;
  readonly idempotencyKey?: boolean | null;
  readonly maxAge?: number | null;
  readonly errors: readonly { readonly code: keyof Route['errors']; readonly status: number }[];
};

/** Checks what GraphQL validation does not cover, such as that `@rest` fits the operation. Returns the checked operation or all faults. */
export function checkOperation(
  schema: GraphQLSchema,
  file: OperationFile,
  definition: OperationDefinitionNode,
  document: DocumentNode,
): OperationSource | { readonly faults: readonly string[] } {
  const directive = schema.getDirective('rest');
  const rest = directive && (getDirectiveValues(directive, definition) as RestDirective | undefined);
  if (!rest || !definition.name) return { faults: [rest ? 'it needs a name' : 'it has no @rest'] };
  const body = bodyFieldOf(schema, definition);
  if (!body) return { faults: ['one field must have the alias body and be the only field of its level'] };

  const route = routeOf(rest, definition, document);
  const inputs = inputsOf(schema, definition, route);
  const example = readTexts(schema, definition, 'example');
  const schemas = readTexts(schema, definition, 'schemas');
  const faults = [
    ...pathFaults(route, inputs),
    ...bodyFaults(route, inputs),
    ...inputs.flatMap(input => inputFaults(input, route, definition)),
    ...aliasFaults(inputs),
    ...unusedFaults(route, inputs, definition),
    ...jsonSchemaFaults(document),
    ...fieldChoiceFaults(schema, document),
    ...statusFaults(route),
    ...example.faults,
    ...schemas.faults,
  ];
  if (!definition.description) faults.push('it needs a description, whose first line is the summary');
  if (faults.length > 0) return { faults };

  const [summary = '', ...text] = (definition.description?.value ?? '').split('\n');
  const [root] = definition.selectionSet.selections;
  return {
    group: (file.name.split('/').at(-1) ?? '').replace(/\.graphql$/, ''),
    route,
    definition,
    fragments: fragmentsOf(document),
    inputs,
    body,
    rootField: root?.kind === Kind.FIELD ? root.name.value : '',
    summary: summary.trim(),
    description: text.join('\n').trim(),
    example: example.values,
    schemas: schemas.values,
  };
}

/** Status of a success by the form of its reply, unless the directive names another. */
const REPLY_STATUS = { JSON: 200, EMPTY: 204, ENVELOPE_STATUS: 201, CREATED_OR_ACCEPTED: 201, VERBATIM: 200 };

function routeOf(rest: RestDirective, definition: OperationDefinitionNode, document: DocumentNode): Route {
  const hasBody = rest.method !== 'GET' && rest.method !== 'DELETE';
  const status = rest.status ?? REPLY_STATUS[rest.reply];
  // Idempotency keys belong to a caller, so a route without credentials has none.
  const creates = definition.operation === 'mutation' && status === 201 && rest.auth !== 'NONE';
  return {
    operation: definition.name?.value ?? '',
    method: rest.method,
    path: rest.path,
    status,
    auth: rest.auth,
    body: rest.body ?? (hasBody ? 'JSON' : 'NONE'),
    reply: rest.reply,
    idempotencyKey: rest.idempotencyKey ?? (rest.method === 'POST' && creates),
    maxAge: rest.maxAge ?? null,
    errors: Object.fromEntries(rest.errors.map(({ code, status }) => [code, status])),
    document: print(withoutTableColumns(document)),
  };
}

/** The document for the route table, without descriptions and without directives whose arguments are columns of that table. */
function withoutTableColumns(document: DocumentNode): DocumentNode {
  return visit(document, {
    OperationDefinition: node => ({ ...node, description: undefined }),
    VariableDefinition: node => ({ ...node, description: undefined }),
    Directive: node => (['rest', 'example', 'schemas', 'jsonSchema'].includes(node.name.value) ? null : undefined),
  });
}

/** `{name}` is one segment of a path, `{+name}` at the end is the rest of it with slashes. */
function pathFaults(route: Route, inputs: readonly Input[]): string[] {
  const faults = pathParameters(route.path).flatMap(name => {
    const input = inputs.find(candidate => candidate.name === name);
    if (!input) return [`the path names {${name}}, but there is no variable $${name}`];
    return input.isRequired ? [] : [`$${name} is in the path and must be non-null without a default`];
  });
  if (
    !/^\/(api\/([\w.-]+\/|\{\w+\}\/)*|v1\/([\w.-]+|\{\w+\})(\/([\w.-]+|\{\w+\}))*(\/\{\+\w+\})?\/?)$/.test(route.path)
  ) {
    faults.push(
      'the path must start with /api/ and end with a slash, or start with /v1/, and contain {parameters} only as whole segments',
    );
  }
  return faults;
}

function bodyFaults(route: Route, inputs: readonly Input[]): string[] {
  const missing = missingVariables(route.body, inputs);
  return [
    ...missing.map(name => `the body ${route.body} sets $${name}, which is not declared`),
    ...methodFaults(route, inputs),
  ];
}

/** Variables that this kind of body sets but the operation does not declare. */
function missingVariables(body: Route['body'], inputs: readonly Input[]): readonly string[] {
  const wholeBodyNames = inputs.filter(({ location }) => location === 'whole').map(({ name }) => name);
  const members = inputs.filter(({ location }) => location === 'body').map(({ name }) => name);
  switch (body) {
    case 'RUN_INPUT':
      return runVariables.filter(name => !wholeBodyNames.includes(name));
    case 'GRAPH':
      return members.includes(graphVariable) ? [] : [graphVariable];
    case 'VERBATIM':
      return wholeBodyNames.length > 0 ? [] : [verbatimVariable];
    default:
      return [];
  }
}

/** Options that do not fit the method, the credentials or the body. */
function methodFaults(route: Route, inputs: readonly Input[]): string[] {
  const faults: string[] = [];
  if (route.method === 'GET' && route.body !== 'NONE') faults.push('GET has no body');
  if (route.body === 'JSON' && inputs.every(input => input.location === 'path' || input.location === 'query'))
    faults.push('no variable comes from the body: set body to NONE');
  if (route.idempotencyKey && (route.method !== 'POST' || route.auth === 'NONE'))
    faults.push('idempotencyKey requires POST and credentials');
  if (route.maxAge !== null && (route.method !== 'GET' || route.maxAge < 0))
    faults.push('maxAge requires GET and a value of 0 or more');
  return faults;
}

function statusFaults(route: Route): string[] {
  const faults: string[] = [];
  if (route.status < 200 || route.status > 299) faults.push('the status of a success must be 200-299');
  if ((route.reply === 'EMPTY') !== (route.status === 204))
    faults.push('the reply EMPTY requires the status 204, and the status 204 the reply EMPTY');
  for (const [code, status] of Object.entries(route.errors)) {
    if (status < 400 || status > 599) faults.push(`the status for ${code} must be 400-599`);
  }
  return faults;
}

function inputFaults(input: Input, route: Route, definition: OperationDefinitionNode): string[] {
  return [...directiveFaults(input, definition), ...defaultFaults(input), ...locationFaults(input, route)];
}

function defaultFaults({ name, location, fallback, type }: Input): string[] {
  const isReplaced = location === 'body' && fallback !== undefined && !isNonNullType(type);
  return isReplaced ? [`$${name} has a default, so its type must be non-null: a null would replace the default`] : [];
}

function directiveFaults(input: Input, definition: OperationDefinitionNode): string[] {
  const named = getNamedType(input.type);
  const node = definition.variableDefinitions?.find(candidate => candidate.variable.name.value === input.name);
  const hasDirective = (name: string) => node?.directives?.some(directive => directive.name.value === name) ?? false;
  const faults: string[] = [];
  if (hasDirective('range') && !['Int', 'Float'].includes(named.name))
    faults.push(`@range on $${input.name}, which is not a number`);
  if (input.orBoolean && !isIdOrBoolean(input, input.orBoolean.variable, definition))
    faults.push(`@orBoolean on $${input.name} requires a query parameter of type Int and a variable of type Boolean`);
  if (hasDirective('negated') && named.name !== 'Boolean')
    faults.push(`@negated on $${input.name}, which is not a boolean`);
  if (hasDirective('choices') && !isEnumType(named)) faults.push(`@choices on $${input.name}, which is not an enum`);
  faults.push(...choiceFaults(input));
  if (input.min !== null && input.max !== null && input.min > input.max)
    faults.push(`@range on $${input.name} is empty`);
  return faults;
}

function isIdOrBoolean(input: Input, variable: string, definition: OperationDefinitionNode): boolean {
  const other = definition.variableDefinitions?.find(candidate => candidate.variable.name.value === variable);
  return (
    getNamedType(input.type).name === 'Int' && input.location === 'query' && !!other && print(other.type) === 'Boolean'
  );
}

/** Each choice must be a value of the enum. */
function choiceFaults(input: Input): string[] {
  const named = getNamedType(input.type);
  if (!isEnumType(named)) return [];
  return [...(input.choices?.values() ?? [])]
    .filter(value => !named.getValue(value))
    .map(value => `@choices on $${input.name}: ${named.name} has no value ${value}`);
}

/** The choices of a field must be the values of its enum, all of them. */
function fieldChoiceFaults(schema: GraphQLSchema, document: DocumentNode): string[] {
  const faults: string[] = [];
  const types = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(types, {
      Field(node) {
        if (!directiveArguments(node, 'choices')) return;
        const named = getNamedType(types.getType());
        const at = `@choices on ${node.name.value}`;
        if (!isEnumType(named)) return void faults.push(`${at}, which is not an enum`);
        const names = restNamesOf(node, named);
        for (const value of names.keys())
          if (!named.getValue(value)) faults.push(`${at}: ${named.name} has no value ${value}`);
        for (const { name } of named.getValues()) if (!names.has(name)) faults.push(`${at}: ${name} is missing`);
      },
    }),
  );
  return faults;
}

function locationFaults(input: Input, route: Route): string[] {
  const faults: string[] = [];
  if (input.location === 'query' && 'getFields' in getNullableType(input.type))
    faults.push(`$${input.name} is an object and cannot be a query parameter`);
  if (filePartsOf(input).length > 0 && route.body !== 'MULTIPART')
    faults.push(`$${input.name} is a file and requires the body MULTIPART`);
  if (input.location === 'whole' && route.body === 'RUN_INPUT' && isNonNullType(input.type))
    faults.push(`$${input.name} must be nullable, because the body may be empty`);
  return faults;
}

/** An alias must be unique and is only possible in a query or a body. */
function aliasFaults(inputs: readonly Input[]): string[] {
  const names = inputs.flatMap(input => [input.name, ...input.aliases]);
  return inputs.flatMap(({ name, aliases, location }) => [
    ...(aliases.length > 0 && location !== 'query' && location !== 'body'
      ? [`@alias on $${name}, which is neither a query parameter nor a member of the body`]
      : []),
    ...aliases
      .filter(alias => names.filter(candidate => candidate === alias).length > 1 || !/^\w+$/.test(alias))
      .map(alias => `@alias on $${name}: ${alias} is not a valid name or is already used`),
  ]);
}

/** An unused member belongs to a body of named members, and must not be the name of a variable. */
function unusedFaults({ body }: Route, inputs: readonly Input[], definition: OperationDefinitionNode): string[] {
  const members = unusedMembersOf(definition);
  const used = new Set(inputs.flatMap(({ name, aliases }) => [name, ...aliases]));
  return [
    ...(members.length > 0 && body !== 'JSON' ? [`@unused requires the body JSON, not ${body}`] : []),
    ...members.filter(name => used.has(name)).map(name => `@unused: ${name} is a variable`),
  ];
}

function jsonSchemaFaults(document: DocumentNode): string[] {
  const faults: string[] = [];
  visit(document, {
    Directive(node) {
      const name = node.name.value === 'jsonSchema' && node.arguments?.[0]?.value;
      if (name && name.kind === Kind.STRING && !Object.hasOwn(jsonComponents, name.value))
        faults.push(`@jsonSchema: ${name.value} is not one of ${Object.keys(jsonComponents).join(', ')}`);
    },
  });
  return faults;
}

/** Parses the JSON texts of a directive. */
function readTexts(schema: GraphQLSchema, definition: OperationDefinitionNode, name: 'example' | 'schemas') {
  const directive = schema.getDirective(name);
  const texts = (directive && getDirectiveValues(directive, definition)) ?? {};
  const values: { request?: unknown; response?: unknown } = {};
  const faults: string[] = [];
  for (const part of ['request', 'response'] as const) {
    if (typeof texts[part] !== 'string') continue;
    try {
      values[part] = JSON.parse(texts[part]);
    } catch {
      faults.push(`the ${part} of @${name} is not JSON`);
    }
  }
  return { values, faults };
}
