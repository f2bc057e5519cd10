import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  scrypt,
  scryptSync,
  timingSafeEqual,
} from 'node:crypto';
import { promisify } from 'node:util';

const KEY_ID = 'k1';

const KEY_SALT = 'scenarium/encryption-at-rest';
const KEY_BYTES = 32;
const KEY_COST = { N: 16_384, r: 8, p: 1 };
const deriveInBackground = promisify<string, string, number, typeof KEY_COST, Buffer>(scrypt);

/** Caches the derived key of the last secret, because scrypt is slow by design. */
let derived: { secret: string; key: Buffer } | undefined;

function deriveKey(secret: string): Buffer {
  if (derived?.secret !== secret) derived = { secret, key: scryptSync(secret, KEY_SALT, KEY_BYTES, KEY_COST) };
  return derived.key;
}

/**
 * Encrypts data at rest with AES-256-GCM. The key is derived from ENCRYPTION_KEY with scrypt. A sealed text opens only
 * for the context (`table:column:row`) it was sealed for, so a copied row is useless.
 */
export class Vault {
  readonly #key: Buffer;
  /** A KeyObject, because Node otherwise creates one at every call. That takes four times as long as the digest. */
  readonly #digestKey: KeyObject;

  constructor(secret: string) {
    this.#key = deriveKey(secret);
    this.#digestKey = createSecretKey(Buffer.from(hkdfSync('sha256', this.#key, '', 'scenarium/digests', 32)));
  }

  /** Returns the vault of a secret. Unlike the constructor, it derives the key outside the main thread. */
  static async open(secret: string): Promise<Vault> {
    derived = { secret, key: await deriveInBackground(secret, KEY_SALT, KEY_BYTES, KEY_COST) };
    return new Vault(secret);
  }

  seal(plain: string, context: string): string {
    return `${KEY_ID}.${this.sealBytes(plain, context).toString('base64')}`;
  }

  /**
   * Seals as bytes, which are a quarter shorter than text. They carry no key id, so use them only for short-lived data.
   */
  sealBytes(plain: string, context: string): Buffer {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv, { authTagLength: 16 }).setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]);
  }

  /** Returns a keyed digest that compares texts without storing them. It is useless without the key. */
  digest(text: string | Buffer): Buffer {
    return createHmac('sha256', this.#digestKey).update(text).digest();
  }

  /** @throws Error that names the context if the text is damaged, or was sealed with another key or context */
  open(sealed: string, context: string): string {
    const [keyId, encoded] = sealed.split('.', 2);
    if (keyId !== KEY_ID || !encoded)
      throw new Error(`cannot decrypt ${context}: the text was sealed with an unknown key`);
    return this.openBytes(Buffer.from(encoded, 'base64'), context);
  }

  openBytes(bytes: Buffer, context: string): string {
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, 12), { authTagLength: 16 })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
    } catch (cause) {
      throw new Error(`cannot decrypt ${context}: it is damaged, or was sealed with another key or context`, { cause });
    }
  }
}

/** Returns the SHA-256 digest of a text in UTF-8. */
export function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** Compares two buffers in a time that does not depend on their content, against timing attacks. */
export function equalInConstantTime(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Returns a key with 256 random bits and the `sk-` prefix that clients of the chat format expect. */
export function newApiKey(): string {
  return `sk-${randomBytes(32).toString('base64url')}`;
}
