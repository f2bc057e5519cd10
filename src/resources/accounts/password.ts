import { argon2 as argon2Callback, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

const argon2 = promisify(argon2Callback);

// OWASP's first choice for argon2id: 19 MiB, two passes, one lane.
const MEMORY_KIB = 19_456;
const PASSES = 2;

/** argon2id in PHC form. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const parameters = { message: password, nonce, parallelism: 1, tagLength: 32, memory: MEMORY_KIB, passes: PASSES };
  const tag = await argon2('argon2id', parameters);
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${unpadded(nonce)}$${unpadded(tag)}`;
}

function unpadded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '');
}
