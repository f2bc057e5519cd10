import { formsSearch, secretForms } from '../secrets.js';

/** Bytes that are searched at once. Other work proceeds between two parts. */
const PART_BYTES = 256 * 1024;

/**
 * Returns a function that replaces each byte of a secret by `*` in a file, in every spelling that `valueMasker` masks. The
 * length stays, so that the structure of a binary file does. Bytes without a secret are returned without a copy.
 */
export function bytesMasker(secrets: Iterable<string>): (bytes: Uint8Array) => Promise<Uint8Array> {
  const forms = [...secretForms(secrets)].map(form => Buffer.from(form).toString('latin1'));
  if (forms.length === 0) return async bytes => bytes;
  const find = formsSearch(forms);
  const longest = Math.max(...forms.map(form => form.length));
  return async bytes => {
    const original = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let masked: Buffer | undefined;
    for (let at = 0; at < original.length; at += PART_BYTES) {
      if (at > 0) await new Promise(resolve => setImmediate(resolve));
      // One character for each byte. Parts overlap, so that a secret between two is found.
      for (const [from, to] of find(original.toString('latin1', at, at + PART_BYTES + longest))) {
        masked ??= Buffer.from(original);
        masked.fill('*', at + from, at + to);
      }
    }
    return masked ?? bytes;
  };
}
