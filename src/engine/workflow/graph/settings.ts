import { z } from 'zod';
import { textOf } from '../../json-value.js';
import { LateValue } from '../../template.js';
import { FILL_IN } from './credentials.js';

/**
 * One definition of a node's settings serves three readers: the JSON Schema of `get_nodes` and the check before a run
 * (both see settings as they are written, placeholders included), and the check of resolved values when the node runs.
 */
export interface SettingMode {
  /** A text, in which placeholders may stand anywhere. */
  text<S extends z.ZodType<unknown>>(schema: S): S;
  /** Anything but a free text: as written it may also be a text that is one placeholder alone. */
  value<S extends z.ZodType<unknown>>(schema: S): S;
  /** A part that the node renders when it uses it; `schema`: of the part as it is written. */
  late(schema: z.ZodType): z.ZodType<LateValue>;
}

const CLEARED = 'must be set: it was cleared when the workflow was copied';
const ONE_PLACEHOLDER = /^\s*\{\{[^{}]*\}\}\s*$/;

/** Settings as people write them. */
export const asWritten: SettingMode = {
  text: schema => schema,
  value: schema => {
    const placeholder = z
      .string()
      .regex(ONE_PLACEHOLDER, { error: ({ input }) => (input === FILL_IN ? CLEARED : expectation(schema)) })
      .describe('One placeholder alone, such as `{{ input.name }}`; its value is taken when the node runs.');
    return z.union([schema, placeholder]) as unknown as typeof schema;
  },
  late: schema => schema as z.ZodType<LateValue>,
};

/** Settings whose placeholders have been replaced by values. */
export const asResolved: SettingMode = {
  text: schema =>
    z.preprocess(value => (value === undefined ? value : textOf(value)), schema) as unknown as typeof schema,
  value: schema =>
    z.preprocess(
      value => (typeof value === 'string' ? orJson(value, schema) : value),
      schema,
    ) as unknown as typeof schema,
  late: () => z.instanceof(LateValue),
};

/** A value that came out of a text (a form, a model's answer) may be the text of what is wanted. */
function orJson(text: string, schema: z.ZodType): unknown {
  if (schema.safeParse(text).success) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function expectation(schema: z.ZodType): string {
  const result = schema.safeParse('\u0000', { error: messageOf });
  const message = result.success ? undefined : result.error.issues[0]?.message;
  return message === undefined ? 'must be one placeholder alone' : `${message}, or one placeholder alone`;
}

/** A fault at a dotted path below a node's `data`. */
export interface Fault {
  path: string;
  message: string;
}

/** The faults of a value, the first one of each path; empty: it is valid. */
export function faultsOf(schema: z.ZodType, value: unknown): Fault[] {
  const result = schema.safeParse(value, { error: messageOf });
  return result.success ? [] : toFaults(result.error);
}

export type CheckResult<T> = { ok: true; value: T } | { ok: false; faults: Fault[] };

export function check<S extends z.ZodType>(schema: S, value: unknown): CheckResult<z.output<S>> {
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

/** Says what is allowed and never what was given: a setting may hold a secret. */
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
