import type { FieldNode, FragmentDefinitionNode, GraphQLOutputType, OperationDefinitionNode } from 'graphql';
import type { Input } from '../runtime/input/inputs.js';
import type { Route } from '../runtime/route.js';

/** A file of operations as it was written. */
export interface OperationFile {
  /** Such as `operations/projects.graphql`. */
  readonly name: string;
  readonly text: string;
}

/** An operation that passed every check, with all that the three generated files say of it. */
export interface OperationSource {
  /** File name without its ending: the group of the route. */
  readonly group: string;
  readonly route: Route;
  readonly definition: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly inputs: readonly Input[];
  readonly body: { readonly field: FieldNode; readonly type: GraphQLOutputType };
  /** The top-level field of the schema that it asks. */
  readonly rootField: string;
  readonly summary: string;
  readonly description: string;
  /** JSON Schemas of what is VERBATIM. */
  readonly schemas: { readonly request?: unknown; readonly response?: unknown };
  readonly example: { readonly request?: unknown; readonly response?: unknown };
}
