import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  scryptSync,
  timingSafeEqual,
} from 'node:crypto';

const KEY_ID = 'k1';

/** Stretching takes long by design. A process that starts several services with one secret does it once. */
let stretched: { secret: string; key: Buffer } | undefined;

function stretch(secret: string): Buffer {
  if (stretched?.secret !== secret) {
    stretched = { secret, key: scryptSync(secret, 'scenarium/encryption-at-rest', 32, { N: 16_384, r: 8, p: 1 }) };
  }
  return stretched.key;
}

/**
 * Encryption at rest: AES-256-GCM under a key that is stretched from ENCRYPTION_KEY. A sealed text opens only in
 * the place it was sealed for (`table:column:row`), so that a row copied elsewhere is of no use.
 */
export class Vault {
  readonly #key: Buffer;
  /** A KeyObject: Node creates one from bytes at every call, which takes four times as long as the digest. */
  readonly #digestKey: KeyObject;

  constructor(secret: string) {
    this.#key = stretch(secret);
    this.#digestKey = createSecretKey(Buffer.from(hkdfSync('sha256', this.#key, '', 'scenarium/digests', 32)));
  }

  seal(plain: string, place: string): string {
    return `${KEY_ID}.${this.sealBytes(plain, place).toString('base64')}`;
  }

  /** The same as bytes, a quarter shorter: for what is not kept for long, and sealed under the present key alone. */
  sealBytes(plain: string, place: string): Buffer {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv, { authTagLength: 16 }).setAAD(Buffer.from(place));
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]);
  }

  /** Tells equal texts from others without keeping them: of use to nobody who has not the key. */
  digest(text: string | Buffer): Buffer {
    return createHmac('sha256', this.#digestKey).update(text).digest();
  }

  open(sealed: string, place: string): string {
    const [keyId, encoded] = sealed.split('.', 2);
    if (keyId !== KEY_ID || !encoded) throw new Error(`sealed text of an unknown key at ${place}`);
    return this.openBytes(Buffer.from(encoded, 'base64'), place);
  }

  openBytes(bytes: Buffer, place: string): string {
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, 12), { authTagLength: 16 })
      .setAAD(Buffer.from(place))
      .setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
  }
}

export function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

export function equalInConstantTime(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

/** 256 random bits behind a prefix that clients of the chat format expect. */
export function newApiKey(): string {
  return `sk-${randomBytes(32).toString('base64url')}`;
}
