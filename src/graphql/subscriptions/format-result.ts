import { type ExecutionResult, type FormattedExecutionResult, GraphQLError } from 'graphql';
import type { createErrorFormatter } from '../errors.js';
import { limitResult } from '../response-size.js';

export type ErrorFormatter = ReturnType<typeof createErrorFormatter>;

/** Replaces defects of the service by a general message, as over HTTP. */
export function formatError(error: GraphQLError | { message: string }, format: ErrorFormatter): GraphQLError {
  const graphqlError = error instanceof GraphQLError ? error : new GraphQLError(error.message);
  const { message, extensions } = format(graphqlError.toJSON(), graphqlError);
  return new GraphQLError(message, { path: graphqlError.path, extensions });
}

/** The result as it is sent, or an error if it has more than `maxCharacters`. */
export function formatResult(
  result: ExecutionResult,
  format: ErrorFormatter,
  maxCharacters: number,
): FormattedExecutionResult {
  const { errors, ...rest } = result;
  const formatted = errors ? { errors: errors.map(error => formatError(error, format).toJSON()), ...rest } : rest;
  return limitResult(formatted, maxCharacters);
}
