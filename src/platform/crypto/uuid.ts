import * as crypto from 'node:crypto';

/** Node 24.21 has it; its published types do not know it yet. */
const { randomUUIDv7 } = crypto as unknown as { randomUUIDv7: () => string };

/** A UUID that sorts by its time, so that new rows land side by side in an index. */
export function timeOrderedUuid(): string {
  return randomUUIDv7();
}
