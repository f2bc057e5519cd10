import { z } from 'zod';
import { isObject, parseJsonText } from '../../../json-value.js';
import { type HttpAnswer, PortError } from '../../../ports.js';
import { nodeKind, oneOutput } from '../../graph/node-kind.js';
import { addressFaults, connectionReferences } from './connection.js';
import { httpFields, httpSettings, requestOf, toResponse } from './http.js';

const MAX_QUERY = 100_000;
/** Number of errors in a message and maximum characters of each. */
const MAX_ERRORS = 3;
const MAX_MESSAGE = 300;

export const graphql = nodeKind({
  type: 'graphql-node',
  nodeType: 'GraphQLNode',
  title: 'GraphQL request',
  description: 'Sends a GraphQL operation by POST. The content is `data` of the response as JSON.',
  category: 'integration',
  effects: 'external',
  outputs: oneOutput,
  hasResponse: true,
  defaults: { url: '', query: 'query { __typename }', variables: {}, headers: {} },
  // Values inserted into the query could change the operation. They are passed as variables.
  verbatimMembers: ['query'],
  form: {
    icon: 'brand-graphql',
    color: '#0891b2',
    fields: {
      connection_id: httpFields.connection_id!,
      url: httpFields.url!,
      query: { title: 'Query', widget: 'code', group: 'request' },
      variables: { title: 'Variables', widget: 'key_value', group: 'request' },
      operation_name: { title: 'Operation', widget: 'text', group: 'advanced' },
      headers: httpFields.headers!,
      max_response_bytes: httpFields.max_response_bytes!,
    },
    content: { sample: '{"order": {"state": "SHIPPED"}}', schema: { type: 'object' } },
  },
  settings: setting => {
    const { url, connection_id, headers, max_response_bytes } = httpSettings(setting).shape;
    return z.looseObject({
      url,
      connection_id,
      query: z
        .string()
        .min(1)
        .max(MAX_QUERY)
        .describe(
          'The GraphQL document, 1-100000 characters. Placeholders are not replaced: pass values as variables.',
        ),
      variables: setting
        .value(z.record(z.string(), z.unknown()))
        .nullish()
        .describe('Variables of the operation, an object whose texts may contain placeholders. Default: none.'),
      operation_name: setting
        .text(z.string())
        .nullish()
        .describe('Name of the operation, if the document contains several. Default: none.'),
      headers,
      max_response_bytes,
    });
  },
  references: data => [{ kind: 'host', path: 'url', value: data.url }, ...connectionReferences(data, 'http')],
  check: data => addressFaults(data, 'url'),
  execute: async ({ settings, ports, call }) => {
    const { url, connection_id, query, variables, operation_name, headers, max_response_bytes } = settings;
    const body = { query, variables: variables ?? {}, ...(operation_name ? { operationName: operation_name } : {}) };
    const accept = { Accept: 'application/graphql-response+json, application/json', ...headers };
    const request = requestOf({ method: 'POST', url, connection_id, headers: accept, body, max_response_bytes }, call);
    const answer = await ports.http.request({ ...request, response: 'text' }, call);
    return { content: JSON.stringify(dataOf(answer)), response: toResponse(answer) };
  },
});

/** Returns `data` of a response. Throws a PortError if it is not a GraphQL response, or has errors. */
function dataOf({ status, body }: HttpAnswer): unknown {
  const answer = parseJsonText(body);
  if (!isObject(answer) || !('data' in answer || Array.isArray(answer.errors))) {
    const reason = status >= 400 ? `answered with status ${status}` : 'did not answer with a GraphQL response';
    const code = status >= 400 ? 'http_status' : 'invalid_response';
    throw new PortError(code, `the server ${reason}`, { status });
  }
  const { errors, data = null } = answer;
  if (Array.isArray(errors) && errors.length > 0)
    throw new PortError('graphql_errors', `the server reported errors: ${messagesOf(errors)}`, { status });
  return data;
}

function messagesOf(errors: readonly unknown[]): string {
  const messages = errors.slice(0, MAX_ERRORS).map(error => {
    const message = isObject(error) ? error.message : undefined;
    return typeof message === 'string' ? message.slice(0, MAX_MESSAGE).toWellFormed() : 'an error without a message';
  });
  return messages.join('; ') + (errors.length > MAX_ERRORS ? `; and ${errors.length - MAX_ERRORS} more` : '');
}
