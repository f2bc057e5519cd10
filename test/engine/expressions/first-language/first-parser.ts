// The parser of the first placeholder language, before expressions existed. Every text that it accepts must keep its meaning, which
// compatibility.test.ts checks.
import { type FilterArgument, filters } from './first-filters.js';

/**
 * The reference of a placeholder. `path` leads into the value. `node` is set only for the root `nodes`. The root `args`
 * is available only in settings that a node renders at each use (see `LateValue` of `src/engine/expressions/template.ts`).
 */
export interface Reference {
  root: 'input' | 'nodes' | 'previous' | 'run' | 'now' | 'args';
  node?: string;
  member?: 'content' | 'json';
  path: readonly string[];
}

/** A filter of a placeholder, with its argument. */
export interface Filter {
  name: string;
  argument: FilterArgument;
}

/** A parsed placeholder, such as `{{ input.name | upper }}`. */
export interface Placeholder {
  reference: Reference;
  filters: readonly Filter[];
}

/** Codes of template problems. */
export type TemplateProblemCode =
  | 'unknown_reference'
  | 'unknown_filter'
  | 'malformed_placeholder'
  | 'template_too_large';

/** A problem of a template, with a message for users. */
export interface TemplateProblem {
  code: TemplateProblemCode;
  message: string;
}

/** A parsed text. */
export interface Template {
  /** Literal texts and placeholders in order. */
  parts: readonly (string | Placeholder)[];
  references: readonly Reference[];
  problems: readonly TemplateProblem[];
  /**
   * The placeholder, if the text consists of one placeholder and whitespace. Such a text keeps the type of its value.
   */
  single: Placeholder | null;
}

const MAX_PLACEHOLDERS = 1000;
const MAX_SEGMENTS = 32;
const MAX_FILTERS = 16;
const MAX_QUOTED = 1000;

/** Names that would reach JavaScript internals. They never resolve, even as own properties. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

const VALID_REFERENCES =
  'input.<field id>, nodes.<node id>.content, nodes.<node id>.json, previous.content, run.id, now';
/** The problem of a placeholder whose reference does not exist. */
export const unknownReference: TemplateProblem = {
  code: 'unknown_reference',
  message: `unknown reference; valid references are ${VALID_REFERENCES}`,
};
const unknownFilter: TemplateProblem = {
  code: 'unknown_filter',
  message: `unknown filter; valid filters are ${[...filters.keys()].join(', ')}`,
};
const malformed: TemplateProblem = {
  code: 'malformed_placeholder',
  message: 'malformed placeholder; the form is {{ name | filter: argument }}',
};

/**
 * Parses a text in one pass. The cursor only moves forward, so hostile text takes linear time. An unclosed `{{` is
 * literal text. A closed one that is not a placeholder is reported as a problem, and so is an unclosed quoted argument.
 */
export function parseTemplate(text: string): Template {
  const parts: (string | Placeholder)[] = [];
  const problems: TemplateProblem[] = [];
  let literalFrom = 0;
  let open = text.indexOf('{{');
  let count = 0;
  while (open !== -1) {
    // In `{"a":{{{ x }}}` the innermost pair of braces belongs to the placeholder.
    while (text[open + 2] === '{') open++;
    const reader = new PlaceholderReader(text, open + 2);
    const placeholder = reader.read();
    let resume = reader.at;
    if (placeholder) {
      if (open > literalFrom) parts.push(text.slice(literalFrom, open));
      parts.push(placeholder);
      literalFrom = resume;
      if (++count > MAX_PLACEHOLDERS) {
        problems.push({ code: 'template_too_large', message: `must hold at most ${MAX_PLACEHOLDERS} placeholders` });
        break;
      }
    } else if (reader.problem) {
      problems.push(reader.problem);
      if (problems.length >= MAX_PLACEHOLDERS) break;
    } else {
      resume = closingOrOpening(text, resume);
      if (resume === -1) break;
      if (text[resume] === '}') {
        problems.push(malformed);
        if (problems.length >= MAX_PLACEHOLDERS) break;
        resume += 2;
      }
    }
    open = text.indexOf('{{', resume);
  }
  if (literalFrom < text.length) parts.push(text.slice(literalFrom));
  return templateOf(parts, problems);
}

function templateOf(parts: readonly (string | Placeholder)[], problems: readonly TemplateProblem[]): Template {
  const placeholders = parts.filter(part => typeof part !== 'string');
  const isOnly = placeholders.length === 1 && parts.every(part => typeof part !== 'string' || part.trim() === '');
  return {
    parts,
    references: placeholders.map(placeholder => placeholder.reference),
    problems,
    single: isOnly ? (placeholders[0] ?? null) : null,
  };
}

function closingOrOpening(text: string, from: number): number {
  const braces = /\{\{|\}\}/g;
  braces.lastIndex = from;
  return braces.exec(text)?.index ?? -1;
}

class PlaceholderReader {
  problem: TemplateProblem | undefined;

  constructor(
    private readonly text: string,
    public at: number,
  ) {}

  /** Reads a placeholder and moves the cursor behind its `}}`. Returns undefined if there is none (see `problem`). */
  read(): Placeholder | undefined {
    const segments: string[] = [];
    do {
      this.skipSpace();
      const segment = this.token();
      if (segment === '' || segments.length >= MAX_SEGMENTS) return undefined;
      segments.push(segment);
      this.skipSpace();
    } while (this.take('.'));
    const filters: Filter[] = [];
    while (this.take('|')) {
      const filter = filters.length < MAX_FILTERS ? this.filter() : undefined;
      if (!filter) return undefined;
      filters.push(filter);
    }
    if (!this.text.startsWith('}}', this.at)) return undefined;
    this.at += 2;
    const reference = referenceOf(segments);
    this.problem = reference ? filterProblem(filters) : unknownReference;
    return reference && !this.problem ? { reference, filters } : undefined;
  }

  private filter(): Filter | undefined {
    this.skipSpace();
    const name = this.token();
    if (name === '') return undefined;
    this.skipSpace();
    if (!this.take(':')) return { name, argument: undefined };
    this.skipSpace();
    const argument = this.argument();
    if (argument === undefined) return undefined;
    this.skipSpace();
    return { name, argument };
  }

  private argument(): FilterArgument {
    const quote = this.text[this.at];
    if (quote === '"' || quote === "'") return this.quoted(quote);
    const number = this.match(NUMBER);
    return number === '' ? CONSTANTS.get(this.token()) : Number(number);
  }

  private quoted(quote: string): string | undefined {
    let value = '';
    const limit = this.at + MAX_QUOTED;
    for (this.at++; this.at < limit; this.at++) {
      const character = this.text.charAt(this.at);
      if (character === quote) {
        this.at++;
        return value;
      }
      if (character === '\\') {
        this.at++;
        const escaped = this.text.charAt(this.at);
        value += ESCAPES.get(escaped) ?? escaped;
      } else value += character;
    }
    this.problem = malformed;
    return undefined;
  }

  private token(): string {
    return this.match(SEGMENT);
  }

  private skipSpace(): void {
    this.match(SPACE);
  }

  /** Matches a sticky pattern at the cursor and moves the cursor behind the match. */
  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const [matched] = pattern.exec(this.text) ?? [''];
    this.at += matched.length;
    return matched;
  }

  private take(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }
}

const SEGMENT = /[^\s.|{}:"'()[\],]+/y;
const SPACE = /\s+/y;
const NUMBER = /-?\d+(?:\.\d+)?/y;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
]);
const CONSTANTS: ReadonlyMap<string, FilterArgument> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

function filterProblem(used: readonly Filter[]): TemplateProblem | undefined {
  for (const { name, argument } of used) {
    const kind = filters.get(name);
    if (!kind) return unknownFilter;
    const fault = kind.check(argument);
    if (fault) return { code: 'malformed_placeholder', message: `the filter ${name} ${fault}` };
  }
  return undefined;
}

function referenceOf(segments: readonly string[]): Reference | undefined {
  if (segments.some(segment => FORBIDDEN.has(segment))) return undefined;
  const [root = '', ...rest] = segments;
  return REFERENCES.get(root)?.(rest);
}

/** Parsers of the remaining segments, by first segment. Undefined: not a valid reference. */
const REFERENCES = new Map<string, (rest: readonly string[]) => Reference | undefined>([
  ['input', path => ({ root: 'input', path })],
  ['args', path => (path.length > 0 ? { root: 'args', path } : undefined)],
  ['nodes', nodeReference],
  ['previous', previousReference],
  ['run', path => (path.length === 1 && path[0] === 'id' ? { root: 'run', path } : undefined)],
  ['now', path => (path.length === 0 ? { root: 'now', path } : undefined)],
]);

function nodeReference([node, ...members]: readonly string[]): Reference | undefined {
  const content = contentOf(members);
  return content && { root: 'nodes', node, ...content };
}

function previousReference(members: readonly string[]): Reference | undefined {
  const content = contentOf(members);
  return content && { root: 'previous', ...content };
}

function contentOf([member, ...path]: readonly string[]): Pick<Reference, 'member' | 'path'> | undefined {
  if (member === 'content' && path.length === 0) return { member, path };
  return member === 'json' ? { member, path } : undefined;
}
