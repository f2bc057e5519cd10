import { keyedQuery, type Placeholder } from '../../platform/database/prepared-queries.js';
import { expression, type QueryCreator } from '../../platform/database/typed-queries.js';
import { viewersRole } from '../projects/access.js';
import type { ProjectTables } from '../projects/project-tables.js';
import type { Workflow } from './workflow.js';
import type { WorkflowTables } from './workflow-tables.js';

export interface ReadTables extends WorkflowTables, ProjectTables {}

/** The rows `w` of workflows as lists show them: graphs and guides are read when they are asked for. */
export function selectWorkflows(tables: QueryCreator<ReadTables>) {
  return tables
    .selectFrom('workflow as w')
    .select(['w.id', 'w.project_id as projectId', 'w.title', 'w.sort_id as sortId', 'w.market_title as marketTitle'])
    .select(['w.short_description as shortDescription', 'w.available_languages as availableLanguages'])
    .select(['w.run_fee as runFee', 'w.free_runs_per_user as freeRunsPerUser', 'w.category_id as categoryId'])
    .select(['w.subcategory_id as subcategoryId', 'w.slug', 'w.is_published as isPublished'])
    .select(['w.published_at as publishedAt', 'w.copied_from_id as copiedFromId', 'w.revision_id as revisionId'])
    .select(['w.created_at as createdAt', 'w.updated_at as updatedAt'])
    .$castTo<Workflow>();
}

interface WorkflowValues {
  id: number;
  userId: number;
  isAdmin: boolean;
}

/** One unarchived workflow, with the role of the viewer in its project. */
export const READ_WORKFLOW = keyedQuery(
  'workflow',
  (tables: QueryCreator<ReadTables>, value: Placeholder<WorkflowValues>) =>
    selectWorkflows(tables)
      .select('w.readme_guide as readmeGuide')
      .select(viewersRole({ userId: value('userId'), isAdmin: value('isAdmin') }, 'w.project_id').as('role'))
      .where('w.id', '=', value('id'))
      .where('w.archived_at', 'is', null),
);

/** One workflow that the caller is known to see, archived or not. */
export const READ_ANY_WORKFLOW = keyedQuery(
  'any-workflow',
  (tables: QueryCreator<ReadTables>, value: Placeholder<{ id: number }>) =>
    selectWorkflows(tables).select('w.readme_guide as readmeGuide').where('w.id', '=', value('id')),
);

/** Workflows by their ids, archived ones too. */
export const READ_WORKFLOWS = keyedQuery(
  'workflows-by-id',
  (tables: QueryCreator<ReadTables>, value: Placeholder<{ ids: readonly number[] }>) =>
    selectWorkflows(tables).where('w.id', '=', ({ fn }) => fn.any(expression<number[]>`${value('ids')}::int[]`)),
);
