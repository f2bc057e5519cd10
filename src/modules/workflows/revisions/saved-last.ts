import { ConflictError } from '../../../platform/errors/errors.js';

/**
 * Refuses a change that is based on another revision than the one that was saved last. `expected`: null or undefined: not
 * checked. The caller has locked the workflow.
 */
export function assertSavedLast(number: number | null, expected: number | null | undefined): void {
  if (expected == null || expected === number) return;
  throw new ConflictError(
    `Revision ${number} was saved since: your change is based on revision ${expected}. Load the workflow again and repeat the change.`,
  );
}
