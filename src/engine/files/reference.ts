import { z } from 'zod';
import { isObject } from '../json-value.js';

/** A stored file as a value of workflows. Only `file_id` identifies the file. The other members describe it. */
export interface FileReference {
  file_id: string;
  name: string;
  /** Media type, detected from the content. */
  content_type: string;
  /** Bytes. */
  size: number;
  /** SHA-256 of the content in lower-case hexadecimal. */
  sha256: string;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const EXPECTED = 'must be a file: an object with file_id, or the id itself';

/** Maximum bytes of a file whose content a node reads into memory. */
export const MAX_READ_BYTES = 16 * 1024 * 1024;

/** A setting whose value is a file. */
export const fileSetting = z.union(
  [
    z.string().regex(UUID, EXPECTED),
    z.record(z.string(), z.unknown()).refine(value => fileIdOf(value) !== undefined, EXPECTED),
  ],
  EXPECTED,
);
export type FileSetting = z.infer<typeof fileSetting>;

/** Returns the id of a file in lower case; undefined: the value is not a file. */
export function fileIdOf(value: unknown): string | undefined {
  const id = isObject(value) ? value.file_id : value;
  return typeof id === 'string' && UUID.test(id) ? id.toLowerCase() : undefined;
}

/** Returns the id of a valid setting. */
export function fileIdOfSetting(setting: FileSetting): string {
  return fileIdOf(setting) ?? '';
}
