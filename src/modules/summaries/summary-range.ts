import { Faults } from '../../platform/errors/fields.js';
import type { TimeRange } from './hourly-sums.js';
import type { SummaryInterval } from './summary.inputs.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The longest range for each interval, so that a summary has at most 1,000 intervals. */
const MAX_DAYS = { HOUR: 31, DAY: 400, MONTH: 4_000 };

/**
 * Widens a range to whole hours. Without an interval, the limit of months applies.
 * @throws InvalidInputError if it is empty or has too many intervals
 */
export function wholeHours({ from, to }: TimeRange, interval: SummaryInterval | null): TimeRange {
  const faults = new Faults();
  const maxDays = MAX_DAYS[interval ?? 'MONTH'];
  if (from >= to) faults.add('to', 'Must be later than "from".');
  else if (to.getTime() - from.getTime() > maxDays * DAY_MS)
    faults.add(
      'to',
      `Must be at most ${maxDays} days later than "from"${interval ? ` with the interval ${interval}` : ''}.`,
    );
  faults.throwIfAny();
  return {
    from: new Date(Math.floor(from.getTime() / HOUR_MS) * HOUR_MS),
    to: new Date(Math.ceil(to.getTime() / HOUR_MS) * HOUR_MS),
  };
}
