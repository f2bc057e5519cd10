import { InvalidInputError } from '../../platform/errors/errors.js';

/** A place in what has moved in a project: whatever moved before is known, and at the very same time what has a key up to this. */
export interface Moment {
  /** Milliseconds, by the database's clock. */
  ms: number;
  /** Empty: nothing of that time is known. */
  key: string;
}

const CURSOR = /^(\d{1,15})(?:\.([a-z_]{1,20}:[0-9a-f-]{1,36}))?$/;

export function cursorOf({ ms, key }: Moment): string {
  return key === '' ? String(ms) : `${ms}.${key}`;
}

/** Throws BAD_USER_INPUT for what is no cursor. */
export function momentOf(cursor: string): Moment {
  const [, ms, key = ''] = CURSOR.exec(cursor) ?? [];
  if (ms === undefined) throw new InvalidInputError({ after: ['Expected the cursor of an activity.'] });
  return { ms: Number(ms), key };
}
