import { checkExpression } from './check-expression.js';
import { eachReference } from './each-reference.js';
import type { Expression, Literal, Reference, TemplateProblem } from './expression.js';
import { ExpressionParser } from './expression-parser.js';
import { CONSTANTS, MAX_FILTERS, MAX_SEGMENTS, SEGMENT } from './grammar.js';
import { parseReference } from './references.js';
import { SyntaxFault, TextCursor } from './text-cursor.js';

/** A parsed placeholder, such as `{{ input.name | upper }}`. */
export interface Placeholder {
  expression: Expression;
  /** The text of the placeholder with its braces. */
  source: string;
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
/**
 * Parses a text in one pass. The cursor only moves forward, so hostile text takes linear time. An unclosed `{{` is
 * literal text. A closed one that is not a placeholder is reported as a problem.
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
    const found = readPlaceholder(text, open + 2);
    if (!found) break;
    const { expression, resume } = found;
    problems.push(...(found.problems ?? []).slice(0, MAX_PLACEHOLDERS - problems.length));
    if (problems.length >= MAX_PLACEHOLDERS) break;
    if (expression) {
      if (open > literalFrom) parts.push(text.slice(literalFrom, open));
      parts.push({ expression, source: text.slice(open, resume) });
      literalFrom = resume;
      if (++count > MAX_PLACEHOLDERS) {
        problems.push({ code: 'template_too_large', message: `must hold at most ${MAX_PLACEHOLDERS} placeholders` });
        break;
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
  const references: Reference[] = [];
  for (const { expression } of placeholders) eachReference(expression, reference => references.push(reference));
  return { parts, references, problems, single: isOnly ? (placeholders[0] ?? null) : null };
}

interface ParsedPlaceholder {
  expression?: Expression;
  problems?: readonly TemplateProblem[];
  /** Position after the placeholder, or of the next `{{` after literal text. */
  resume: number;
}

/**
 * Reads what follows `{{`: a path with filters, otherwise an expression. Braces that a path cannot explain are an
 * expression only if `}}` follows before another `{{`, so that texts about placeholders stay literal. Returns undefined
 * if neither follows.
 */
function readPlaceholder(text: string, at: number): ParsedPlaceholder | undefined {
  const reader = new PathReader(text, at);
  const path = reader.read();
  if (path) {
    const problems = checkExpression(path);
    return problems.length === 0 ? { expression: path, resume: reader.at } : { problems, resume: reader.at };
  }
  let resume = reader.at;
  if (!reader.isEndKnown) {
    resume = closingOrOpening(text, resume);
    if (resume === -1) return undefined;
    if (text[resume] === '{') return { resume };
    resume += 2;
  }
  const parser = new ExpressionParser(text, at);
  try {
    const expression = parser.read();
    const problems = [...parser.problems, ...checkExpression(expression)];
    return problems.length === 0 ? { expression, resume: at + parser.at } : { problems, resume: at + parser.at };
  } catch (fault) {
    if (!(fault instanceof SyntaxFault)) throw fault;
    return { problems: [malformedProblem(fault.detail)], resume };
  }
}

function malformedProblem(detail: string): TemplateProblem {
  return {
    code: 'malformed_placeholder',
    message: `malformed placeholder: ${detail}; examples are {{ input.name | upper }} and {{ input.price * 2 }}`,
  };
}

function closingOrOpening(text: string, from: number): number {
  const braces = /\{\{|\}\}/g;
  braces.lastIndex = from;
  return braces.exec(text)?.index ?? -1;
}

/** Reads a path with filters: names of almost any characters, so that node and field ids need no quotes. */
class PathReader extends TextCursor {
  /** True if the cursor is at the end of the placeholder: behind its `}}`, or where an unclosed quoted text stopped. */
  isEndKnown = false;

  /** Reads a path and moves the cursor behind its `}}`. Returns undefined if there is none. */
  read(): Expression | undefined {
    const segments: string[] = [];
    do {
      this.skipSpace();
      const segment = this.match(SEGMENT);
      if (segment === '' || segments.length >= MAX_SEGMENTS) return undefined;
      segments.push(segment);
    } while (this.take('.'));
    const reference = parseReference(segments);
    let expression: Expression = reference ? { kind: 'reference', reference } : { kind: 'literal', value: null };
    for (let filters = 0; this.take('|'); filters++) {
      const filter = filters < MAX_FILTERS ? this.#filter() : undefined;
      if (!filter) return undefined;
      expression = { kind: 'call', name: filter.name, args: [expression, ...filter.args], isFilter: true };
    }
    if (!this.take('}}')) return undefined;
    this.isEndKnown = true;
    return reference && expression;
  }

  #filter(): { name: string; args: Expression[] } | undefined {
    this.skipSpace();
    const name = this.match(SEGMENT);
    if (name === '') return undefined;
    if (!this.take(':')) return { name, args: [] };
    this.skipSpace();
    const value = this.#argument();
    return value === undefined ? undefined : { name, args: [{ kind: 'literal', value }] };
  }

  #argument(): Literal | undefined {
    const quote = this.text[this.at];
    if (quote === '"' || quote === "'") {
      try {
        return this.quoted();
      } catch (fault) {
        if (!(fault instanceof SyntaxFault)) throw fault;
        this.isEndKnown = true;
        return undefined;
      }
    }
    const number = this.match(NUMBER);
    return number === '' ? CONSTANTS.get(this.match(SEGMENT)) : Number(number);
  }
}

const NUMBER = /-?\d+(?:\.\d+)?/y;
