/** The maximum length of an email address in characters (RFC 5321). */
export const MAX_EMAIL = 254;

/** Returns an email as it is stored and compared: trimmed and in lower case. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}
