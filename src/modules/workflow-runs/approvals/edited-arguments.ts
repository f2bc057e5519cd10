import { isDeepStrictEqual } from 'node:util';
import { findValueFault } from '../../../engine/json-schema/value-fault.js';
import { isObject } from '../../../engine/json-value.js';
import { MASK } from '../../../engine/secrets.js';
import { Faults, isUnstorableJson, MAX_JSON_DEPTH } from '../../../platform/errors/fields.js';

/** Maximum length of edited arguments as JSON, in characters. */
const MAX_CHARACTERS = 256 * 1024;
const MEMBER = 'editedArguments';

/**
 * Checks arguments that a person edited against the schema of the tool. Returns null if they equal the shown ones.
 * Throws InvalidInputError with the path of the fault.
 */
export function checkEdit(edited: unknown, shown: unknown, schema: unknown): unknown {
  if (isDeepStrictEqual(edited, shown)) return null;
  assertNoFault(editFault(edited, shown, schema));
  return edited;
}

/** Checks the values of a form against its schema. Throws InvalidInputError with the path of the fault. */
export function checkValues(values: unknown, schema: unknown): void {
  assertNoFault(findValueFault(values, schema));
}

function assertNoFault(fault: { path: string; message: string } | undefined): void {
  const faults = new Faults();
  if (fault) faults.add(fault.path === '' ? MEMBER : `${MEMBER}.${fault.path}`, `This value ${fault.message}.`);
  faults.throwIfAny();
}

function editFault(edited: unknown, shown: unknown, schema: unknown): { path: string; message: string } | undefined {
  if (schema === undefined) return { path: '', message: 'cannot be changed, because the request has no arguments' };
  const message = formFault(edited);
  if (message !== undefined) return { path: '', message };
  const masked = changedMask(edited, shown, '');
  if (masked !== undefined)
    return { path: masked, message: 'contains a masked secret: keep it unchanged or write the whole value' };
  return findValueFault(edited, schema);
}

function formFault(edited: unknown): string | undefined {
  if (!isObject(edited)) return 'must be an object';
  if (isUnstorableJson(edited))
    return `must have at most ${MAX_JSON_DEPTH} levels and no null characters or lone surrogates`;
  return JSON.stringify(edited).length > MAX_CHARACTERS
    ? `must have at most ${MAX_CHARACTERS} characters as JSON`
    : undefined;
}

/** Returns the path of a changed text that contains the mask, whose secret is not known, or undefined. */
function changedMask(edited: unknown, shown: unknown, path: string): string | undefined {
  if (typeof edited === 'string') return edited !== shown && edited.includes(MASK) ? path : undefined;
  const before = membersOf(shown);
  for (const [name, member] of Object.entries(membersOf(edited))) {
    const at = path === '' ? name : `${path}.${name}`;
    if (name.includes(MASK)) return at;
    const found = changedMask(member, Object.hasOwn(before, name) ? before[name] : undefined, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Members of an object, or items of a list by index. Other values have none. */
function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
