import { formsSearch, secretForms } from '../secrets.js';

/** Bytes that are searched at once. Other work proceeds between two parts. */
const PART_BYTES = 256 * 1024;

/** `longest`: the bytes of the longest spelling of a secret, 0 without a secret. */
interface BytesSearch {
  find: ReturnType<typeof formsSearch>;
  longest: number;
}

function createSearch(secrets: Iterable<string>): BytesSearch {
  const forms = [...secretForms(secrets)].map(form => Buffer.from(form).toString('latin1'));
  return { find: formsSearch(forms), longest: Math.max(0, ...forms.map(form => form.length)) };
}

/**
 * Returns a function that replaces each byte of a secret by `*` in a file, in every spelling that `valueMasker` masks. The
 * length stays, so that the structure of a binary file does. Bytes without a secret are returned without a copy.
 */
export function bytesMasker(secrets: Iterable<string>): (bytes: Uint8Array) => Promise<Uint8Array> {
  let search: BytesSearch | undefined;
  return async bytes => {
    // Built by the first file, because most runs with secrets write none.
    search ??= createSearch(secrets);
    const { find, longest } = search;
    if (longest === 0) return bytes;
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
