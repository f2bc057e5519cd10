import type { FieldNode, FragmentDefinitionNode, GraphQLOutputType, OperationDefinitionNode } from 'graphql';
import type { Input } from '../runtime/input/inputs.js';
import type { Route } from '../runtime/route.js';

/** A source file with operations. */
export interface OperationFile {
  /** Path within `rest-compat`, such as `operations/projects.graphql`. */
  readonly name: string;
  readonly text: string;
}

/** A checked operation, with everything that the generated files contain about it. */
export interface OperationSource {
  /** Name of the file without its extension, such as `projects`. It groups the routes. */
  readonly group: string;
  readonly route: Route;
  readonly definition: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly inputs: readonly Input[];
  readonly body: { readonly field: FieldNode; readonly type: GraphQLOutputType };
  /** The top-level field of the operation. */
  readonly rootField: string;
  readonly summary: string;
  readonly description: string;
  /** JSON Schemas of VERBATIM bodies and replies. */
  readonly schemas: { readonly request?: unknown; readonly response?: unknown };
  readonly example: { readonly request?: unknown; readonly response?: unknown };
}
