/**
 * The reference of a placeholder. `path` leads into the value. `node` is set only for the root `nodes`. The root `args`
 * is available only in late-rendered parts (see `LateValue`).
 */
export interface Reference {
  root: 'input' | 'nodes' | 'previous' | 'run' | 'now' | 'args' | 'env' | 'vars';
  node?: string;
  member?: NodeMember;
  path: readonly string[];
}

/** The value that a reference to a node reads. `content` is text, `json` the parsed content, `output` either of them. */
export type NodeMember = 'content' | 'json' | 'output' | 'status' | 'error' | 'usage' | ResponseMember;

/** The values of nodes that receive an HTTP response. */
export type ResponseMember = 'http_status' | 'headers';

/** Operators with two operands that are always evaluated. */
export type BinaryOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | '+' | '-' | '*' | '/' | '%';

/** Operators that evaluate the right operand only if they need it. */
export type LogicalOperator = 'and' | 'or' | '??';

/** A value that an expression contains as such. */
export type Literal = string | number | boolean | null;

/** A small function that is an argument of a call, such as `x => x.name`. */
export interface Lambda {
  kind: 'lambda';
  /** One or two names: the item and its index. */
  parameters: readonly string[];
  body: Expression;
}

/** A call of a function. `isFilter`: written behind `|`, so the first argument is in front of it. */
export interface Call {
  kind: 'call';
  name: string;
  args: readonly (Expression | Lambda)[];
  isFilter: boolean;
}

/** The syntax tree of an expression. */
export type Expression =
  | { kind: 'literal'; value: Literal }
  | { kind: 'reference'; reference: Reference }
  | { kind: 'parameter'; name: string }
  | { kind: 'member'; of: Expression; key: Expression }
  | { kind: 'not' | 'negate'; of: Expression }
  | { kind: 'binary'; operator: BinaryOperator; left: Expression; right: Expression }
  | { kind: 'logical'; operator: LogicalOperator; left: Expression; right: Expression }
  | { kind: 'choice'; test: Expression; yes: Expression; no: Expression }
  | { kind: 'list'; items: readonly Expression[] }
  | { kind: 'map'; entries: readonly (readonly [string, Expression])[] }
  | Call;

/** Codes of template problems. */
export type TemplateProblemCode =
  | 'unknown_reference'
  | 'unknown_filter'
  | 'malformed_placeholder'
  | 'template_too_large'
  | 'unknown_function'
  | 'expression_failed';

/** A problem of a template, with a message for users. */
export interface TemplateProblem {
  code: TemplateProblemCode;
  message: string;
}

/** A placeholder is malformed or has no value, or the rendered text is too large. */
export class TemplateError extends Error {
  constructor(
    readonly code: TemplateProblemCode,
    message: string,
  ) {
    super(message);
    this.name = 'TemplateError';
  }
}
