import { z } from 'zod';
import { LateValue } from '../../expressions/template.js';
import { textOf } from '../../json-value.js';
import { FILL_IN } from './secrets/credentials.js';

/**
 * How a settings definition treats placeholders. One definition gives the JSON Schema of `get_nodes` and the check
 * before a run, both for unresolved settings, and the check of resolved values at run time.
 */
export interface SettingMode {
  /** A text that may contain placeholders. */
  text<S extends z.ZodType<unknown>>(schema: S): S;
  /** A value other than free text. Unresolved, it may also be a text that consists of one placeholder. */
  value<S extends z.ZodType<unknown>>(schema: S): S;
  /** A part that the node renders at each use; `schema` describes its unresolved form. */
  late(schema: z.ZodType): z.ZodType<LateValue>;
}

/** The fault of a value that a copy does not have. */
export const CLEARED = 'required: the value was removed when the workflow was copied';
/** Permits maps without other braces inside, such as `{{ {a: 1} }}`. */
const ONE_PLACEHOLDER = /^\s*\{\{(?:[^{}]|\{[^{}]*\})*\}\}\s*$/;

/** Unresolved settings, with placeholders. */
export const asWritten: SettingMode = {
  text: schema => schema,
  value: schema => {
    const placeholder = z
      .string()
      .regex(ONE_PLACEHOLDER, { error: ({ input }) => (input === FILL_IN ? CLEARED : expectation(schema)) })
      .describe('A single placeholder such as `{{ input.name }}`, replaced by its value when the node runs.');
    return z.union([schema, placeholder]) as unknown as typeof schema;
  },
  late: schema => schema as z.ZodType<LateValue>,
};

/** Resolved settings, with values instead of placeholders. */
export const asResolved: SettingMode = {
  text: schema =>
    z.preprocess(value => (value === undefined ? value : textOf(value)), schema) as unknown as typeof schema,
  value: schema =>
    z.preprocess(
      value => (typeof value === 'string' ? parseUnlessValid(value, schema) : value),
      schema,
    ) as unknown as typeof schema,
  late: () => z.instanceof(LateValue),
};

/** Parses JSON if the text itself is not valid: values from forms and model answers are often JSON text. */
function parseUnlessValid(text: string, schema: z.ZodType): unknown {
  if (schema.safeParse(text).success) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns what the schema expects, from its fault of a text that it does not accept. */
function expectation(schema: z.ZodType): string {
  const result = schema.safeParse('\u0000', { error: messageOf });
  const message = result.success ? undefined : result.error.issues[0]?.message;
  return message === undefined ? 'must be a single placeholder' : `${message}, or a single placeholder`;
}

/** A fault at a dotted path inside a node's `data`. */
export interface Fault {
  path: string;
  message: string;
}

/** Returns the faults of a value, at most one for each path; empty: valid. */
export function faultsOf(schema: z.ZodType, value: unknown): Fault[] {
  const result = schema.safeParse(value, { error: messageOf });
  return result.success ? [] : toFaults(result.error);
}

/** The parsed value, or the faults of an invalid one. */
export type CheckResult<T> = { ok: true; value: T } | { ok: false; faults: Fault[] };

/** Validates a value and returns the parsed value or its faults. */
export function validateValue<S extends z.ZodType>(schema: S, value: unknown): CheckResult<z.output<S>> {
  const result = schema.safeParse(value, { error: messageOf });
  return result.success ? { ok: true, value: result.data } : { ok: false, faults: toFaults(result.error) };
}

function toFaults(error: z.ZodError): Fault[] {
  const byPath = new Map<string, string>();
  for (const issue of error.issues) {
    const path = issue.path.map(String).join('.');
    if (!byPath.has(path)) byPath.set(path, issue.message);
  }
  return [...byPath].map(([path, message]) => ({ path, message }));
}

const NOUNS: Readonly<Record<string, string | undefined>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

type Issue<Code extends z.core.$ZodRawIssue['code']> = Extract<z.core.$ZodRawIssue, { code: Code }>;

/** States what is allowed and never the input, which may contain a secret. */
function messageOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'required' : `must be ${NOUNS[issue.expected] ?? `of type ${issue.expected}`}`;
    case 'invalid_value':
      return issue.input === undefined ? 'required' : `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return tooBig(issue);
    case 'invalid_union':
      return noneOfUnion(issue);
    default:
      return 'has the wrong form';
  }
}

function tooSmall({ origin, minimum, inclusive }: Issue<'too_small'>): string {
  if (origin === 'string') return minimum === 1 ? 'must not be empty' : `must have at least ${minimum} characters`;
  if (origin === 'array') return `must have at least ${minimum} ${minimum === 1 ? 'item' : 'items'}`;
  return `must be ${inclusive ? 'at least' : 'more than'} ${minimum}`;
}

function tooBig({ origin, maximum, inclusive }: Issue<'too_big'>): string {
  if (origin === 'string') return `must have at most ${maximum} characters`;
  if (origin === 'array') return `must have at most ${maximum} items`;
  return `must be ${inclusive ? 'at most' : 'less than'} ${maximum}`;
}

function noneOfUnion({ input, errors }: Issue<'invalid_union'>): string {
  if (input === undefined) return 'required';
  if (input === FILL_IN) return CLEARED;
  const messages = new Set(errors.flatMap(branch => branch.map(inner => inner.message)));
  return messages.size === 0 ? 'has the wrong form' : [...messages].join(' or ');
}
