import * as crypto from 'node:crypto';

/** Available since Node 24.21, but missing in its published types. */
const { randomUUIDv7 } = crypto as unknown as { randomUUIDv7: () => string };

/** Returns a UUID version 7. It sorts by time, so new rows are adjacent in an index. */
export function timeOrderedUuid(): string {
  return randomUUIDv7();
}
