import { Faults } from '../../../platform/errors/fields.js';

/** Range and precision of a limit in US dollars. */
const LIMIT = { max: '1000000000', places: 12 };

/**
 * Checks a new spending limit in US dollars.
 * @throws InvalidInputError if it is absent, negative, too large or too precise
 */
export function checkLimit(limitUsd: string | null | undefined): void {
  const faults = new Faults();
  // An absent value is an error, so that a limit is not removed by mistake.
  if (limitUsd === undefined) faults.add('limitUsd', 'This field is required; null means no limit.');
  else if (limitUsd !== null) faults.amount('limitUsd', limitUsd, LIMIT);
  faults.throwIfAny();
}
