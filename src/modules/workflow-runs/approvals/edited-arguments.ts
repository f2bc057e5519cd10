import { isDeepStrictEqual } from 'node:util';
import { joinPath } from '../../../engine/json-schema/keywords.js';
import { findValueFault, type ValueFault } from '../../../engine/json-schema/value-fault.js';
import { isObject } from '../../../engine/json-value.js';
import { MASK } from '../../../engine/secrets.js';
import { originsOfItems } from '../../../engine/workflow/graph/approvals/approval-edit.js';
import { Faults, isUnstorableJson, MAX_JSON_DEPTH } from '../../../platform/errors/fields.js';

/** Maximum length of edited arguments as JSON, in characters. */
const MAX_CHARACTERS = 256 * 1024;
const MEMBER = 'editedArguments';
const CHANGED = 'contains a masked secret: keep it unchanged or write the whole value';
const AMBIGUOUS =
  'contains a masked secret, and after the changes of the list it is not known which one: write the whole value, or keep the other items of the list unchanged';

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

function assertNoFault(fault: ValueFault | undefined): void {
  const faults = new Faults();
  if (fault) faults.add(fault.path === '' ? MEMBER : `${MEMBER}.${fault.path}`, `This value ${fault.message}.`);
  faults.throwIfAny();
}

function editFault(edited: unknown, shown: unknown, schema: unknown): ValueFault | undefined {
  if (schema === undefined) return { path: '', message: 'cannot be changed, because the request has no arguments' };
  const message = formFault(edited);
  if (message !== undefined) return { path: '', message };
  return maskFault(edited, shown, '') ?? findValueFault(edited, schema);
}

function formFault(edited: unknown): string | undefined {
  if (!isObject(edited)) return 'must be an object';
  if (isUnstorableJson(edited))
    return `must have at most ${MAX_JSON_DEPTH} levels and no null characters or lone surrogates`;
  return JSON.stringify(edited).length > MAX_CHARACTERS
    ? `must have at most ${MAX_CHARACTERS} characters as JSON`
    : undefined;
}

/** Returns the fault of the first mask whose secret is not known, or undefined. */
function maskFault(edited: unknown, shown: unknown, path: string): ValueFault | undefined {
  if (typeof edited === 'string')
    return edited !== shown && edited.includes(MASK) ? { path, message: CHANGED } : undefined;
  if (Array.isArray(edited)) return maskFaultInList(edited, Array.isArray(shown) ? shown : [], path);
  if (!isObject(edited)) return undefined;
  const before = isObject(shown) ? shown : {};
  for (const [name, member] of Object.entries(edited)) {
    const at = joinPath(path, name);
    if (name.includes(MASK)) return { path: at, message: CHANGED };
    const fault = maskFault(member, Object.hasOwn(before, name) ? before[name] : undefined, at);
    if (fault) return fault;
  }
  return undefined;
}

function maskFaultInList(edited: readonly unknown[], shown: readonly unknown[], path: string): ValueFault | undefined {
  const origins = originsOfItems(edited, shown);
  for (const [index, item] of edited.entries()) {
    const origin = origins[index];
    const at = joinPath(path, String(index));
    if (origin === undefined && JSON.stringify(item).includes(MASK)) return { path: at, message: AMBIGUOUS };
    const fault = origin === undefined ? undefined : maskFault(item, shown[origin], at);
    if (fault) return fault;
  }
  return undefined;
}
