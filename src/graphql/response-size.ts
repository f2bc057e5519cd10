import type { FormattedExecutionResult } from 'graphql';
import { QueryTooComplexError } from '../platform/errors/errors.js';

/**
 * Returns a result, or an error instead of one whose JSON text has more than about `max` characters. An operation can repeat a large
 * value in its response, by aliases or because many items have the same parent, so the limits of lists are not enough.
 */
export function limitResult(result: FormattedExecutionResult, max: number): FormattedExecutionResult {
  if (remainingAfter(result.data, max) >= 0) return result;
  const { message, extensions } = new QueryTooComplexError(
    `its response has more than ${max} characters. Select fewer items, large members or aliases`,
  );
  return { errors: [{ message, extensions: { ...extensions } }] };
}

/** Returns what is left of `max` characters after a JSON value, escapes counted as one; negative: it is longer. */
function remainingAfter(value: unknown, max: number): number {
  if (typeof value === 'string') return max - value.length - 2;
  if (typeof value !== 'object' || value === null) return max - 4;
  let remaining = max - 2;
  if (Array.isArray(value)) {
    for (const item of value) {
      remaining = remainingAfter(item, remaining - 1);
      if (remaining < 0) break;
    }
    return remaining;
  }
  for (const [name, member] of Object.entries(value)) {
    remaining = remainingAfter(member, remaining - name.length - 4);
    if (remaining < 0) break;
  }
  return remaining;
}
