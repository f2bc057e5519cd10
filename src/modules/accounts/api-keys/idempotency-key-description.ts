/** The description of the argument `idempotencyKey` of mutations. */
export const IDEMPOTENCY_KEY =
  'Makes retries safe: a repeated request with the same key and arguments within 24 hours returns the first result and has no further effect. 1-255 printable ASCII characters. Fails with CONFLICT while the first request is in progress, and with BAD_USER_INPUT if the key was used with other arguments.';
