import { type Expression, expression, type QueryCreator } from '../../../platform/database/typed-queries.js';
import { Faults } from '../../../platform/errors/fields.js';
import { toContainsPattern } from '../../../platform/lists/page.js';
import { outcomeText } from '../journal/run-results.js';
import { isExpired } from './run-columns.js';
import type { ReadTables } from './run-reads.js';

/** The number of runs whose inputs and results one request searches. */
const SEARCHED_RUNS = 10_000;
const MIN_LENGTH = 2;
const MAX_LENGTH = 200;

/** The search for a text in runs. `ttlDays` is RUN_RESULT_TTL_DAYS. */
interface TextSearch {
  text: string;
  ttlDays: number;
}

/**
 * Builds the condition that the run row `r` is one of the newest rows that meet the other conditions, and that its id, or its
 * input or result unless they have expired, contains a text.
 */
export function containsText(
  tables: QueryCreator<ReadTables>,
  { text, ttlDays }: TextSearch,
  others: readonly Expression<boolean>[],
): Expression<boolean> {
  const faults = new Faults();
  faults.text('text', text, { max: MAX_LENGTH });
  if (text.trim().length < MIN_LENGTH) faults.add('text', `Ensure this field has at least ${MIN_LENGTH} characters.`);
  faults.throwIfAny();
  const idPart = text.trim().toLowerCase();
  // Inputs and results are JSON, in which quotes and line breaks are escaped.
  const pattern = toContainsPattern(JSON.stringify(text.trim()).slice(1, -1));
  const newest = tables
    .selectFrom('workflow_run as r')
    .select(['r.id', 'r.created_at', isExpired(ttlDays).as('is_expired')])
    .where(({ and }) => and([...others]))
    .orderBy('r.created_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(SEARCHED_RUNS);
  const found = tables
    .selectFrom(newest.as('newest'))
    .leftJoin('workflow_run_payload as p', join =>
      join.onRef('p.run_id', '=', 'newest.id').onRef('p.run_created_at', '=', 'newest.created_at'),
    )
    .select('newest.id')
    .where(
      expression<boolean>`(not newest.is_expired and (p.input::text ilike ${pattern} or ${outcomeText('p')} ilike ${pattern})
        or starts_with(newest.id::text, ${idPart})
        or right(newest.id::text, ${idPart.length}::int) = ${idPart})`,
    );
  return expression<boolean>`r.id in ${found}`;
}
