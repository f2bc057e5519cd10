import { keyedQuery, type Placeholder } from '../../platform/database/prepared-queries.js';
import { type Expression, expression, type QueryCreator } from '../../platform/database/typed-queries.js';
import { type PageValue, preparedPage } from '../../platform/lists/counted-page.js';
import { isVisible, viewersRole } from './access.js';
import { ProjectOrder } from './project.inputs.js';
import type { ProjectTables } from './project-tables.js';

/** `provider_key` belongs to a dependent module. Projects only show whether it has rows. */
interface Tables extends ProjectTables {
  provider_key: { project_id: number };
}

interface ProjectPageValues {
  userId: number;
  isAdmin: boolean;
  /** A pattern for `ilike`. Null: any name. */
  name: string | null;
}

const ORDERS = {
  [ProjectOrder.CREATED_AT_ASC]: ['p.created_at', 'asc'],
  [ProjectOrder.CREATED_AT_DESC]: ['p.created_at', 'desc'],
  [ProjectOrder.NAME_ASC]: ['p.name', 'asc'],
  [ProjectOrder.NAME_DESC]: ['p.name', 'desc'],
} as const satisfies Record<ProjectOrder, unknown>;

/** Reads a project with the role of the viewer. */
export const READ_PROJECT = keyedQuery(
  'project',
  (tables: QueryCreator<Tables>, value: Placeholder<{ userId: number; isAdmin: boolean; id: number }>) =>
    selectProjects(tables, { userId: value('userId'), isAdmin: value('isAdmin') }).where('p.id', '=', value('id')),
);

/** Reads the projects of the rows of a list. */
export const READ_PROJECTS = keyedQuery(
  'projects-by-id',
  (tables: QueryCreator<Tables>, value: Placeholder<{ ids: readonly number[]; userId: number; isAdmin: boolean }>) =>
    selectProjects(tables, { userId: value('userId'), isAdmin: value('isAdmin') }).where('p.id', '=', ({ fn }) =>
      fn.any(expression<number[]>`${value('ids')}::int[]`),
    ),
);

/** Reads the pages of the visible projects, by order and name filter. */
export const PROJECT_PAGES = Object.fromEntries(
  Object.values(ProjectOrder).map(order => [order, { all: pageOf(order, 'all'), named: pageOf(order, 'named') }]),
) as Record<ProjectOrder, Record<PageKind, ReturnType<typeof pageOf>>>;

type PageKind = 'all' | 'named';

function pageOf(order: ProjectOrder, kind: PageKind) {
  const [column, direction] = ORDERS[order];
  return preparedPage(
    `projects ${order}${kind === 'named' ? '-named' : ''}`,
    (tables: QueryCreator<Tables>, value: PageValue<ProjectPageValues>) =>
      selectProjects(tables, { userId: value('userId'), isAdmin: value('isAdmin') })
        .where(isListed(kind, value))
        .orderBy(column, direction)
        .orderBy('p.id', direction),
  );
}

/** The columns of a list. Stopwords are read only if the query selects them. */
function selectProjects(
  tables: QueryCreator<Tables>,
  viewer: { userId: Expression<number>; isAdmin: Expression<boolean> },
) {
  return tables
    .selectFrom('project as p')
    .select([
      ...(['p.id', 'p.name', 'p.webhook_url as webhookUrl', 'p.is_webhook_enabled as isWebhookEnabled'] as const),
      ...(['p.total_spent_usd as totalSpentUsd', 'p.total_earned_usd as totalEarnedUsd'] as const),
      ...(['p.budget_usd as budgetUsd', 'p.reserved_usd as reservedUsd'] as const),
      ...(['p.service_limit_usd as serviceLimitUsd', 'p.service_spent_usd as serviceSpentUsd'] as const),
      ...(['p.service_reserved_usd as serviceReservedUsd'] as const),
      ...(['p.uses_drafts as usesDrafts', 'p.publish_requirement as publishRequirement'] as const),
      ...(['p.created_at as createdAt', 'p.updated_at as updatedAt'] as const),
    ])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('provider_key as k').select(expression.lit(1).as('one')).whereRef('k.project_id', '=', 'p.id'),
      ).as('hasProviderKeys'),
    )
    .select(viewersRole(viewer, 'p.id').as('viewersRole'));
}

function isListed(kind: PageKind, value: Placeholder<ProjectPageValues>) {
  const visible = isVisible({ userId: value('userId'), isAdmin: value('isAdmin') }, 'p.id');
  return kind === 'all' ? visible : expression<boolean>`(${visible} and p.name ilike ${value('name')})`;
}
