import { argon2 as argon2Callback, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { equalInConstantTime } from '../../../platform/crypto/crypto.js';
import type { Faults } from '../../../platform/errors/fields.js';
import type { HashingClient, HashingQueue } from './hashing-queue.js';

const argon2 = promisify(argon2Callback);

// Parameters for argon2id recommended by OWASP: 19 MiB, two passes, one lane.
const MEMORY_KIB = 19_456;
const PASSES = 2;
/** The PHC string format: version, memory in KiB, passes, lanes, then salt and tag in unpadded Base64. */
const PHC_FORMAT = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** The maximum length in characters. Longer passwords are rejected when they are set and never match. */
const MAX_PASSWORD = 1_024;
/** The minimum length in characters. */
export const MIN_PASSWORD = 8;

/** Hashes a password with argon2id and returns it in the PHC string format. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const parameters = { message: password, nonce, parallelism: 1, tagLength: 32, memory: MEMORY_KIB, passes: PASSES };
  const tag = await argon2('argon2id', parameters);
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${toUnpaddedBase64(nonce)}$${toUnpaddedBase64(tag)}`;
}

let placeholderHash: Promise<string> | undefined;

/**
 * Checks a password against a hash. Without a hash, the check takes the same time, so that the timing does not
 * reveal which accounts exist. Checks wait in `queue`.
 *
 * @throws RateLimitedError if the queue is full
 */
export async function verifyPassword(
  queue: HashingQueue,
  password: string,
  hash: string | null,
  client: HashingClient,
): Promise<boolean> {
  return queue.run(client, async () => {
    placeholderHash ??= hashPassword(randomBytes(32).toString('base64url'));
    const placeholder = await placeholderHash;
    const matches = await matchesHash(password.slice(0, MAX_PASSWORD), hash ?? placeholder);
    return matches && hash !== null && password.length <= MAX_PASSWORD;
  });
}

/** Adds the problems of a new password to `faults`. */
export function checkPassword(faults: Faults, field: string, password: string): void {
  faults.text(field, password, { min: 1, max: MAX_PASSWORD });
  if (password.length < MIN_PASSWORD) faults.add(field, `Ensure this field has at least ${MIN_PASSWORD} characters.`);
}

async function matchesHash(password: string, hash: string): Promise<boolean> {
  const [, memory, passes, parallelism, nonce, tag] = PHC_FORMAT.exec(hash) ?? [];
  if (nonce === undefined || tag === undefined) throw new Error('a stored password hash is not argon2id in PHC form');
  const expected = Buffer.from(tag, 'base64');
  const actual = await argon2('argon2id', {
    message: password,
    nonce: Buffer.from(nonce, 'base64'),
    parallelism: Number(parallelism),
    tagLength: expected.length,
    memory: Number(memory),
    passes: Number(passes),
  });
  return equalInConstantTime(actual, expected);
}

function toUnpaddedBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('base64')
    .replace(/={1,2}$/, '');
}
