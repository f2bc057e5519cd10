import { TemplateError } from '../../engine/expressions/expression.js';
import { compileValue } from '../../engine/expressions/template.js';
import { isObject } from '../../engine/json-value.js';
import { DomainError } from '../../platform/errors/errors.js';
import { type Faults, isUnstorableJson } from '../../platform/errors/fields.js';

/** The longest mapping, and the longest fixed input of a trigger, as JSON. */
export const MAX_INPUT_CHARACTERS = 65_536;

/** Checks a mapping, an object whose placeholders refer to `members` of the call or event. */
export function checkMapping(mapping: unknown, members: readonly string[], faults: Faults): void {
  if (!isObject(mapping) || isUnstorableJson(mapping) || JSON.stringify(mapping).length > MAX_INPUT_CHARACTERS)
    return faults.add('mapping', `The mapping must be a JSON object of at most ${MAX_INPUT_CHARACTERS} characters.`);
  const { problems, uses } = compileValue(mapping);
  for (const { path, message } of problems) faults.add('mapping', `${path}: ${message}`);
  for (const { path, reference } of uses)
    if (reference.root !== 'input' || !members.includes(String(reference.path[0])))
      faults.add('mapping', `${path}: use ${members.map(member => `input.${member}`).join(', ')}.`);
}

/** A mapping that has no result for a call or event. The message contains no values, so that it may be shown to the caller. */
export class MappingError extends DomainError {
  constructor({ message }: TemplateError) {
    super('BAD_USER_INPUT', `The mapping of the trigger cannot be evaluated: ${message}.`);
  }
}

/**
 * Builds the input of a run from the members of a call or event by the mapping. Without a mapping, the members are the input.
 * @throws MappingError if a placeholder has no value or fails
 */
export function applyMapping(mapping: unknown, members: Record<string, unknown>): Record<string, unknown> {
  if (!isObject(mapping)) return members;
  // `checkMapping` permits only references to `input`, so there are no nodes and no run.
  const scope = {
    ...{ input: members, declared: new Set(Object.keys(members)), runId: '', now: new Date().toISOString() },
    ...{ node: () => undefined, previous: () => undefined },
  };
  try {
    return compileValue(mapping).render(scope) as Record<string, unknown>;
  } catch (error) {
    throw error instanceof TemplateError ? new MappingError(error) : error;
  }
}
