import { isFiniteJson, isObject, isShallow, MAX_DEPTH, parseJsonText } from '../../json-value.js';
import { type Evaluation, failure, toNumber } from '../evaluation.js';
import { typeOf } from '../value-types.js';
import { defineFunction } from './function-kind.js';

const TRUE_TEXTS = new Set(['true', 'yes', 'on', '1']);
const FALSE_TEXTS = new Set(['false', 'no', 'off', '0', '']);

function toBoolean(evaluation: Evaluation, value: unknown): boolean {
  if (typeof value !== 'string') return evaluation.isTrue(value);
  evaluation.chargeText(value.length);
  const text = value.trim().toLowerCase();
  if (TRUE_TEXTS.has(text)) return true;
  if (FALSE_TEXTS.has(text)) return false;
  throw failure('boolean takes true, false, yes, no, on, off, 1 or 0 as text');
}

/** Returns true for a missing value, null, white space, and an empty list or map. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Functions of any values: substitutes, tests of the type, conversions. */
export const valueFunctions = [
  defineFunction(
    'default(value: any, substitute: any): any',
    'The substitute if the value is missing, null or the empty text.',
    [
      ['default(null, "x")', 'x'],
      ['default("a", "x")', 'a'],
    ],
    (_, value: unknown, substitute: unknown) =>
      value === undefined || value === null || value === '' ? substitute : value,
    true,
  ),
  defineFunction(
    'coalesce(...values: any): any',
    'The first value that is neither missing nor null.',
    [['coalesce(null, 0, 1)', 0]],
    (_, ...values: unknown[]) => values.find(value => value !== undefined && value !== null),
    true,
  ),
  defineFunction(
    'exists(value: any): boolean',
    'Whether the value is neither missing nor null.',
    [['exists(null)', false]],
    (_, value: unknown) => value !== undefined && value !== null,
    true,
  ),
  defineFunction(
    'is_empty(value: any): boolean',
    'Whether the value is missing, null, white space, or an empty list or map.',
    [
      ['is_empty(" ")', true],
      ['is_empty(0)', false],
    ],
    (evaluation, value: unknown) => {
      if (typeof value === 'string') evaluation.chargeText(value.length);
      return isObject(value) ? evaluation.countMembers(value) === 0 : isEmpty(value);
    },
    true,
  ),
  defineFunction(
    'type(value: any): text',
    '`null`, `text`, `number`, `boolean`, `list` or `map`.',
    [['type([1])', 'list']],
    (_, value: unknown) => typeOf(value),
  ),
  ...(['text', 'number', 'boolean', 'list', 'map', 'null'] as const).map(type =>
    defineFunction(
      `is_${type}(value: any): boolean`,
      `Whether the type of the value is \`${type}\`.`,
      [[`is_${type}("1")`, type === 'text']],
      (_, value: unknown) => typeOf(value) === type,
    ),
  ),
  defineFunction(
    'text(value: any): text',
    'The value as text: maps and lists as JSON.',
    [['text(5)', '5']],
    (evaluation, value) => evaluation.toText(value),
  ),
  defineFunction(
    'number(value: any): number',
    'The value as number: a text that contains a number, true (1) or false (0).',
    [['number(" 12.5 ")', 12.5]],
    (_, value: unknown) => (typeof value === 'boolean' ? Number(value) : toNumber(value, 'number')),
  ),
  defineFunction(
    'boolean(value: any): boolean',
    'The value as true or false: of texts `true`, `yes`, `on` and `1`, or `false`, `no`, `off`, `0` and the empty text.',
    [['boolean("yes")', true]],
    toBoolean,
  ),
  defineFunction(
    'json(value: any): text',
    'The JSON text of the value.',
    [['json({a: "x"})', '{"a":"x"}']],
    (evaluation, value: unknown) => {
      evaluation.chargeCreatedText(typeof value === 'string' ? value.length : evaluation.measure(value));
      return JSON.stringify(value);
    },
  ),
  defineFunction(
    'parse_json(text: text): any',
    'The value of a JSON text, which may be in a Markdown fence.',
    [['parse_json("[1, 2]")', [1, 2]]],
    (evaluation, text: string) => {
      evaluation.charge(text.length >> 4);
      const value = parseJsonText(text);
      if (value === undefined || !isShallow(value))
        throw failure(`parse_json takes JSON text, nested at most ${MAX_DEPTH} deep`);
      // JSON.parse returns infinity for numbers beyond the range of a double.
      if (!isFiniteJson(value)) throw failure('a number of parse_json is not finite');
      return value;
    },
  ),
];
