import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Database } from '../../base/database.js';
import type { RequestContext } from '../accounts/request-context.js';
import { partsOfProject } from '../projects/part-loaders.js';
import { Project } from '../projects/project.js';
import { Variable } from './variable.js';

@Resolver(() => Project)
export class ProjectVariablesResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => [Variable], { description: 'Its first 100 variables by position.' })
  variables(@Ctx() context: RequestContext, @Root() project: Project) {
    return partsOfProject(context, this.database, 'variable', Variable).load(project.id);
  }
}
