import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import { partsOfProject } from '../projects/parts/part-loaders.js';
import { Project } from '../projects/project.js';
import { VariablePage } from './variable.inputs.js';
import { VARIABLE_READS } from './variable-reads.js';

@Resolver(() => Project)
export class ProjectVariablesResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => VariablePage, {
    description: 'The variables of the project, ordered by position. Excludes the copies that scenario runs make.',
  })
  variables(@Ctx() context: RequestContext, @Root() project: Project, @Args(() => PageArguments) page: PageArguments) {
    return partsOfProject(context, this.database, VARIABLE_READS, project.id, page);
  }
}
