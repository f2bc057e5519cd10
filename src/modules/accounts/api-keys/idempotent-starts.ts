import { canonicalJson } from '../../../engine/json-value.js';
import { ConflictError, InvalidInputError } from '../../../platform/errors/errors.js';
import type { RequestContext } from '../request-context.js';
import type { IdempotencyKeys } from './idempotency-keys.js';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/** Starts at most one run for each `idempotencyKey` of a caller. */
export class IdempotentStarts {
  constructor(private readonly keys: IdempotencyKeys) {}

  /**
   * Returns the result of `start`, or the stored result of the first request with the same key. `request`
   * identifies a request: the name of the mutation and its arguments. The result is stored as JSON. `start`
   * receives the id that the run must have; undefined means any id.
   */
  async once<Receipt>(
    context: Pick<RequestContext, 'viewer' | 'reservedId'>,
    key: string | null | undefined,
    request: [mutation: string, args: Record<string, unknown>],
    start: (reservedId: string | undefined) => Promise<Receipt>,
  ): Promise<Receipt> {
    if (key === undefined || key === null) return start(context.reservedId);
    if (!PRINTABLE.test(key)) throw invalidKey('Ensure this field has 1-255 printable ASCII characters.');
    const outcome = await this.keys.once(context.viewer, key, canonicalJson(request), async reservedId => ({
      text: JSON.stringify(await start(reservedId)),
      isKept: true,
    }));
    if (outcome.kind === 'under way')
      throw new ConflictError('The first request with this idempotency key is still in progress. Try again later.');
    if (outcome.kind === 'another request')
      throw invalidKey('This key was used for another request. Use a new key for each request.');
    return JSON.parse(outcome.text) as Receipt;
  }
}

function invalidKey(message: string): InvalidInputError {
  return new InvalidInputError({ idempotencyKey: [message] });
}
