import { Faults } from '../../../platform/errors/fields.js';

/** US dollars. */
const LIMIT = { max: '1000000000', places: 12 };

/** Of a spending limit that is to be set. Throws InvalidInputError. */
export function checkLimit(limitUsd: string | null | undefined): void {
  const faults = new Faults();
  // Left out by mistake, it must not take the limit away.
  if (limitUsd === undefined) faults.add('limitUsd', 'This field is required; null means no limit.');
  else if (limitUsd !== null) faults.amount('limitUsd', limitUsd, LIMIT);
  faults.throwIfAny();
}
