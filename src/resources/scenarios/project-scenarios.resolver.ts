import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Database } from '../../base/database.js';
import type { RequestContext } from '../accounts/request-context.js';
import { partsOfProject } from '../projects/part-loaders.js';
import { Project } from '../projects/project.js';
import { Scenario } from './scenario.js';

@Resolver(() => Project)
export class ProjectScenariosResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => [Scenario], { description: 'Its first 100 scenarios by position.' })
  scenarios(@Ctx() context: RequestContext, @Root() project: Project) {
    return partsOfProject(context, this.database, 'scenario', Scenario).load(project.id);
  }
}
