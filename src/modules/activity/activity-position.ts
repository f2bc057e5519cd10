import { InvalidInputError } from '../../platform/errors/errors.js';

/**
 * A position in the activity of a project. It covers all earlier changes, and changes at the same time with a
 * key up to `key`.
 */
export interface ActivityPosition {
  /** The time in milliseconds of the database clock. */
  ms: number;
  /** The last covered key at this time. Empty: none. */
  key: string;
}

const CURSOR = /^(\d{1,15})(?:\.([a-z_]{1,20}:[0-9a-f-]{1,36}))?$/;

/** Writes a position as the cursor that `parseCursor` reads. */
export function formatCursor({ ms, key }: ActivityPosition): string {
  return key === '' ? String(ms) : `${ms}.${key}`;
}

/** Parses a cursor. @throws InvalidInputError if the text is not a cursor */
export function parseCursor(cursor: string): ActivityPosition {
  const [, ms, key = ''] = CURSOR.exec(cursor) ?? [];
  if (ms === undefined)
    throw new InvalidInputError({ after: ['Expected the `cursor` of an activity of this project.'] });
  return { ms: Number(ms), key };
}
