import type { EntityClass } from '@mikro-orm/core';
import type DataLoader from 'dataloader';
import type { Database } from '../../../platform/database/database.js';
import { anyInt, queries } from '../../../platform/database/typed-queries.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { groupLoader } from '../../projects/parts/part-loaders.js';
import type { CopiedColumns, CopiedTable } from './run-parts.js';

/** Counted with the run (`run-bytes.ts`), and so read with it. */
const PAYLOADS: Record<CopiedTable, string[]> = {
  message: ['parameters', 'conditions'],
  prompt: ['content', 'promptConditions'],
  variable: ['variableNames'],
};

/** The copies that runs work on, by position; one query for all runs of a list. */
export function copiesOfRun<T extends { id: number }>(
  context: RequestContext,
  database: Database,
  table: CopiedTable,
  entity: EntityClass<T>,
): DataLoader<number, T[]> {
  return context.loader(`scenarioRun.${table}`, () =>
    groupLoader(
      database,
      entity,
      ids =>
        queries<Record<CopiedTable, CopiedColumns>>(database)
          .selectFrom(table)
          .select(['scenariorun_id as from', 'id as to'])
          .where('scenariorun_id', '=', anyInt(ids))
          .orderBy('sort_id')
          .orderBy('id')
          .execute(),
      PAYLOADS[table],
    ),
  );
}
