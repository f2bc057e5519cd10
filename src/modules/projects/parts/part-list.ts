import type { EntityClass } from '@mikro-orm/core';
import type { Database } from '../../../platform/database/database.js';
import { Faults } from '../../../platform/errors/fields.js';
import { containing, type Page, type PageArgs, window } from '../../../platform/lists/page.js';
import type { Viewer } from '../../accounts/viewer.js';
import { visibleSql } from '../access.js';
import { type PartFilter, type PartTable, runCondition } from './scenario-parts.js';

const MOST_VALUES = 100;

interface ListFilter extends PartFilter {
  project?: number | null;
  keyContains?: string | null;
  nameContains?: string | null;
  role?: string | null;
  isGlobal?: boolean | null;
  categories?: readonly number[] | null;
}

/** One page of the parts that a viewer may see, by project and position. */
export async function listParts<T extends object>(
  database: Database,
  table: PartTable,
  entity: EntityClass<T>,
  viewer: Viewer,
  filter: ListFilter | null | undefined,
  page: PageArgs,
): Promise<Page<T>> {
  const { limit, offset } = window(page);
  const faults = new Faults();
  faults.text('keyContains', filter?.keyContains, { max: 255 });
  faults.text('nameContains', filter?.nameContains, { max: 255 });
  if ((filter?.categories?.length ?? 0) > MOST_VALUES)
    faults.add('categories', `Ensure this list has no more than ${MOST_VALUES} items.`);
  faults.throwIfAny();
  const run = runCondition(filter, 't.scenariorun_id');
  const own = table === 'prompt' ? 't.owner_id = ? or ' : '';
  const query = database.orm.em
    .fork()
    .createQueryBuilder(entity as EntityClass<{ id: number }>, 't')
    .select(listedMembers(database, entity) as never)
    .where(`(${own}t.project_id is not null and ${visibleSql('t.project_id', '?', '?')})`, [
      ...(own ? [viewer.userId] : []),
      viewer.isAdmin,
      viewer.userId,
    ])
    .andWhere(run.sql, run.values);
  if (filter?.project != null) query.andWhere('t.project_id = ?', [filter.project]);
  if (filter?.keyContains) query.andWhere('t.key ilike ?', [containing(filter.keyContains)]);
  if (filter?.nameContains) query.andWhere('t.name ilike ?', [containing(filter.nameContains)]);
  if (filter?.role != null) query.andWhere('t.role = ?', [filter.role]);
  if (filter?.isGlobal != null) query.andWhere('t.is_global = ?', [filter.isGlobal]);
  if (filter?.categories) query.andWhere({ category: { $in: filter.categories } } as never);
  const [items, total] = await query
    .orderBy({ project: 'asc', sortId: 'asc', id: 'asc' } as never)
    .limit(limit)
    .offset(offset)
    .getResultAndCount();
  return { ...page, total, items: items as unknown as T[] };
}

/** Those that are read with every part: a payload is read when it is known to fit into the page. */
function listedMembers(database: Database, entity: EntityClass<object>): string[] {
  return database.orm
    .getMetadata()
    .get(entity)
    .props.filter(({ lazy, persist, kind }) => !lazy && persist !== false && ['scalar', 'm:1'].includes(kind))
    .map(({ name }) => name);
}
