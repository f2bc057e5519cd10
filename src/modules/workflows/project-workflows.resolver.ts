import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import { entitiesOf, nestedPage } from '../../platform/lists/nested-page.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Project } from '../projects/project.js';
import { WorkflowPage } from './workflow.inputs.js';
import { Workflow } from './workflow.js';

@Resolver(() => Project)
export class ProjectWorkflowsResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => WorkflowPage, { description: 'Its workflows by position. Archived ones are left out.' })
  workflows(@Ctx() context: RequestContext, @Root() project: Project, @Args(() => PageArguments) page: PageArguments) {
    const list = {
      name: 'project.workflows',
      parent: 'int' as const,
      columns: 'w.id',
      from: 'workflow w where w.project_id = parent.id and w.archived_at is null',
      order: 'w.sort_id, w.id',
      itemsOf: entitiesOf(this.database, Workflow),
    };
    return nestedPage(context, this.database, list, project.id, page);
  }
}
