/**
 * A GraphQL operation with the types of its result and variables. Documents of GraphQL Code Generator in the mode `string` fit, and
 * so does a text, whose result is `unknown`.
 */
export interface Operation<Result, Variables> {
  toString(): string;
  /** Carries the types only; never called. */
  __apiType?: (variables: Variables) => Result;
}

export const operation = <Result, Variables>(text: string): Operation<Result, Variables> => text;
