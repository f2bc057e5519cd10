import { PortError } from '../ports.js';
import type { FileStore, LoadedFile } from './port.js';
import { type FileSetting, fileIdOfSetting, MAX_READ_BYTES } from './reference.js';

/**
 * Reads the files of a setting. Throws a PortError with the code `file_not_found`, or `file_too_large` if one of them or all
 * together have more than `MAX_READ_BYTES`. `subject` is the noun for them in the message.
 */
export async function loadFiles(
  settings: readonly FileSetting[],
  files: FileStore,
  subject: string,
): Promise<LoadedFile[]> {
  const loaded: LoadedFile[] = [];
  let total = 0;
  for (const setting of settings) {
    const file = await files.read(fileIdOfSetting(setting), MAX_READ_BYTES);
    total += file.bytes.length;
    if (total > MAX_READ_BYTES)
      throw new PortError('file_too_large', `the ${subject} have more than ${MAX_READ_BYTES} bytes`, { isFinal: true });
    loaded.push(file);
  }
  return loaded;
}
