/** Whether a `Prefer` header contains the preference `handling=strict` (RFC 7240). */
export function prefersStrict(prefer: unknown): boolean {
  return prefer !== undefined && /\bhandling\s*=\s*"?strict\b/i.test(String(prefer));
}

/** The longest wait in seconds that a client may ask for. */
export const MAX_WAIT_SECONDS = 60;

/** The seconds of the preference `wait=n` (RFC 7240), at most `MAX_WAIT_SECONDS`; 0 without it. */
export function preferredWait(prefer: unknown): number {
  const seconds = prefer === undefined ? undefined : /\bwait\s*=\s*"?(\d+)\b/i.exec(String(prefer))?.[1];
  return seconds === undefined ? 0 : Math.min(Number(seconds), MAX_WAIT_SECONDS);
}
