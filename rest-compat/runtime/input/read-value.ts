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
import { snakeCase } from '../snake-case.js';
import type { Faults } from './faults.js';
import { enumChoices, type Input, uploadScalar } from './inputs.js';

type Limits = Pick<Input, 'min' | 'max' | 'choices'>;

const noLimits: Limits = { min: null, max: null, choices: null };
export const requiredMessage = 'This field is required.';
const nullMessage = 'This field may not be null.';
const maxInteger = 2 ** 31 - 1;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Validates a value against a GraphQL type and adds faults under the path `at`. Members of objects are renamed from snake case
 * to the names of the schema. Unknown members are ignored.
 */
export function readValue(type: GraphQLInputType, sent: unknown, at: string, limits: Limits, faults: Faults): unknown {
  if (isNonNullType(type)) {
    if (sent === null) return faults.add(at, nullMessage);
    return readValue(type.ofType, sent, at, limits, faults);
  }
  if (sent === null) return null;
  if (isListType(type)) {
    if (!Array.isArray(sent)) return faults.add(at, 'Expected a list of items.');
    return sent.map((item, index) => readValue(type.ofType, item, `${at}.${index}`, limits, faults));
  }
  if (isInputObjectType(type)) return readObject(type, sent, at, faults);
  const read = readLeaf(type, sent, limits);
  return 'fault' in read ? faults.add(at, read.fault) : read.value;
}

function readObject(type: GraphQLInputObjectType, sent: unknown, at: string, faults: Faults): unknown {
  if (!isObject(sent)) return faults.add(at, 'Expected an object.');
  const read: Record<string, unknown> = {};
  for (const field of Object.values(type.getFields())) {
    const name = snakeCase(field.name);
    const path = `${at}.${name}`;
    if (Object.hasOwn(sent, name)) read[field.name] = readValue(field.type, sent[name], path, noLimits, faults);
    else if (isNonNullType(field.type) && field.defaultValue === undefined) faults.add(path, requiredMessage);
  }
  return read;
}

type Leaf = { readonly value: unknown } | { readonly fault: string };

function readLeaf(type: GraphQLLeafType, sent: unknown, limits: Limits): Leaf {
  if (isEnumType(type)) return readChoice(sent, limits.choices ?? enumChoices(type.getValues()));
  const read = leafReaders.get(type.name);
  return read ? read(sent, limits) : readScalar(type, sent);
}

const leafReaders: ReadonlyMap<string, (sent: unknown, limits: Limits) => Leaf> = new Map([
  ['Int', readInteger],
  ['Float', readNumber],
  ['Boolean', (sent: unknown) => (typeof sent === 'boolean' ? { value: sent } : { fault: 'Must be a valid boolean.' })],
  ['String', (sent: unknown) => (typeof sent === 'string' ? storable(sent) : { fault: 'Not a valid string.' })],
  ['ID', readId],
  ['UUID', readUuid],
  // The service has already received the file and sanitized its name.
  [
    uploadScalar,
    (sent: unknown) => (typeof sent === 'object' ? { value: sent } : { fault: 'The submitted data was not a file.' }),
  ],
]);

function readInteger(sent: unknown, limits: Limits): Leaf {
  const isInteger = typeof sent === 'number' && Number.isInteger(sent);
  if (!isInteger || sent > maxInteger || sent < -maxInteger - 1) return { fault: 'A valid integer is required.' };
  return inRange(sent, limits);
}

function readNumber(sent: unknown, limits: Limits): Leaf {
  if (typeof sent !== 'number' || !Number.isFinite(sent)) return { fault: 'A valid number is required.' };
  return inRange(sent, limits);
}

function readId(sent: unknown): Leaf {
  return typeof sent === 'string' || Number.isInteger(sent) ? storable(String(sent)) : { fault: 'Not a valid string.' };
}

function readUuid(sent: unknown): Leaf {
  return typeof sent === 'string' && uuid.test(sent) ? { value: sent } : { fault: 'Must be a valid UUID.' };
}

function readChoice(sent: unknown, choices: ReadonlyMap<string, string>): Leaf {
  const value = typeof sent === 'string' ? choices.get(sent) : undefined;
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

function storable(value: unknown): Leaf {
  const fault = storageFault(value);
  return fault === null ? { value } : { fault };
}

const scalarMessages: Record<string, string> = {
  DateTime: 'Enter a valid date and time in ISO 8601 format.',
  Date: 'Enter a valid date in the format YYYY-MM-DD.',
  Decimal: 'A valid number is required.',
};

/** Validates a custom scalar by its parser. The parser's message is not returned, because it may quote the value. */
function readScalar(type: GraphQLLeafType, sent: unknown): Leaf {
  const read = storable(sent);
  if ('fault' in read) return read;
  try {
    if (type.parseValue(sent) !== undefined) return read;
  } catch {
    // Reported below.
  }
  return { fault: scalarMessages[type.name] ?? 'Not a valid value.' };
}
