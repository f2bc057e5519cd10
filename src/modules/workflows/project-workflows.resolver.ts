import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import { queryBuilder } from '../../platform/database/typed-queries.js';
import { type NestedRows, nestedRows } from '../../platform/lists/nested-rows.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Project } from '../projects/project.js';
import { WorkflowPage } from './workflow.inputs.js';
import type { Workflow } from './workflow.js';
import { type ReadTables, selectWorkflows } from './workflow-reads.js';

const OF_PROJECT: NestedRows<number, Workflow> = {
  name: 'project.workflows',
  parent: 'int',
  isPrepared: true,
  rows: (sql, projectId) =>
    selectWorkflows(queryBuilder<ReadTables>(sql))
      .where('w.project_id', '=', projectId)
      .where('w.archived_at', 'is', null)
      .orderBy('w.sort_id')
      .orderBy('w.id'),
};

@Resolver(() => Project)
export class ProjectWorkflowsResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => WorkflowPage, { description: 'Workflows of the project by position, without archived ones.' })
  workflows(@Ctx() context: RequestContext, @Root() project: Project, @Args(() => PageArguments) page: PageArguments) {
    return nestedRows(context, this.database, OF_PROJECT, project.id, page);
  }
}
