import * as crypto from 'node:crypto';

/** Available since Node 24.21, but missing in its published types. */
const { randomUUIDv7 } = crypto as unknown as { randomUUIDv7: () => string };

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a value is a UUID in lower case, as the service writes it. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

/** Returns a UUID version 7. It sorts by time, so new rows are adjacent in an index. */
export function timeOrderedUuid(): string {
  return randomUUIDv7();
}

/** Returns the same UUID (version 8) for the same text, so that a repeated insert has no effect. */
export function derivedUuid(text: string): string {
  const hex = crypto.createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
