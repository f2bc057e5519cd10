import { isObject, isShallow, MAX_DEPTH, parseJsonText, setOwn, textOf } from './json-value.js';
import { filters } from './template-filters.js';
import {
  type Placeholder,
  parseTemplate,
  type Reference,
  type Template,
  type TemplateFault,
  type TemplateProblem,
  unknownReference,
} from './template-parser.js';

/** Maximum number of characters of all texts in one rendered value. */
export const MAX_RENDERED = 8 * 1024 * 1024;

/** A placeholder is malformed or has no value, or the rendered text is too large. */
export class TemplateError extends Error {
  constructor(
    readonly code: TemplateFault,
    message: string,
  ) {
    super(message);
    this.name = 'TemplateError';
  }
}

/** The content of a node. It is parsed as JSON on first use. */
export class Content {
  #json: unknown;
  #isParsed = false;

  constructor(readonly text: string) {}

  /** The parsed content; undefined if it is not JSON or nested deeper than `MAX_DEPTH`. */
  get json(): unknown {
    if (!this.#isParsed) {
      const json = parseJsonText(this.text);
      this.#json = isShallow(json) ? json : undefined;
      this.#isParsed = true;
    }
    return this.#json;
  }
}

/** The values that placeholders resolve to. */
export interface Scope {
  readonly input: Readonly<Record<string, unknown>>;
  /** Ids of declared input fields. A field without a value resolves to the empty text. */
  readonly declared: ReadonlySet<string>;
  node(id: string): Content | undefined;
  previous(): Content | undefined;
  readonly runId: string;
  readonly now: string;
}

/** The values of placeholders with the root `args`. A declared name without a value resolves to the empty text. */
export interface Args {
  readonly values: Readonly<Record<string, unknown>>;
  readonly declared: ReadonlySet<string>;
}

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
  render(scope: Scope): unknown;
}

/** A placeholder in a configuration, with its position. */
export interface Use {
  path: string;
  reference: Reference;
  /** True if a `default` filter provides a value when the reference has none. */
  hasDefault: boolean;
}

/** Renders a template to a text. Throws a TemplateError. */
export function renderText(template: Template, scope: Scope): string {
  return textFrom(template, scope, { left: MAX_RENDERED });
}

/** Renders all placeholders in a JSON value. Throws a TemplateError. */
export function renderValue(json: unknown, scope: Scope): unknown {
  return compileValue(json).render(scope);
}

/** Returns the references of all placeholders in a JSON value. */
export function referencesIn(json: unknown): Reference[] {
  return compileValue(json).uses.map(use => use.reference);
}

/** State of one rendering: the remaining characters, and the arguments of a late rendering. */
interface Rendering {
  left: number;
  args?: Args;
}

type Renderer = (scope: Scope, rendering: Rendering) => unknown;

/**
 * Compiles the placeholders of a JSON value. `isLate` returns true for the dotted path of a part that renders to a
 * `LateValue`.
 */
export function compileValue(json: unknown, isLate?: (path: string) => boolean): CompiledValue {
  const uses: Use[] = [];
  const problems: (TemplateProblem & { path: string })[] = [];
  let late = false;
  const compile = (value: unknown, path: string, depth: number): Renderer | undefined => {
    if (late || !isLate?.(path)) return compilePart(value, path, depth);
    late = true;
    const render = compilePart(value, path, depth);
    late = false;
    return scope => new LateValue(args => (render ? render(scope, { left: MAX_RENDERED, args }) : value));
  };
  const compilePart = (value: unknown, path: string, depth: number): Renderer | undefined => {
    if (depth > MAX_DEPTH) {
      problems.push({ code: 'template_too_large', message: `must be nested at most ${MAX_DEPTH} deep`, path });
      return undefined;
    }
    if (typeof value === 'string') return compileText(value, path);
    if (Array.isArray(value)) {
      return listRenderer(
        value,
        value.map((item, index) => compile(item, join(path, String(index)), depth + 1)),
      );
    }
    if (!isObject(value)) return undefined;
    const entries = Object.entries(value);
    return objectRenderer(
      entries,
      entries.map(([key, member]) => compile(member, join(path, key), depth + 1)),
    );
  };
  const compileText = (text: string, path: string): Renderer | undefined => {
    const template = parseTemplate(text);
    for (const problem of template.problems) problems.push({ ...problem, path });
    for (const part of template.parts) {
      if (typeof part === 'string') continue;
      if (part.reference.root === 'args' && !late) problems.push({ ...unknownReference, path });
      uses.push({ path, reference: part.reference, hasDefault: part.filters.some(({ name }) => name === 'default') });
    }
    const { single } = template;
    if (single) return (scope, { args }) => valueAt(single, scope, args);
    if (template.references.length === 0) return undefined;
    return (scope, rendering) => textFrom(template, scope, rendering);
  };
  const render = compile(json, '', 0);
  return {
    isConstant: render === undefined && problems.length === 0,
    uses,
    problems,
    render: scope => {
      const [problem] = problems;
      if (problem) throw new TemplateError(problem.code, problem.message);
      return render ? render(scope, { left: MAX_RENDERED }) : json;
    },
  };
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function listRenderer(items: readonly unknown[], renderers: readonly (Renderer | undefined)[]): Renderer | undefined {
  if (renderers.every(renderer => renderer === undefined)) return undefined;
  return (scope, rendering) =>
    items.map((item, index) => {
      const renderer = renderers[index];
      return renderer ? renderer(scope, rendering) : item;
    });
}

function objectRenderer(
  entries: readonly [string, unknown][],
  renderers: readonly (Renderer | undefined)[],
): Renderer | undefined {
  if (renderers.every(renderer => renderer === undefined)) return undefined;
  return (scope, rendering) => {
    const result = {};
    entries.forEach(([key, member], index) => {
      const renderer = renderers[index];
      setOwn(result, key, renderer ? renderer(scope, rendering) : member);
    });
    return result;
  };
}

function textFrom(template: Template, scope: Scope, rendering: Rendering): string {
  const [problem] = template.problems;
  if (problem) throw new TemplateError(problem.code, problem.message);
  let text = '';
  for (const part of template.parts) {
    const piece = typeof part === 'string' ? part : textOf(valueAt(part, scope, rendering.args));
    rendering.left -= piece.length;
    if (rendering.left < 0) {
      throw new TemplateError('template_too_large', `the text grew beyond ${MAX_RENDERED} characters`);
    }
    text += piece;
  }
  return text;
}

function valueAt({ reference, filters: used }: Placeholder, scope: Scope, args: Args | undefined): unknown {
  let value = find(reference, scope, args);
  for (const { name, argument } of used) value = filters.get(name)?.apply(value, argument);
  if (value === undefined) throw new TemplateError('unknown_reference', missing(reference));
  return value;
}

/** The message names only the root, because the rest of the path may come from a value. */
function missing({ root }: Reference): string {
  if (root === 'input') return 'a placeholder refers to an input that the run did not receive';
  if (root === 'nodes') return 'a placeholder refers to a node, or to a member of its content, that has no value';
  return `a placeholder refers to a member of ${root} that has no value`;
}

function find({ root, node, member, path }: Reference, scope: Scope, args: Args | undefined): unknown {
  switch (root) {
    case 'input':
      return resolveValue({ values: scope.input, declared: scope.declared }, path);
    case 'args':
      return args && resolveValue(args, path);
    case 'nodes':
      return contentMember(scope.node(node ?? ''), member, path);
    case 'previous':
      return contentMember(scope.previous(), member, path);
    case 'run':
      return scope.runId;
    case 'now':
      return scope.now;
  }
}

function resolveValue({ values, declared }: Args, path: readonly string[]): unknown {
  const value = resolvePath(values, path);
  return value === undefined && path.length === 1 && declared.has(path[0] ?? '') ? '' : value;
}

function contentMember(content: Content | undefined, member: 'content' | 'json' | undefined, path: readonly string[]) {
  if (!content) return undefined;
  return member === 'content' ? content.text : resolvePath(content.json, path);
}

/** Follows own properties only, and only indexes of a list. */
function resolvePath(from: unknown, path: readonly string[]): unknown {
  let value = from;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    if (Array.isArray(value) && key === 'length') return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
