import { canonicalJson } from '../../../engine/json-value.js';
import { ConflictError, InvalidInputError } from '../../../platform/errors/errors.js';
import type { RequestContext } from '../request-context.js';
import type { IdempotencyKeys } from './idempotency-keys.js';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/** Starts runs once for each `idempotencyKey` that a caller gives. */
export class KeyedStarts {
  constructor(private readonly keys: IdempotencyKeys) {}

  /**
   * What `start` answers, or the one it gave the first time. `request` is what makes two requests the same: the
   * mutation's name and its arguments; the answer is kept as JSON. `start` gets the id that the run must have; undefined: any.
   */
  async once<Receipt>(
    context: RequestContext,
    key: string | null | undefined,
    request: [mutation: string, args: Record<string, unknown>],
    start: (reservedId: string | undefined) => Promise<Receipt>,
  ): Promise<Receipt> {
    if (key === undefined || key === null) return start(context.reservedId);
    if (!PRINTABLE.test(key)) throw wrongKey('Ensure this field has 1-255 printable ASCII characters.');
    const outcome = await this.keys.once(context.viewer, key, canonicalJson(request), async reservedId => ({
      text: JSON.stringify(await start(reservedId)),
      isKept: true,
    }));
    if (outcome.kind === 'under way') throw new ConflictError('The first request with this key is still under way.');
    if (outcome.kind === 'another request') throw wrongKey('This key was used for another request.');
    return JSON.parse(outcome.text) as Receipt;
  }
}

function wrongKey(message: string): InvalidInputError {
  return new InvalidInputError({ idempotencyKey: [message] });
}
