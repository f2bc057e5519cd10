import { ApolloServerErrorCode } from '@apollo/server/errors';
import type { NextFunction, Request, Response } from 'express';
import {
  type DocumentNode,
  type ExecutionArgs,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { QueryTooComplexError } from '../platform/errors/errors.js';
import { isUnstorableJson } from '../platform/errors/fields.js';
import { fragmentsOf, MAX_TOKENS, parseDocument } from './documents.js';
import type { OperationRequest } from './operation-request.js';
import { measureQuery, type QueryWeight } from './query-weight.js';
import type { Safelist } from './safelist.js';

/** The maximum weight of one operation. All operations of the REST routes are below it. */
export const MAX_WEIGHT: QueryWeight = { depth: 12, aliases: 100, cost: 50_000 };
/** Maximum nesting of JSON variables. PostgreSQL and JSON.stringify fail for much deeper values. */
const MAX_JSON_DEPTH = 64;

const UNSTORABLE = {
  message: `Variables nest at most ${MAX_JSON_DEPTH} deep and hold no null characters, lone surrogates or infinite numbers.`,
  extensions: { code: 'BAD_USER_INPUT' },
};

/** Rejects variables that cannot be stored: too deep, U+0000, lone surrogates, infinite numbers. */
export function jsonDepthGuard(request: Request, response: Response, next: NextFunction): void {
  const operations: unknown[] = Array.isArray(request.body) ? request.body : [request.body];
  const isUnstorable = operations.some(operation =>
    isUnstorableJson((operation as { variables?: unknown } | undefined)?.variables, MAX_JSON_DEPTH),
  );
  if (!isUnstorable) return next();
  response.status(400).json({ errors: [UNSTORABLE] });
}

/** Checks an operation against the safelist and the maximum weight, before its caller is identified. */
export class OperationGuard {
  readonly #validationErrors = new WeakMap<DocumentNode, readonly GraphQLError[]>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly safelist: Safelist | null,
    private readonly isIntrospectable: boolean,
  ) {}

  /**
   * Returns the parsed text, or null for a syntax error, which is reported later. Throws a domain error for an operation that is too
   * complex or not on the safelist.
   */
  check({ query, operationName, variables }: OperationRequest): DocumentNode | null {
    const document = typeof query === 'string' ? parseDocument(query) : null;
    if (!document) return null;
    this.safelist?.check(document);
    const operation = getOperationAST(document, typeof operationName === 'string' ? operationName : undefined);
    if (!operation) return document;
    const weight = measureQuery(this.schema, operation, fragmentsOf(document), recordOf(variables));
    for (const limit of ['depth', 'aliases', 'cost'] as const)
      if (weight[limit] > MAX_WEIGHT[limit])
        throw new QueryTooComplexError(`its ${limit} is ${weight[limit]}, at most ${MAX_WEIGHT[limit]}`);
    return document;
  }

  /** Checks and validates an operation that arrives over a socket. Returns its execution arguments or its errors. */
  prepare(payload: SocketPayload): ExecutionArgs | readonly GraphQLError[] {
    const { query, operationName, variables } = payload;
    if (isUnstorableJson(variables, MAX_JSON_DEPTH)) return [new GraphQLError(UNSTORABLE.message, UNSTORABLE)];
    const document = this.check({ query, operationName, variables });
    if (!document) return withCode([syntaxErrorIn(query)], ApolloServerErrorCode.GRAPHQL_PARSE_FAILED);
    const errors = this.#validate(document);
    return errors.length > 0 ? errors : { schema: this.schema, document, operationName, variableValues: variables };
  }

  /** Validation errors, cached by document: equal texts yield the same cached document. */
  #validate(document: DocumentNode): readonly GraphQLError[] {
    const cached = this.#validationErrors.get(document);
    if (cached) return cached;
    const rules = this.isIntrospectable ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
    const errors = validate(this.schema, document, rules);
    withCode(errors, ApolloServerErrorCode.GRAPHQL_VALIDATION_FAILED);
    this.#validationErrors.set(document, errors);
    return errors;
  }
}

/** Sets the code that Apollo sets for the same errors over HTTP. */
function withCode(errors: readonly GraphQLError[], code: ApolloServerErrorCode): readonly GraphQLError[] {
  for (const { extensions } of errors) extensions.code = code;
  return errors;
}

/** The syntax error of a text that cannot be parsed. */
function syntaxErrorIn(text: string): GraphQLError {
  try {
    parse(text, { maxTokens: MAX_TOKENS });
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
  throw new Error('the second parse of an invalid text succeeded');
}

interface SocketPayload {
  query: string;
  operationName?: string | null;
  variables?: Record<string, unknown> | null;
}

function recordOf(variables: unknown): Record<string, unknown> {
  return typeof variables === 'object' && variables !== null ? (variables as Record<string, unknown>) : {};
}
