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
import { documentOf, fragmentsOf, MAX_TOKENS } from './documents.js';
import { measureQuery, type QueryWeight } from './query-weight.js';
import type { RequestedFields } from './requested-fields.js';
import type { Safelist } from './safelist.js';

/** What one operation may weigh. The operations behind the REST routes stay below. */
export const MAX_WEIGHT: QueryWeight = { depth: 12, aliases: 100, cost: 50_000 };
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

/** What an operator and our own means bound, before an operation is validated and its caller looked up. */
export class OperationGuard {
  readonly #faults = new WeakMap<DocumentNode, readonly GraphQLError[]>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly safelist: Safelist | null,
    private readonly isIntrospectable: boolean,
  ) {}

  /**
   * The parsed text. Throws a domain error for an operation that weighs too much or is not allowed. What cannot be read
   * passes, as null.
   */
  check({ query, operationName, variables }: RequestedFields): DocumentNode | null {
    const document = typeof query === 'string' ? documentOf(query) : null;
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

  /** The same for what arrives over a socket: an operation ready to run, or the errors it is refused with. */
  prepare(payload: SocketPayload): ExecutionArgs | readonly GraphQLError[] {
    const { query, operationName, variables } = payload;
    if (isUnstorableJson(variables, MAX_JSON_DEPTH)) return [new GraphQLError(UNSTORABLE.message, UNSTORABLE)];
    const document = this.check({ query, operationName, variables });
    if (!document) return [syntaxErrorIn(query)];
    const errors = this.#faultsOf(document);
    return errors.length > 0 ? errors : { schema: this.schema, document, operationName, variableValues: variables };
  }

  /** Looked for once: the same text is the same document for as long as it is remembered. */
  #faultsOf(document: DocumentNode): readonly GraphQLError[] {
    const known = this.#faults.get(document);
    if (known) return known;
    const rules = this.isIntrospectable ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
    const errors = validate(this.schema, document, rules);
    this.#faults.set(document, errors);
    return errors;
  }
}

/** Of a text that cannot be parsed. */
function syntaxErrorIn(text: string): GraphQLError {
  try {
    parse(text, { maxTokens: MAX_TOKENS });
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
  throw new Error('a text that could not be parsed could be parsed');
}

interface SocketPayload {
  query: string;
  operationName?: string | null;
  variables?: Record<string, unknown> | null;
}

function recordOf(variables: unknown): Record<string, unknown> {
  return typeof variables === 'object' && variables !== null ? (variables as Record<string, unknown>) : {};
}
