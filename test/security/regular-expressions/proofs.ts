import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { check } from 'recheck';
import type { RegExpLiteral } from './sources.js';

/** Hashes of the expressions that the prover has found to take linear time. `npm run prove:expressions` writes the file. */
const FILE = new URL('../../../../test/security/regular-expressions/proofs.json', import.meta.url);

interface Proofs {
  /** Version of the prover. Proofs of another version are ignored. */
  recheck: string;
  safe: string[];
}

/** Limits are counts of steps instead of seconds, so that results are reproducible. */
const NO_TIME_LIMITS = { timeout: null, incubationTimeout: null, attackTimeout: null, randomSeed: 1 };

export function prove({ pattern, flags }: Pick<RegExpLiteral, 'pattern' | 'flags'>) {
  return check(pattern, flags, NO_TIME_LIMITS);
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** The hashes of the proven expressions; none when another version of the prover wrote them. */
export function readProofs(): ReadonlySet<string> {
  const { recheck, safe } = JSON.parse(readFileSync(FILE, 'utf8')) as Proofs;
  return new Set(recheck === proverVersion() ? safe : []);
}

export function writeProofs(hashes: Iterable<string>): void {
  const proofs: Proofs = { recheck: proverVersion(), safe: [...hashes].sort() };
  writeFileSync(FILE, `${JSON.stringify(proofs, null, 2)}\n`);
}

function proverVersion(): string {
  return createRequire(import.meta.url)('recheck/package.json').version;
}
