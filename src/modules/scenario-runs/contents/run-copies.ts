import type DataLoader from 'dataloader';
import type { Database } from '../../../platform/database/database.js';
import { anyInt, queryBuilder } from '../../../platform/database/typed-queries.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { groupLoader } from '../../projects/parts/part-loaders.js';
import type { PartReads } from '../../projects/parts/part-reads.js';
import type { PartTable } from '../../projects/parts/scenario-parts.js';
import type { CopiedColumns } from './run-parts.js';

/**
 * Loads the parts that runs have copied from their scenarios, by run and ordered by position, with one query for all
 * runs of a list. Their payloads are read without a limit, because `isWhole` has counted them for the page.
 */
export function runCopiesLoader<T extends { id: number }>(
  context: RequestContext,
  database: Database,
  reads: PartReads<T>,
): DataLoader<number, T[]> {
  return context.loader(`scenarioRun.${reads.table}`, () =>
    groupLoader(
      ids =>
        queryBuilder<Record<PartTable, CopiedColumns>>(database)
          .selectFrom(reads.table)
          .select(['scenariorun_id as from', 'id as to'])
          .where('scenariorun_id', '=', anyInt(ids))
          .orderBy('sort_id')
          .orderBy('id')
          .execute(),
      ids => reads.withPayloadsByIds(database, ids),
    ),
  );
}
