import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';

/** Cached queries. */
const MAX_QUERIES = 500;
/** A query is compiled when it is executed this many times. */
export const COMPILE_AFTER_USES = 10;

interface CachedQuery {
  uses: number;
  /** Null if the query is not compiled. */
  run: CompiledQuery['query'] | null;
  variables: NonNullable<OperationDefinitionNode['variableDefinitions']>;
}

/** Compiles queries that are executed frequently, as REST operations are. A compiled list query takes half the time. */
export class CompiledQueries {
  readonly #entries = new LRUCache<DocumentNode, CachedQuery>({ max: MAX_QUERIES });

  constructor(private readonly schema: GraphQLSchema) {}

  /**
   * Executes a frequent document that contains a single query. Null for other documents and after errors: the caller then runs graphql-js,
   * whose error messages are part of the API. Values that the data loaders have loaded by then are not loaded again.
   */
  async run(
    document: DocumentNode,
    context: unknown,
    variables: Record<string, unknown>,
  ): Promise<ExecutionResult | null> {
    const entry = this.#entries.get(document) ?? { uses: 0, run: null, variables: [] };
    if (entry.uses === 0) this.#entries.set(document, entry);
    if (++entry.uses === COMPILE_AFTER_USES) this.#compile(document, entry);
    if (entry.run === null) return null;
    // Checked here because compiled queries accept a list in place of an input object.
    if (getVariableValues(this.schema, entry.variables, variables, { maxErrors: 1 }).errors) return null;
    const result = await entry.run(undefined, context, variables);
    return result.errors ? null : result;
  }

  #compile(document: DocumentNode, entry: CachedQuery): void {
    const operations = document.definitions.filter(node => node.kind === Kind.OPERATION_DEFINITION);
    const [operation] = operations;
    if (!operation || operations.length > 1 || operation.operation !== OperationTypeNode.QUERY) return;
    const compiled = compileQuery(this.schema, document, undefined, { disablingCapturingStackErrors: true });
    if (!isCompiledQuery(compiled)) return;
    entry.run = compiled.query;
    entry.variables = operation.variableDefinitions ?? [];
  }
}
