import DataLoader from 'dataloader';
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { GraphError } from '../../engine/workflow/graph/graph.js';
import { checkNodes } from '../../engine/workflow/graph/node-checks.js';
import { type Gap, gapsOf } from '../../engine/workflow/graph/secrets/credentials.js';
import type { Database } from '../../platform/database/database.js';
import { expression, queryBuilder } from '../../platform/database/typed-queries.js';
import { MAX_INTEGER } from '../../platform/sql/max-integer.js';
import type { RequestContext } from '../accounts/request-context.js';
import type { VariableReader } from '../project-variables/variable-reader.js';
import type { ProjectTables } from '../projects/project-tables.js';
import type { Revision, RevisionStore } from '../workflows/revision-store.js';
import { Workflow } from '../workflows/workflow.js';
import type { WorkflowTables } from '../workflows/workflow-tables.js';
import { WorkflowGap, WorkflowGapKind } from './workflow-gap.type.js';
import { reachOf } from './workflow-reach.js';
import { WorkflowReach } from './workflow-reach.type.js';

interface Reference {
  kind: Gap['kind'];
  id: number;
  projectId: number;
}

/** Tables that graphs refer to. Those declared here belong to modules that the marketplace does not depend on. */
interface Tables extends WorkflowTables, Pick<ProjectTables, 'project_member'> {
  scenario: { id: number; project_id: number };
  document: { id: number; project_id: number };
  connection: { id: number; project_id: number };
}

@Resolver(() => Workflow)
export class WorkflowGapsResolver {
  constructor(
    private readonly database: Database,
    private readonly revisions: RevisionStore,
    private readonly variables: VariableReader,
  ) {}

  @FieldResolver(() => [WorkflowGap], {
    description:
      'The values that must still be filled in or replaced in a copy from the marketplace. Empty if nothing is missing, and for all other workflows. No more than the graph refers to.',
  })
  async gaps(@Ctx() context: RequestContext, @Root() workflow: Workflow): Promise<WorkflowGap[]> {
    if (workflow.copiedFromId === null) return [];
    const revision = await this.revisions.of(context, workflow);
    const candidates = gapsOf(revision.data);
    const loader = this.#loader(context);
    const missing = await Promise.all(
      candidates.map(async ({ refersTo, ...gap }) => {
        if (refersTo === null) return [gap];
        const reference = { kind: gap.kind, id: refersTo, projectId: workflow.projectId };
        return (await loader.load(reference)) ? [] : [gap];
      }),
    );
    const ofGraph = missing.flat().map(gap => ({ variable: null, ...gap }));
    return [...ofGraph, ...(await this.#missingVariables(revision))] as WorkflowGap[];
  }

  async #missingVariables({ projectId, graph }: Revision): Promise<WorkflowGap[]> {
    const uses = graph instanceof GraphError ? [] : checkNodes(graph).variables.filter(({ hasDefault }) => !hasDefault);
    if (uses.length === 0) return [];
    const existing = await this.variables.names(projectId);
    return uses.flatMap(({ node, path, name }) =>
      existing.has(name) ? [] : [{ nodeId: node.id, path, kind: WorkflowGapKind.VARIABLE, variable: name }],
    );
  }

  @FieldResolver(() => [WorkflowReach], {
    description: 'The hosts, models and tools that the nodes of the saved graph use. No more than the graph refers to.',
  })
  async reach(@Ctx() context: RequestContext, @Root() workflow: Workflow): Promise<WorkflowReach[]> {
    return reachOf((await this.revisions.of(context, workflow)).data);
  }

  /** Reports whether the targets of references exist, with one query per kind for all workflows of a list. */
  #loader(context: RequestContext) {
    return context.loader(
      'workflow.gaps',
      () =>
        new DataLoader<Reference, boolean, string>(
          async references => {
            return this.#exist(references);
          },
          { cacheKeyFn: referenceKey },
        ),
    ) as DataLoader<Reference, boolean>;
  }

  /** Reports for each reference whether its target exists. Archived workflows do not count. */
  async #exist(references: readonly Reference[]): Promise<boolean[]> {
    const keysByKind = await Promise.all(
      (['workflow', 'scenario', 'document', 'connection'] as const).map(async kind => {
        const ids = references.flatMap(each => (each.kind === kind && isId(each.id) ? [each.id] : []));
        if (ids.length === 0) return [];
        const rows = await queryBuilder<Tables>(this.database)
          .selectFrom(kind)
          .select(['id', 'project_id as projectId'])
          .where('id', 'in', ids)
          .$if(kind === 'workflow', query => query.where(expression<boolean>`archived_at is null`))
          .execute();
        return rows.map(row => referenceKey({ kind, ...row }));
      }),
    );
    const existing = new Set([...keysByKind.flat(), ...(await this.#memberKeys(references))]);
    return references.map(reference => existing.has(referenceKey(reference)));
  }

  async #memberKeys(references: readonly Reference[]): Promise<string[]> {
    const ids = references.flatMap(each => (each.kind === 'user' && isId(each.id) ? [each.id] : []));
    if (ids.length === 0) return [];
    const rows = await queryBuilder<Tables>(this.database)
      .selectFrom('project_member')
      .select(['user_id as id', 'project_id as projectId'])
      .where('user_id', 'in', ids)
      .execute();
    return rows.map(row => referenceKey({ kind: 'user', ...row }));
  }
}

function referenceKey({ kind, id, projectId }: Reference): string {
  return JSON.stringify([kind, id, projectId]);
}

function isId(value: number): boolean {
  return Number.isInteger(value) && value > 0 && value <= MAX_INTEGER;
}
