import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { isObject, storageFault } from '../json-text.js';
import { memberName } from '../snake-case.js';
import type { Faults } from './faults.js';
import { enumChoices, type Input, uploadScalar } from './inputs.js';

type Limits = Pick<Input, 'min' | 'max' | 'choices'>;

const noLimits: Limits = { min: null, max: null, choices: null };
export const requiredMessage = 'This field is required.';
const nullMessage = 'This field may not be null.';
/** The greatest value of the type Int. */
export const MAX_INTEGER = 2 ** 31 - 1;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Validates a value against a GraphQL type and adds faults under the path `at`. Members of objects are renamed from snake case
 * to the names of the schema. Unknown members are ignored and recorded.
 */
export function readValue(type: GraphQLInputType, value: unknown, at: string, limits: Limits, faults: Faults): unknown {
  if (isNonNullType(type)) {
    if (value === null) return faults.add(at, nullMessage);
    return readValue(type.ofType, value, at, limits, faults);
  }
  if (value === null) return null;
  if (isListType(type)) {
    if (!Array.isArray(value)) return faults.add(at, 'Expected a list of items.');
    return value.map((item, index) => readValue(type.ofType, item, `${at}.${index}`, limits, faults));
  }
  if (isInputObjectType(type)) return readObject(type, value, at, faults);
  const read = readLeaf(type, value, limits);
  return 'fault' in read ? faults.add(at, read.fault) : read.value;
}

function readObject(type: GraphQLInputObjectType, value: unknown, at: string, faults: Faults): unknown {
  if (!isObject(value)) return faults.add(at, 'Expected an object.');
  const read: Record<string, unknown> = {};
  const fields = Object.values(type.getFields());
  faults.checkNames(
    Object.keys(value),
    fields.map(field => memberName(field.name)),
    at,
  );
  for (const field of fields) {
    const name = memberName(field.name);
    const path = `${at}.${name}`;
    if (Object.hasOwn(value, name)) read[field.name] = readValue(field.type, value[name], path, noLimits, faults);
    else if (isNonNullType(field.type) && field.defaultValue === undefined) faults.add(path, requiredMessage);
  }
  return read;
}

type Leaf = { readonly value: unknown } | { readonly fault: string };

function readLeaf(type: GraphQLLeafType, value: unknown, limits: Limits): Leaf {
  if (isEnumType(type)) return readChoice(value, limits.choices ?? enumChoices(type.getValues()));
  const read = leafReaders.get(type.name);
  return read ? read(value, limits) : readScalar(type, value);
}

const leafReaders: ReadonlyMap<string, (value: unknown, limits: Limits) => Leaf> = new Map([
  ['Int', readInteger],
  ['Float', readNumber],
  ['Boolean', (value: unknown) => (typeof value === 'boolean' ? { value } : { fault: 'Must be a valid boolean.' })],
  ['String', (value: unknown) => (typeof value === 'string' ? checkStorable(value) : { fault: 'Not a valid string.' })],
  ['ID', readId],
  ['UUID', readUuid],
  // The service has already received the file and sanitized its name.
  [
    uploadScalar,
    (value: unknown) => (typeof value === 'object' ? { value } : { fault: 'The submitted data was not a file.' }),
  ],
]);

function readInteger(value: unknown, limits: Limits): Leaf {
  const isInteger = typeof value === 'number' && Number.isInteger(value);
  if (!isInteger || value > MAX_INTEGER || value < -MAX_INTEGER - 1) return { fault: 'A valid integer is required.' };
  return inRange(value, limits);
}

function readNumber(value: unknown, limits: Limits): Leaf {
  if (typeof value !== 'number' || !Number.isFinite(value)) return { fault: 'A valid number is required.' };
  return inRange(value, limits);
}

function readId(value: unknown): Leaf {
  return typeof value === 'string' || Number.isInteger(value)
    ? checkStorable(String(value))
    : { fault: 'Not a valid string.' };
}

function readUuid(value: unknown): Leaf {
  return typeof value === 'string' && uuid.test(value) ? { value } : { fault: 'Must be a valid UUID.' };
}

function readChoice(restValue: unknown, choices: ReadonlyMap<string, string>): Leaf {
  const value = typeof restValue === 'string' ? choices.get(restValue) : undefined;
  return value === undefined
    ? { fault: `Not a valid choice, expected one of: ${[...choices.keys()].join(', ')}.` }
    : { value };
}

function inRange(value: number, { min, max }: Limits): Leaf {
  if ((min === null || value >= min) && (max === null || value <= max)) return { value };
  if (min !== null && max !== null) return { fault: `Ensure this value is between ${min} and ${max}.` };
  if (min !== null) return { fault: `Ensure this value is greater than or equal to ${min}.` };
  return { fault: `Ensure this value is less than or equal to ${max}.` };
}

function checkStorable(value: unknown): Leaf {
  const fault = storageFault(value);
  return fault === null ? { value } : { fault };
}

const scalarMessages: Record<string, string> = {
  DateTime: 'Enter a valid date and time in ISO 8601 format.',
  Date: 'Enter a valid date in the format YYYY-MM-DD.',
  Decimal: 'A valid number is required.',
  HttpHeaders: 'Send an object of at most 100 headers by name, with texts, numbers, booleans or null as values.',
};

/** Validates a custom scalar by its parser. The parser's message is not returned, because it may quote the value. */
function readScalar(type: GraphQLLeafType, value: unknown): Leaf {
  const read = checkStorable(value);
  if ('fault' in read) return read;
  try {
    if (type.parseValue(value) !== undefined) return read;
  } catch {
    // Reported below.
  }
  return { fault: scalarMessages[type.name] ?? 'Not a valid value.' };
}
