import type { NextFunction, Request, Response } from 'express';
import { type ExecutionArgs, GraphQLError, type GraphQLSchema, parse, validate } from 'graphql';
import { isUnstorableJson } from '../base/fields.js';

/** Tokens of one operation: a bound on parsing that no honest operation meets. */
export const MAX_TOKENS = 2_000;
/** JSON nested deeper than this is refused: PostgreSQL and JSON.stringify give up on far deeper ones. */
const MAX_JSON_DEPTH = 64;

const UNSTORABLE = {
  message: `Variables nest at most ${MAX_JSON_DEPTH} deep and hold no null characters, lone surrogates or infinite numbers.`,
  extensions: { code: 'BAD_USER_INPUT' },
};

/** Refuses variables that could not be stored: too deep, U+0000, lone surrogates, infinite numbers. */
export function jsonDepthGuard(request: Request, response: Response, next: NextFunction): void {
  const operations: unknown[] = Array.isArray(request.body) ? request.body : [request.body];
  const bad = operations.some(operation =>
    isUnstorableJson((operation as { variables?: unknown } | undefined)?.variables, MAX_JSON_DEPTH),
  );
  if (!bad) return next();
  response.status(400).json({ errors: [UNSTORABLE] });
}

interface SocketPayload {
  query: string;
  operationName?: string | null;
  variables?: Record<string, unknown> | null;
}

/** The same limits for what arrives over a socket: an operation ready to run, or the errors it is refused with. */
export function socketOperation(
  schema: GraphQLSchema,
  { query, operationName, variables }: SocketPayload,
): ExecutionArgs | readonly GraphQLError[] {
  if (isUnstorableJson(variables, MAX_JSON_DEPTH)) return [new GraphQLError(UNSTORABLE.message, UNSTORABLE)];
  try {
    const document = parse(query, { maxTokens: MAX_TOKENS });
    const errors = validate(schema, document);
    return errors.length > 0 ? errors : { schema, document, operationName, variableValues: variables };
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
}
