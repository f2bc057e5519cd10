/** The description of the argument `idempotencyKey` of mutations that start keyword runs and scenario runs. */
export const IDEMPOTENCY_KEY =
  'Makes retries safe: a repeated request with the same key and input within 24 hours returns the first run and creates no other. 1-255 printable ASCII characters. Fails with CONFLICT while the first request is in progress, and with BAD_USER_INPUT if the key was used with another input.';
