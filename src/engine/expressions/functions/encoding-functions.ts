import { type Evaluation, failure } from '../evaluation.js';
import { defineFunction } from './function-kind.js';
import { hmacSha256Hex, sha256Hex } from './sha256.js';

/** Characters of a hashed text for one step; hashing is slower than other work on texts. */
const HASHED_PER_STEP = 8;
/** Steps of hashing a short text. */
const HASH_STEPS = 64;
/** Segments that no encoding protects: a URL resolves `%2E` like a dot (URL Standard, section 4.1). */
const RELATIVE_SEGMENTS = new Set(['', '.', '..']);
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

function fromBase64(text: string): string {
  const compact = text.replaceAll(/\s/g, '');
  if (!BASE64.test(compact)) throw failure('from_base64 takes a text in base64');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(compact, 'base64'));
  } catch {
    throw failure('from_base64 takes the base64 of a text in UTF-8');
  }
}

function urlEncode(evaluation: Evaluation, text: string): string {
  evaluation.chargeCreatedText(3 * text.length);
  return encodeURIComponent(text.toWellFormed());
}

function urlDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw failure('url_decode takes a percent-encoded text in UTF-8');
  }
}

function chargeHash(evaluation: Evaluation, length: number): void {
  evaluation.charge(HASH_STEPS + Math.ceil(length / HASHED_PER_STEP));
}

/** A UUID of version 8 (RFC 9562) from a hash, so that a repeated execution has the same. */
function uuid(evaluation: Evaluation): string {
  const { scope, args } = evaluation;
  const name = [scope.seed ?? scope.runId, evaluation.nextUuidIndex(), args?.values ?? null];
  const text = evaluation.toText(name);
  chargeHash(evaluation, text.length);
  const hex = sha256Hex(text);
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Functions that encode, hash and identify. */
export const encodingFunctions = [
  defineFunction(
    'base64(text: text): text',
    'The text in UTF-8 as base64.',
    [['base64("ada:secret")', 'YWRhOnNlY3JldA==']],
    (_, text: string) => Buffer.from(text, 'utf8').toString('base64'),
  ),
  defineFunction(
    'from_base64(text: text): text',
    'The text of base64, also in its URL-safe form.',
    [['from_base64("YWRh")', 'ada']],
    (_, text: string) => fromBase64(text),
  ),
  defineFunction(
    'url_encode(text: text): text',
    'The text for a part of a URL.',
    [['url_encode("a b&c")', 'a%20b%26c']],
    urlEncode,
  ),
  defineFunction(
    'url_segment(text: text): text',
    'The text for a segment of the path of a URL. It must not be empty, `.` or `..`, because these select another path.',
    [['url_segment("a b/c")', 'a%20b%2Fc']],
    (evaluation, text: string) => {
      if (RELATIVE_SEGMENTS.has(text)) throw failure('url_segment takes a text that is not empty, "." or ".."');
      return urlEncode(evaluation, text);
    },
  ),
  defineFunction(
    'url_decode(text: text): text',
    'The text of a part of a URL. `+` is a space.',
    [['url_decode("a%20b+c")', 'a b c']],
    (_, text: string) => urlDecode(text),
  ),
  defineFunction(
    'sha256(text: text): text',
    'The SHA-256 hash of the text in UTF-8, as hexadecimal digits.',
    [['sha256("a")', 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb']],
    (evaluation, text: string) => {
      chargeHash(evaluation, text.length);
      return sha256Hex(text);
    },
  ),
  defineFunction(
    'hmac_sha256(text: text, key: text): text',
    'The HMAC of the text with SHA-256, as hexadecimal digits.',
    [
      [
        'hmac_sha256("what do ya want for nothing?", "Jefe")',
        '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
      ],
    ],
    (evaluation, text: string, key: string) => {
      chargeHash(evaluation, text.length + key.length);
      return hmacSha256Hex(text, key);
    },
  ),
  defineFunction(
    'uuid(): text',
    'A UUID that is unique for the node in its run and stays the same when the node is repeated.',
    [['length(uuid())', 36]],
    uuid,
  ),
];
