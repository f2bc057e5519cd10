import type { Sql } from '../../platform/database/database.js';
import { queryBuilder } from '../../platform/database/typed-queries.js';
import { ADVISORY_LOCKS } from '../../platform/sql/advisory-locks.js';
import { takeTransactionLock } from '../../platform/sql/transaction-lock.js';
import type { WorkflowTables } from '../workflows/workflow-tables.js';

const MAX_CHARACTERS = 80;

/** Converts a title to a slug of lower-case letters a-z, digits and single hyphens. Never empty. */
function slugOf(title: string): string {
  const slug = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_CHARACTERS)
    .replace(/^-|-$/g, '');
  return slug === '' ? 'workflow' : slug;
}

/** Returns an unused slug. An advisory lock protects it until the end of the transaction. */
export async function findFreeSlug(sql: Sql, title: string, workflowId: number): Promise<string> {
  await takeTransactionLock(sql, ADVISORY_LOCKS.slug);
  const base = slugOf(title);
  for (let attempt = 0; ; attempt++) {
    // The attempts are title, title-7, title-7-2, title-7-3 … for the workflow with the id 7.
    const slug = [base, attempt > 0 ? workflowId : [], attempt > 1 ? attempt : []].flat().join('-');
    const existing = await queryBuilder<WorkflowTables>(sql)
      .selectFrom('workflow')
      .select('id')
      .where('slug', '=', slug)
      .executeTakeFirst();
    if (!existing) return slug;
  }
}
