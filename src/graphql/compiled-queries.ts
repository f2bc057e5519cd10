import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';

/** Queries that are remembered, and how often one is asked before it is compiled. */
const MAX_QUERIES = 500;
const HOT = 10;

interface CachedQuery {
  uses: number;
  /** Null: not compiled, or not to be. */
  run: CompiledQuery['query'] | null;
  variables: NonNullable<OperationDefinitionNode['variableDefinitions']>;
}

/** Queries that front ends ask again and again, compiled as the REST operations are: a list takes half the time. */
export class CompiledQueries {
  readonly #known = new LRUCache<DocumentNode, CachedQuery>({ max: MAX_QUERIES });

  constructor(private readonly schema: GraphQLSchema) {}

  /**
   * The result of a document that is a single query and is asked often. Null: for others, and wherever an error came up:
   * that is told in the words of the interpreter, which answers then; what was loaded is not loaded again.
   */
  async run(
    document: DocumentNode,
    context: unknown,
    variables: Record<string, unknown>,
  ): Promise<ExecutionResult | null> {
    const known = this.#known.get(document) ?? { uses: 0, run: null, variables: [] };
    if (known.uses === 0) this.#known.set(document, known);
    if (++known.uses === HOT) this.#compile(document, known);
    if (known.run === null) return null;
    // The compiler takes a list for an object.
    if (getVariableValues(this.schema, known.variables, variables, { maxErrors: 1 }).errors) return null;
    const result = await known.run(undefined, context, variables);
    return result.errors ? null : result;
  }

  #compile(document: DocumentNode, known: CachedQuery): void {
    const operations = document.definitions.filter(node => node.kind === Kind.OPERATION_DEFINITION);
    const [operation] = operations;
    if (!operation || operations.length > 1) return;
    const compiled = compileQuery(this.schema, document, undefined, { disablingCapturingStackErrors: true });
    if (!isCompiledQuery(compiled)) return;
    known.run = compiled.query;
    known.variables = operation.variableDefinitions ?? [];
  }
}
