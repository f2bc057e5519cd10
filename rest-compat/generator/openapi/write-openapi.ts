import type { GraphQLSchema } from 'graphql';
import { groupTitle } from '../group-title.js';
import type { OperationSource } from '../operation-source.js';
import { cacheParameters, cacheResponses } from './cache-headers.js';
import { errorResponses, errorSchemas } from './error-responses.js';
import { exampleValue } from './example-value.js';
import { graphBody } from './graph-body.js';
import { fieldDescription, groupDescription } from './graphql-descriptions.js';
import { idempotencyParameters } from './idempotency-header.js';
import { inputParameters } from './input-parameters.js';
import { type InputNotes, inputNotes, inputSchema } from './input-schema.js';
import { jsonComponents } from './json-components.js';
import type { JsonSchema } from './json-schema.js';
import { multipartBody } from './multipart-body.js';
import { type NodeKindSchema, nodeComponents } from './node-components.js';
import { OutputSchemas } from './output-schema.js';
import { preferenceParameters } from './preference-headers.js';
import { headerComponents, successHeaders } from './response-headers.js';
import { runInputBody } from './run-input-body.js';
import { securityOf, securitySchemes } from './security-schemes.js';
import { verbatimBody, verbatimSuccess } from './verbatim-schemas.js';

/** The OpenAPI 3.1 document of the operations, as JSON text. */
export function writeOpenapi(
  schema: GraphQLSchema,
  operations: readonly OperationSource[],
  { version, nodeKinds }: { version: string; nodeKinds: readonly NodeKindSchema[] },
): string {
  const outputs = new OutputSchemas(schema);
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const operation of operations) {
    const { method } = operation.route;
    // OpenAPI has no notation for a parameter with slashes.
    const path = operation.route.path.replace('{+', '{');
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(schema, outputs, operation) };
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Scenarium REST API',
      version,
      description:
        'Workflow and scenario automation. Every route executes a GraphQL operation; `/graphql` gives access to the whole schema.',
      contact: { name: 'Scenarium' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...Map.groupBy(operations, operation => operation.group)]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([group, members]) => ({ name: groupTitle(group), description: groupDescription(schema, members) })),
    paths,
    components: {
      schemas: {
        ...Object.fromEntries([...outputs.components].toSorted(([a], [b]) => (a < b ? -1 : 1))),
        ...nodeComponents(nodeKinds),
        ...jsonComponents,
        ...errorSchemas,
      },
      headers: headerComponents,
      securitySchemes: securitySchemes(operations),
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function operationObject(schema: GraphQLSchema, outputs: OutputSchemas, operation: OperationSource): JsonSchema {
  const { route, inputs } = operation;
  const notes = inputNotes(schema, operation);
  const description = operation.description || fieldDescription(schema, operation);
  const parameters = [
    ...inputs
      .filter(input => input.location === 'path' || input.location === 'query' || input.location === 'header')
      .flatMap(input => inputParameters(input, notes.get(input.name)?.description)),
    ...idempotencyParameters(route),
    ...preferenceParameters(operation),
    ...cacheParameters(route),
  ];
  const envelope =
    route.reply === 'ENVELOPE_STATUS'
      ? outputs.of(operation.body.field, operation.body.type, operation.fragments)
      : null;
  const requestBody = bodyObject(operation, notes);
  return {
    operationId: route.operation.charAt(0).toLowerCase() + route.operation.slice(1),
    tags: [groupTitle(operation.group)],
    summary: operation.summary,
    ...(description && { description }),
    security: securityOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: {
      [String(route.status)]: successObject(outputs, operation),
      ...(route.reply === 'CREATED_OR_ACCEPTED' && { 202: successObject(outputs, operation) }),
      ...cacheResponses(route),
      ...errorResponses(operation, envelope),
    },
  };
}

function bodyObject(operation: OperationSource, notes: ReadonlyMap<string, InputNotes>): JsonSchema | null {
  if (operation.route.body === 'RUN_INPUT') return runInputBody(operation);
  if (operation.route.body === 'GRAPH') return graphBody(operation, notes);
  if (operation.route.body === 'MULTIPART') return multipartBody(operation, notes);
  if (operation.route.body === 'VERBATIM') return verbatimBody(operation);
  const members = operation.inputs.filter(input => input.location === 'body');
  if (members.length === 0) return null;
  const required = members.filter(member => member.isRequired).map(member => member.name);
  const schema: JsonSchema = {
    type: 'object',
    properties: Object.fromEntries(members.map(member => [member.name, inputSchema(member, notes.get(member.name))])),
    ...(required.length > 0 && { required }),
  };
  // Examples for the input of `projectCreate` are those of the record Project.
  const noun = operation.rootField.replace(/[A-Z].*/, '');
  const record = noun.charAt(0).toUpperCase() + noun.slice(1);
  const example = operation.example.request ?? exampleValue(schema, '', new Map(), '', record);
  return { required: required.length > 0, content: { 'application/json': { schema, example } } };
}

function successObject(outputs: OutputSchemas, operation: OperationSource): JsonSchema {
  const { field, type } = operation.body;
  const schema = outputs.of(field, type, operation.fragments);
  const headers = successHeaders(operation);
  if (operation.route.reply === 'VERBATIM') return { ...verbatimSuccess(operation), headers };
  if (operation.route.reply === 'EMPTY') return { description: 'Success. No body.', headers };
  const example = operation.example.response ?? exampleValue(schema, field.name.value, outputs.components);
  return {
    description: operation.summary,
    headers,
    content: { 'application/json': { schema, example } },
  };
}
