import type { GraphReference } from '../../../engine/workflow/graph/references.js';
import type { Database } from '../../../platform/database/database.js';
import { anyInt, anyText, queryBuilder } from '../../../platform/database/typed-queries.js';
import { isInteger } from '../../../platform/sql/max-integer.js';
import type { ProjectTables } from '../../projects/project-tables.js';
import { rolesAllowed } from '../../projects/rights.js';
import type { WorkflowIssue } from '../workflow-check.type.js';
import type { WorkflowTables } from '../workflow-tables.js';

type Tables = ProjectTables & WorkflowTables;

/**
 * Returns a warning for each reference of a graph to a workflow that the project does not have, and of a user who may not decide about its
 * approvals. Only warnings, because the objects of a run count when the run reaches the node.
 */
export async function missingObjects(
  database: Database,
  references: readonly GraphReference[],
  projectId: number,
): Promise<WorkflowIssue[]> {
  const named = references.flatMap(reference => idsOf(reference).map(id => ({ reference, id })));
  const idsOfKind = (kind: GraphReference['kind']) => [
    ...new Set(named.filter(({ reference }) => reference.kind === kind).map(({ id }) => id)),
  ];
  const [workflows, users] = await Promise.all([
    existingWorkflows(database, projectId, idsOfKind('workflow')),
    deciders(database, projectId, idsOfKind('user')),
  ]);
  return named.flatMap(({ reference: { kind, nodeId, path }, id }) => {
    const issue = { code: 'unknown_object', severity: 'warning' as const, nodeId, edgeId: null, path };
    if (kind === 'workflow' && !workflows.has(id))
      return [{ ...issue, message: `the project has no workflow ${id}: select one of its workflows` }];
    if (kind === 'user' && !users.has(id))
      return [
        { ...issue, message: `the user ${id} may not decide: select members with the role editor or a stronger one` },
      ];
    return [];
  });
}

/** The ids in the value of a reference, without placeholders. */
function idsOf({ value }: GraphReference): number[] {
  const given: unknown[] = Array.isArray(value) ? value : [value];
  return given.flatMap(each => {
    const isId = (typeof each === 'number' || typeof each === 'string') && isInteger(String(each));
    return isId && Number(each) > 0 ? [Number(each)] : [];
  });
}

async function existingWorkflows(database: Database, projectId: number, ids: number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await queryBuilder<Tables>(database)
    .selectFrom('workflow')
    .select('id')
    .where('project_id', '=', projectId)
    .where('archived_at', 'is', null)
    .where('id', '=', anyInt(ids))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

async function deciders(database: Database, projectId: number, ids: number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await queryBuilder<Tables>(database)
    .selectFrom('project_member')
    .select('user_id')
    .where('project_id', '=', projectId)
    .where('role', '=', anyText(rolesAllowed('agent.approve')))
    .where('user_id', '=', anyInt(ids))
    .execute();
  return new Set(rows.map(({ user_id: id }) => id));
}
