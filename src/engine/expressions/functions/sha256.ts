/** Round constants and initial state of FIPS 180-4: the fractional parts of roots of the first primes. */
const CONSTANTS = new Uint32Array(64);
const INITIAL = new Uint32Array(8);

function isPrime(value: number): boolean {
  for (let divisor = 2; divisor * divisor <= value; divisor++) if (value % divisor === 0) return false;
  return true;
}

for (let candidate = 2, found = 0; found < 64; candidate++) {
  if (!isPrime(candidate)) continue;
  if (found < 8) INITIAL[found] = (candidate ** (1 / 2) % 1) * 2 ** 32;
  CONSTANTS[found++] = (candidate ** (1 / 3) % 1) * 2 ** 32;
}

const rotate = (value: number, bits: number) => (value >>> bits) | (value << (32 - bits));

/** Returns the SHA-256 hash of bytes. The engine has no access to the crypto module of Node. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const state = INITIAL.slice();
  const schedule = new Uint32Array(64);
  const padded = pad(bytes);
  const view = new DataView(padded.buffer);
  for (let at = 0; at < padded.length; at += 64) {
    for (let index = 0; index < 16; index++) schedule[index] = view.getUint32(at + index * 4);
    compress(state, schedule);
  }
  const result = new Uint8Array(32);
  const output = new DataView(result.buffer);
  state.forEach((word, index) => {
    output.setUint32(index * 4, word);
  });
  return result;
}

/** Returns the SHA-256 hash of a text in UTF-8, in hexadecimal digits. */
export function sha256Hex(text: string): string {
  return Buffer.from(sha256(new TextEncoder().encode(text))).toString('hex');
}

const BLOCK = 64;

/** Returns the HMAC of RFC 2104 with SHA-256, in hexadecimal digits. */
export function hmacSha256Hex(text: string, key: string): string {
  const keyBytes = new TextEncoder().encode(key);
  const block = new Uint8Array(BLOCK);
  block.set(keyBytes.length > BLOCK ? sha256(keyBytes) : keyBytes);
  const inner = sha256(Buffer.concat([block.map(byte => byte ^ 0x36), new TextEncoder().encode(text)]));
  return Buffer.from(sha256(Buffer.concat([block.map(byte => byte ^ 0x5c), inner]))).toString('hex');
}

/** Appends the bit 1, zeros, and the length in bits as 64-bit number (FIPS 180-4, section 5.1.1). */
function pad(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length * 8);
  return padded;
}

/** The computation of one block (FIPS 180-4, section 6.2.2). `schedule` contains the 16 words of the block. */
function compress(state: Uint32Array, schedule: Uint32Array): void {
  for (let index = 16; index < 64; index++) {
    const before = schedule[index - 15]!;
    const recent = schedule[index - 2]!;
    const low = rotate(before, 7) ^ rotate(before, 18) ^ (before >>> 3);
    const high = rotate(recent, 17) ^ rotate(recent, 19) ^ (recent >>> 10);
    schedule[index] = schedule[index - 16]! + low + schedule[index - 7]! + high;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < 64; index++) {
    const mixed = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = (h + mixed + ((e & f) ^ (~e & g)) + CONSTANTS[index]! + schedule[index]!) | 0;
    const second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => {
    state[index] = state[index]! + word;
  });
}
