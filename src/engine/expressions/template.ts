import { isObject, MAX_DEPTH, setOwn, textOf } from '../json-value.js';
import { compileExpression, type Evaluate } from './compile-expression.js';
import { eachReference } from './each-reference.js';
import { assertFinite, Evaluation, MAX_RENDERED } from './evaluation.js';
import { type Expression, type Reference, TemplateError, type TemplateProblem } from './expression.js';
import { unknownReference } from './references.js';
import type { Args, Scope } from './scope.js';
import { type Placeholder, parseTemplate, type Template } from './template-parser.js';

/** A part of a configuration that is rendered at each use, with arguments that are known only then. */
export class LateValue {
  constructor(readonly render: (args: Args) => unknown) {}
}

/** A configuration value that is parsed once and rendered many times. */
export interface CompiledValue {
  /** True if there are no placeholders, so the value renders to itself. */
  readonly isConstant: boolean;
  readonly uses: readonly Use[];
  readonly problems: readonly (TemplateProblem & { path: string })[];
  /** The expressions that each rendering evaluates and that must have a value. */
  readonly required: readonly { path: string; expression: Expression }[];
  render(scope: Scope): unknown;
}

/** A placeholder in a configuration, with its position. */
export interface Use {
  path: string;
  reference: Reference;
  /** True if the reference need not have a value: it has a substitute, may not be evaluated, or the setting is optional. */
  hasDefault: boolean;
}

/** Renders a template to a text. Throws a TemplateError. */
export function renderText(template: Template, scope: Scope): string {
  assertNone(template.problems);
  return textRenderer(template, '')(new Evaluation(scope));
}

function assertNone([problem]: readonly TemplateProblem[]): void {
  if (problem) throw new TemplateError(problem.code, problem.message);
}

/** Renders all placeholders in a JSON value. Throws a TemplateError. */
export function renderValue(json: unknown, scope: Scope): unknown {
  return compileValue(json).render(scope);
}

type Renderer = (evaluation: Evaluation) => unknown;

/**
 * Compiles the placeholders of a JSON value. `isLate` returns true for the dotted path of a part that renders to a
 * `LateValue`, `isOptional` for that of a text whose missing value is null.
 */
export function compileValue(
  json: unknown,
  isLate?: (path: string) => boolean,
  isOptional: (path: string) => boolean = () => false,
): CompiledValue {
  const uses: Use[] = [];
  const problems: (TemplateProblem & { path: string })[] = [];
  const required: { path: string; expression: Expression }[] = [];
  let isInsideLate = false;
  const compile = (value: unknown, path: string, depth: number): Renderer | undefined => {
    if (isInsideLate || !isLate?.(path)) return compilePart(value, path, depth);
    isInsideLate = true;
    const render = compilePart(value, path, depth);
    isInsideLate = false;
    return ({ scope }) => new LateValue(args => (render ? renderPlaced(render, new Evaluation(scope, args)) : value));
  };
  const compilePart = (value: unknown, path: string, depth: number): Renderer | undefined => {
    if (depth > MAX_DEPTH) {
      problems.push({ code: 'template_too_large', message: `must be nested at most ${MAX_DEPTH} deep`, path });
      return undefined;
    }
    if (typeof value === 'string') return compileText(value, path);
    const inner = (part: unknown, key: string) => compile(part, join(path, key), depth + 1);
    if (Array.isArray(value)) {
      return listRenderer(
        value,
        value.map((item, index) => inner(item, String(index))),
      );
    }
    if (!isObject(value)) return undefined;
    const entries = Object.entries(value);
    const renderers = entries.map(([key, member]) => inner(member, key));
    return objectRenderer(entries, renderers);
  };
  const compileText = (text: string, path: string): Renderer | undefined => {
    const template = parseTemplate(text);
    for (const problem of template.problems) problems.push({ ...problem, path });
    const placeholders = template.parts.filter(part => typeof part !== 'string');
    for (const { expression } of placeholders) {
      if (!isInsideLate && !isOptional(path)) required.push({ path, expression });
      eachReference(expression, (reference, hasDefault) => {
        if (reference.root === 'args' && !isInsideLate) problems.push({ ...unknownReference(['args']), path });
        uses.push({ path, reference, hasDefault: hasDefault || isOptional(path) });
      });
    }
    if (template.single) return evaluatorOf(template.single, path, isOptional(path));
    return placeholders.length === 0 ? undefined : textRenderer(template, path);
  };
  const render = compile(json, '', 0);
  return {
    isConstant: render === undefined && problems.length === 0,
    uses,
    problems,
    required,
    render: scope => {
      assertNone(problems);
      return render ? renderPlaced(render, new Evaluation(scope)) : json;
    },
  };
}

/** Renders a value. Throws a TemplateError that names the setting whose placeholder failed. */
function renderPlaced(render: Renderer, evaluation: Evaluation): unknown {
  try {
    return render(evaluation);
  } catch (error) {
    const place = JSON.stringify(evaluation.path);
    // The errors of limits already name it.
    if (!(error instanceof TemplateError) || evaluation.path === '' || error.message.includes(place)) throw error;
    throw new TemplateError(error.code, `${error.message} (in ${place})`);
  }
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function listRenderer(items: readonly unknown[], renderers: readonly (Renderer | undefined)[]): Renderer | undefined {
  if (renderers.every(renderer => renderer === undefined)) return undefined;
  return evaluation =>
    items.map((item, index) => {
      const renderer = renderers[index];
      return renderer ? renderer(evaluation) : item;
    });
}

function objectRenderer(
  entries: readonly [string, unknown][],
  renderers: readonly (Renderer | undefined)[],
): Renderer | undefined {
  if (renderers.every(renderer => renderer === undefined)) return undefined;
  return evaluation => {
    const result = {};
    entries.forEach(([key, member], index) => {
      const renderer = renderers[index];
      setOwn(result, key, renderer ? renderer(evaluation) : member);
    });
    return result;
  };
}

function textRenderer({ parts }: Template, path: string): (evaluation: Evaluation) => string {
  const pieces = parts.map(part => (typeof part === 'string' ? part : evaluatorOf(part, path)));
  return evaluation => {
    let text = '';
    for (const each of pieces) {
      const piece = typeof each === 'string' ? each : textOf(each(evaluation));
      evaluation.remainingCharacters -= piece.length;
      if (evaluation.remainingCharacters < 0) {
        throw evaluation.tooLarge(`the rendered texts have more than ${MAX_RENDERED} characters together`);
      }
      text += piece;
    }
    return text;
  };
}

/** Evaluates a placeholder. Throws a TemplateError if it has no value, unless it is optional. */
function evaluatorOf({ expression }: Placeholder, path: string, isOptional = false): Evaluate {
  const evaluate = compileExpression(expression);
  const isShared = sharesValues(expression);
  return evaluation => {
    evaluation.beginExpression();
    evaluation.path = path;
    const value = evaluate(evaluation);
    if (value === undefined && isOptional) return null;
    if (value === undefined) throw new TemplateError('unknown_reference', missingValueMessage(evaluation.missing));
    if (typeof value === 'number') assertFinite(value, 'an expression');
    if (!isShared && typeof value === 'object' && value !== null) evaluation.measure(value);
    return value;
  };
}

/** Functions that return a text, or one of their arguments. */
const SHARING = new Set(['default', 'coalesce', 'join']);

/** Returns true if a list or map that the expression returns is part of the scope, so its size needs no check. */
function sharesValues(expression: Expression): boolean {
  if (expression.kind === 'reference' || expression.kind === 'literal') return true;
  if (expression.kind !== 'call' || !SHARING.has(expression.name)) return false;
  return expression.args.every(argument => argument.kind !== 'lambda' && sharesValues(argument));
}

/** The message names only the root, because the rest of the path may come from a value. */
function missingValueMessage(reference: Reference | undefined): string {
  if (!reference) return 'the value of a placeholder does not exist; ?? or default provides a substitute';
  const { root } = reference;
  if (root === 'input') return 'a placeholder refers to an input that the run did not receive';
  if (root === 'nodes') return 'a placeholder refers to a node, or to a member of its content, that has no value';
  if (root === 'env') return 'a placeholder refers to a project variable that does not exist';
  return `a placeholder refers to a member of ${root} that has no value`;
}
