import type { Request, Response } from 'express';
import { GraphQLError, getOperationAST, type OperationTypeNode } from 'graphql';
import type { RequestContext } from '../../modules/accounts/request-context.js';
import { UnauthenticatedError } from '../../platform/errors/errors.js';
import { parseDocument } from '../documents.js';
import { httpHeadersOf, httpStatusOf } from '../errors.js';
import type { OperationGuard } from '../limits.js';
import type { OperationRequest } from '../operation-request.js';
import { hasPreflightHeader, preflightRefusal } from '../preflight.js';
import { rootFieldsOf } from '../root-fields.js';
import type { GraphQLServerOptions } from '../server-options.js';
import { type ErrorFormatter, formatError } from './format-result.js';
import { jsonTypeOf } from './stream-formats.js';
import type { SubscriptionArgs } from './subscribe.js';

export interface StreamArgs extends SubscriptionArgs {
  contextValue: RequestContext;
}

/** Errors of a request that is answered without a stream. */
class RequestRefusal extends Error {
  constructor(
    readonly errors: readonly GraphQLError[],
    readonly status = 400,
  ) {
    super('the request is refused');
  }
}

const badInput = (message: string, status = 400) =>
  new RequestRefusal([new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } })], status);

/** The kind of an operation; undefined if the text has a syntax error or no such operation. */
export function operationTypeOf({ query, operationName }: OperationRequest): OperationTypeNode | undefined {
  const document = typeof query === 'string' ? parseDocument(query) : null;
  if (!document) return undefined;
  return getOperationAST(document, typeof operationName === 'string' ? operationName : undefined)?.operation;
}

/** Checks a request as Apollo and the limits do for other requests, and identifies its caller. Throws its refusal. */
export async function prepareStream(
  { request, response, operation }: { request: Request; response: Response; operation: OperationRequest },
  { contextFor }: GraphQLServerOptions,
  guard: OperationGuard,
): Promise<StreamArgs> {
  if (!request.is('application/json') && !hasPreflightHeader(request))
    throw new RequestRefusal([new GraphQLError(preflightRefusal.message, preflightRefusal)]);
  if (request.method === 'GET' && operationTypeOf(operation) === 'mutation')
    throw badInput('A mutation requires the method POST.', 405);
  const payload = payloadOf(operation);
  guard.check(payload);
  const contextValue = await contextFor(request.headers, { request, fields: rootFieldsOf(operation), response });
  if (!contextValue.caller) throw new UnauthenticatedError();
  const prepared = guard.prepare(payload);
  if (!('document' in prepared)) throw new RequestRefusal(prepared);
  if (!operationTypeOf(operation)) throw badInput('`operationName` must name one operation of `query`.');
  return { ...prepared, contextValue };
}

function payloadOf({ query, operationName, variables }: OperationRequest) {
  if (typeof query !== 'string') throw badInput('The request requires `query`, the text of a GraphQL operation.');
  if (operationName != null && typeof operationName !== 'string') throw badInput('`operationName` must be a string.');
  if (variables != null && (typeof variables !== 'object' || Array.isArray(variables)))
    throw badInput('`variables` must be a JSON object.');
  return {
    query,
    operationName: operationName ?? null,
    variables: (variables ?? null) as Record<string, unknown> | null,
  };
}

/** Answers a request that gets no stream, with the statuses of other GraphQL requests. */
export function sendRefusal(response: Response, thrown: unknown, format: ErrorFormatter): void {
  if (response.headersSent) return void response.destroy();
  const refused = thrown instanceof RequestRefusal ? thrown.errors : [toGraphQLError(thrown)];
  const errors = refused.map(error => formatError(error, format).toJSON());
  const { extensions } = errors[0] ?? {};
  for (const [name, value] of httpHeadersOf(extensions)) response.setHeader(name, value);
  if (thrown instanceof RequestRefusal && thrown.status === 405) response.setHeader('allow', 'POST');
  const own = thrown instanceof RequestRefusal ? thrown.status : 400;
  const status = extensions?.code === 'INTERNAL_SERVER_ERROR' ? 500 : (httpStatusOf(extensions?.code) ?? own);
  response.status(status).type(jsonTypeOf(response.req.headers.accept)).send(JSON.stringify({ errors }));
}

/** The formatter finds the original error and hides it if it is a defect. */
export function toGraphQLError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  return new GraphQLError((error as Error).message, { originalError: error as Error });
}
