import DataLoader from 'dataloader';
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { type Gap, gapsOf } from '../../engine/workflow/graph/credentials.js';
import type { Database } from '../../platform/database/database.js';
import type { RequestContext } from '../accounts/request-context.js';
import type { RevisionStore } from '../workflows/revision-store.js';
import { Workflow } from '../workflows/workflow.js';
import { WorkflowGap } from './workflow-gap.type.js';
import { reachOf } from './workflow-reach.js';
import { WorkflowReach } from './workflow-reach.type.js';

interface Reference {
  kind: Gap['kind'];
  id: number;
  projectId: number;
}

const EXIST = `
  select coalesce(
    (select true from workflow t where g.kind = 'workflow' and t.id = g.id and t.project_id = g."projectId" and t.archived_at is null),
    (select true from scenario t where g.kind = 'scenario' and t.id = g.id and t.project_id = g."projectId"),
    (select true from document t where g.kind = 'document' and t.id = g.id and t.project_id = g."projectId"),
    false) as exists
    from json_array_elements($1::json) with ordinality as e(value, place)
   cross join lateral json_to_record(e.value) as g(kind text, id int, "projectId" int)
   order by e.place`;

@Resolver(() => Workflow)
export class WorkflowGapsResolver {
  constructor(
    private readonly database: Database,
    private readonly revisions: RevisionStore,
  ) {}

  @FieldResolver(() => [WorkflowGap], {
    description:
      'What a copy from the marketplace still needs filled in or replaced, no more than its graph names; empty once it has all, and for any other workflow.',
  })
  async gaps(@Ctx() context: RequestContext, @Root() workflow: Workflow): Promise<WorkflowGap[]> {
    if (!workflow.copiedFrom) return [];
    const found = gapsOf((await this.revisions.of(context, workflow)).data);
    const loader = this.#loader(context);
    const kept = await Promise.all(
      found.map(async ({ refersTo, ...gap }) => {
        if (refersTo === null) return [gap];
        const reference = { kind: gap.kind, id: refersTo, projectId: workflow.project.id };
        return (await loader.load(reference)) ? [] : [gap];
      }),
    );
    return kept.flat() as WorkflowGap[];
  }

  @FieldResolver(() => [WorkflowReach], {
    description: 'Every host, model and tool that the nodes of the saved graph use, no more than it names.',
  })
  async reach(@Ctx() context: RequestContext, @Root() workflow: Workflow): Promise<WorkflowReach[]> {
    return reachOf((await this.revisions.of(context, workflow)).data);
  }

  /** Whether references lead somewhere: one query for all of a list. */
  #loader(context: RequestContext) {
    return context.loader(
      'workflow.gaps',
      () =>
        new DataLoader<Reference, boolean, string>(
          async references => {
            const known = references.map(reference => ({ ...reference, id: isId(reference.id) ? reference.id : 0 }));
            const rows = await this.database.query<{ exists: boolean }>(EXIST, [JSON.stringify(known)]);
            return rows.map(row => row.exists);
          },
          { cacheKeyFn: reference => JSON.stringify(reference) },
        ),
    ) as DataLoader<Reference, boolean>;
  }
}

function isId(value: number): boolean {
  return Number.isInteger(value) && value > 0 && value <= 2_147_483_647;
}
