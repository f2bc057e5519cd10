import { type DocumentNode, type ExecutionResult, type GraphQLSchema, parse, validate, visit } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { etagPathOf } from './etag.js';
import { bodyFieldOf } from './input/body-field.js';
import { fragmentsOf, liftInputObjects, operationOf } from './input/input-objects.js';
import { type Input, inputsOf, unusedMembersOf } from './input/inputs.js';
import { type ToRestPath, toRestPathOf } from './input/rest-path.js';
import { type Shape, shapeOf } from './result-shape.js';
import type { Route } from './route.js';

/** A route compiled for a schema. */
export interface Operation {
  readonly route: Route;
  readonly inputs: readonly Input[];
  /** Members of the body that are accepted without effect. */
  readonly unusedMembers: readonly string[];
  readonly toRestPath: ToRestPath;
  /** Transforms the result value for REST; null when no transformation is necessary. */
  readonly shape: Shape | null;
  readonly bodyPath: readonly string[];
  /** The path of the entity tag in the body; null: the response has none. */
  readonly etagPath: readonly string[] | null;
  readonly execute: (
    context: unknown,
    variables: Record<string, unknown>,
  ) => ExecutionResult | Promise<ExecutionResult>;
}

/** A route that is compiled by its first request. */
export class LazyOperation {
  #prepared: Operation | null = null;

  constructor(
    private readonly schema: GraphQLSchema,
    readonly route: Route,
  ) {}

  get prepared(): Operation {
    this.#prepared ??= prepareOperation(this.schema, this.route);
    return this.#prepared;
  }
}

/** Parses and validates a route; its query is compiled on first use. @throws Error when the route does not fit the schema. */
export function prepareOperation(schema: GraphQLSchema, route: Route): Operation {
  const source = parse(route.document, { noLocation: true });
  const plain = withoutRestDirectives(source);
  const [fault] = validate(schema, plain);
  if (fault) throw new Error(`rest-compat: ${route.operation} does not fit the schema: ${fault.message}`);
  const { document, variables } = liftInputObjects(schema, plain);
  const body = bodyFieldOf(schema, operationOf(source));
  if (!body) throw new Error(`rest-compat: ${route.operation} has no field with the alias body`);
  let query: Query | null = null;
  const inputs = inputsOf(schema, operationOf(source), route);
  return {
    route,
    inputs,
    unusedMembers: unusedMembersOf(operationOf(source)),
    toRestPath: toRestPathOf(plain, inputs),
    shape: shapeOf(schema, fragmentsOf(source), body.field, body.type),
    bodyPath: body.path,
    etagPath: etagPathOf(body.field),
    execute: (context, values) => {
      query ??= compile(schema, document, route.operation);
      return query(undefined, context, variables(values));
    },
  };
}

type Query = (
  root: unknown,
  context: unknown,
  variables: Record<string, unknown>,
) => ExecutionResult | Promise<ExecutionResult>;

function compile(schema: GraphQLSchema, document: DocumentNode, name: string): Query {
  const compiled = compileQuery(schema, document, name, { disablingCapturingStackErrors: true });
  if (isCompiledQuery(compiled)) return compiled.query as Query;
  throw new Error(`rest-compat: ${name} does not compile: ${compiled.errors?.[0]?.message ?? 'no reason given'}`);
}

/** Removes the REST directives, which the schema does not declare. */
function withoutRestDirectives(document: DocumentNode): DocumentNode {
  return visit(document, {
    Directive: node => (['skip', 'include'].includes(node.name.value) ? undefined : null),
  });
}
