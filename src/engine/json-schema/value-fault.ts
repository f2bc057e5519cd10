import type { RE2JS } from 're2js';
import { canonicalJson, isObject, type JsonObject } from '../json-value.js';
import { compilePattern, faultAt, joinPath, resolveReference, TYPES, typeNames } from './keywords.js';

/** Maximum number of evaluated schemas and compared pieces of one check. It takes a fraction of a second. */
const MAX_STEPS = 100_000;
/** Maximum nesting of evaluated schemas, including references. */
const MAX_NESTING = 200;
/** Characters that one step covers when texts are compared or matched. */
const CHARACTERS_PER_STEP = 100;
/** Instructions × characters that one step covers when a pattern is tested. */
const PATTERN_COST_PER_STEP = 1000;
/** Steps of compiling a pattern. */
const COMPILE_STEPS = 100;
const MAX_PATH = 300;

const TOO_COMPLEX = 'cannot be checked: the schema is too complex for this value';

/** A fault of a value. The dotted path is empty for the value itself. */
export interface ValueFault {
  path: string;
  message: string;
}

/** Returns the fault of a value as one text, worded for the model or user that wrote it, or undefined. */
export function valueFault(value: unknown, schema: unknown): string | undefined {
  const fault = findValueFault(value, schema);
  return fault && toText(fault);
}

/** Returns the first fault of a value, or undefined. Ignores malformed keywords, which `schemaFault` reports. */
export function findValueFault(value: unknown, schema: unknown): ValueFault | undefined {
  try {
    return new Checker(schema).fault(value, schema, '');
  } catch (error) {
    if (error instanceof TooComplex) return { path: '', message: TOO_COMPLEX };
    throw error;
  }
}

function toText({ path, message }: ValueFault): string {
  return faultAt(path, message);
}

class TooComplex extends Error {}

type Check = (checker: Checker, value: unknown, schema: JsonObject, path: string) => ValueFault | undefined;

class Checker {
  #steps = MAX_STEPS;
  #nesting = 0;
  readonly #patterns = new Map<string, RE2JS | undefined>();

  constructor(readonly root: unknown) {}

  fault(value: unknown, schema: unknown, path: string): ValueFault | undefined {
    if (schema === false) return faultOf(path, 'is not allowed');
    if (!isObject(schema)) return undefined;
    this.spend(1);
    if (++this.#nesting > MAX_NESTING) throw new TooComplex();
    for (const check of CHECKS) {
      const fault = check(this, value, schema, path);
      if (fault !== undefined) {
        this.#nesting--;
        return fault;
      }
    }
    this.#nesting--;
    return undefined;
  }

  spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw new TooComplex();
  }

  /** Returns the value as a text that equal values share. */
  canonicalText(value: unknown): string {
    const text = canonicalJson(value);
    this.spend(1 + text.length / CHARACTERS_PER_STEP);
    return text;
  }

  /** Returns true if the text contains a match. An invalid pattern matches everything. */
  matches(pattern: string, text: string): boolean {
    if (!this.#patterns.has(pattern)) {
      this.spend(COMPILE_STEPS);
      this.#patterns.set(pattern, compilePattern(pattern));
    }
    const compiled = this.#patterns.get(pattern);
    if (!compiled) return true;
    this.spend(1 + (compiled.programSize() * text.length) / PATTERN_COST_PER_STEP);
    return compiled.test(text);
  }
}

const CHECKS: readonly Check[] = [
  referenceFault,
  typeFault,
  equalityFault,
  (checker, value, schema, path) => (typeof value === 'string' ? textFault(checker, value, schema, path) : undefined),
  (_, value, schema, path) => (typeof value === 'number' ? numberFault(value, schema, path) : undefined),
  (checker, value, schema, path) => (isObject(value) ? objectFault(checker, value, schema, path) : undefined),
  (checker, value, schema, path) => (Array.isArray(value) ? listFault(checker, value, schema, path) : undefined),
  combinedFault,
  conditionalFault,
];

function referenceFault(checker: Checker, value: unknown, { $ref }: JsonObject, path: string): ValueFault | undefined {
  if (typeof $ref !== 'string' || !$ref.startsWith('#')) return undefined;
  return checker.fault(value, resolveReference(checker.root, $ref), path);
}

function typeFault(_: Checker, value: unknown, { type }: JsonObject, path: string): ValueFault | undefined {
  const types = typeNames(type);
  if (types.length === 0 || types.some(name => TYPES[name]?.(value))) return undefined;
  return faultOf(path, `must be of the type ${types.join(' or ')}`);
}

function equalityFault(checker: Checker, value: unknown, schema: JsonObject, path: string): ValueFault | undefined {
  const hasConstant = Object.hasOwn(schema, 'const');
  if (!hasConstant && !Array.isArray(schema.enum)) return undefined;
  const text = checker.canonicalText(value);
  if (hasConstant && checker.canonicalText(schema.const) !== text)
    return faultOf(path, `must be ${JSON.stringify(schema.const)}`);
  if (!Array.isArray(schema.enum) || schema.enum.some(allowed => checker.canonicalText(allowed) === text))
    return undefined;
  return faultOf(path, `must be one of ${schema.enum.map(allowed => JSON.stringify(allowed)).join(', ')}`);
}

function textFault(
  checker: Checker,
  value: string,
  { minLength, maxLength, pattern }: JsonObject,
  path: string,
): ValueFault | undefined {
  if (typeof minLength === 'number' || typeof maxLength === 'number') {
    checker.spend(value.length / CHARACTERS_PER_STEP);
    let length = 0;
    for (const _ of value) length++;
    if (typeof minLength === 'number' && length < minLength)
      return faultOf(path, `must have at least ${minLength} characters`);
    if (typeof maxLength === 'number' && length > maxLength)
      return faultOf(path, `must have at most ${maxLength} characters`);
  }
  if (typeof pattern !== 'string' || checker.matches(pattern, value)) return undefined;
  return faultOf(path, `must match the pattern ${pattern}`);
}

function numberFault(value: number, schema: JsonObject, path: string): ValueFault | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (typeof minimum === 'number' && value < minimum) return faultOf(path, `must be at least ${minimum}`);
  if (typeof maximum === 'number' && value > maximum) return faultOf(path, `must be at most ${maximum}`);
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum)
    return faultOf(path, `must be more than ${exclusiveMinimum}`);
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum)
    return faultOf(path, `must be less than ${exclusiveMaximum}`);
  if (typeof multipleOf !== 'number' || multipleOf <= 0 || isMultiple(value / multipleOf)) return undefined;
  return faultOf(path, `must be a multiple of ${multipleOf}`);
}

/** Tolerates the rounding of a division: 0.3 is a multiple of 0.1. */
function isMultiple(quotient: number): boolean {
  return Math.abs(quotient - Math.round(quotient)) <= 2 * Number.EPSILON * Math.abs(quotient);
}

function objectFault(checker: Checker, value: JsonObject, schema: JsonObject, path: string): ValueFault | undefined {
  return (
    countFault(Object.keys(value).length, schema.minProperties, schema.maxProperties, 'members', path) ??
    requiredFault(value, schema.required, path) ??
    dependencyFault(checker, value, schema, path) ??
    memberFault(checker, value, schema, path)
  );
}

function requiredFault(value: JsonObject, required: unknown, path: string): ValueFault | undefined {
  if (!Array.isArray(required)) return undefined;
  const missing = required.find(name => typeof name === 'string' && !Object.hasOwn(value, name));
  return missing === undefined ? undefined : faultOf(joinPath(path, String(missing)), 'is required');
}

function dependencyFault(
  checker: Checker,
  value: JsonObject,
  { dependentRequired, dependentSchemas }: JsonObject,
  path: string,
): ValueFault | undefined {
  for (const [name, required] of entriesOf(dependentRequired)) {
    const fault = Object.hasOwn(value, name) ? requiredFault(value, required, path) : undefined;
    if (fault !== undefined) return fault;
  }
  for (const [name, schema] of entriesOf(dependentSchemas)) {
    const fault = Object.hasOwn(value, name) ? checker.fault(value, schema, path) : undefined;
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function memberFault(checker: Checker, value: JsonObject, schema: JsonObject, path: string): ValueFault | undefined {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const patterns = entriesOf(schema.patternProperties);
  for (const [name, member] of Object.entries(value)) {
    const inner = joinPath(path, name);
    const schemas = patterns.filter(([pattern]) => checker.matches(pattern, name)).map(([, each]) => each);
    if (Object.hasOwn(properties, name)) schemas.push(properties[name]);
    if (schemas.length === 0) schemas.push(schema.additionalProperties);
    for (const each of schemas) {
      const fault = checker.fault(member, each, inner);
      if (fault !== undefined) return fault;
    }
    const misnamed = schema.propertyNames === undefined ? undefined : checker.fault(name, schema.propertyNames, '');
    if (misnamed !== undefined) return faultOf(inner, `has a name that ${misnamed.message}`);
  }
  return undefined;
}

function listFault(checker: Checker, value: unknown[], schema: JsonObject, path: string): ValueFault | undefined {
  const count = countFault(value.length, schema.minItems, schema.maxItems, 'items', path);
  if (count !== undefined) return count;
  const first: unknown[] = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  for (const [index, item] of value.entries()) {
    const own = index < first.length ? first[index] : schema.items;
    const fault = checker.fault(item, own, joinPath(path, String(index)));
    if (fault !== undefined) return fault;
  }
  if (schema.uniqueItems === true && new Set(value.map(item => checker.canonicalText(item))).size < value.length)
    return faultOf(path, 'must not contain equal items');
  return containsFault(checker, value, schema, path);
}

function containsFault(
  checker: Checker,
  value: unknown[],
  { contains, minContains, maxContains }: JsonObject,
  path: string,
): ValueFault | undefined {
  if (contains === undefined) return undefined;
  const count = value.filter(item => checker.fault(item, contains, '') === undefined).length;
  const min = typeof minContains === 'number' ? minContains : 1;
  if (count < min) return faultOf(path, `must contain at least ${min} items that conform to contains`);
  if (typeof maxContains !== 'number' || count <= maxContains) return undefined;
  return faultOf(path, `must contain at most ${maxContains} items that conform to contains`);
}

function combinedFault(checker: Checker, value: unknown, schema: JsonObject, path: string): ValueFault | undefined {
  const { allOf, anyOf, oneOf, not } = schema;
  for (const each of listOf(allOf)) {
    const fault = checker.fault(value, each, path);
    if (fault !== undefined) return fault;
  }
  if (Array.isArray(anyOf) && anyOf.length > 0) {
    const faults = anyOf.map(each => checker.fault(value, each, path));
    if (!faults.includes(undefined)) return alternativesFault(faults, path);
  }
  if (Array.isArray(oneOf) && oneOf.length > 0) {
    const faults = oneOf.map(each => checker.fault(value, each, path));
    const count = faults.filter(fault => fault === undefined).length;
    if (count === 0) return alternativesFault(faults, path);
    if (count > 1) return faultOf(path, `must conform to one alternative of oneOf and conforms to ${count}`);
  }
  if (not === undefined || checker.fault(value, not, path) !== undefined) return undefined;
  return faultOf(path, 'must not conform to the schema in not');
}

/** The fault of a value that conforms to no alternative. It contains the fault of the first one. */
function alternativesFault(faults: readonly (ValueFault | undefined)[], path: string): ValueFault {
  const [first] = faults;
  if (faults.length === 1 && first !== undefined) return first;
  return faultOf(
    path,
    `must conform to one of ${faults.length} alternatives; the first reports: ${first && toText(first)}`,
  );
}

function conditionalFault(checker: Checker, value: unknown, schema: JsonObject, path: string): ValueFault | undefined {
  if (schema.if === undefined) return undefined;
  const holds = checker.fault(value, schema.if, path) === undefined;
  const { then: whenTrue, else: whenFalse } = schema;
  return checker.fault(value, holds ? whenTrue : whenFalse, path);
}

function countFault(count: number, min: unknown, max: unknown, noun: string, path: string): ValueFault | undefined {
  if (typeof min === 'number' && count < min) return faultOf(path, `must have at least ${min} ${noun}`);
  if (typeof max === 'number' && count > max) return faultOf(path, `must have at most ${max} ${noun}`);
  return undefined;
}

function entriesOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Paths contain names that a model wrote, so their length is limited. */
function faultOf(path: string, message: string): ValueFault {
  return { path: path.length <= MAX_PATH ? path : `${path.slice(0, MAX_PATH).toWellFormed()}…`, message };
}
