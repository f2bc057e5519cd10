import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import { partsOfProject } from '../projects/parts/part-loaders.js';
import { Project } from '../projects/project.js';
import { ScenarioPage } from './scenario.inputs.js';
import { SCENARIO_READS } from './scenario-reads.js';

@Resolver(() => Project)
export class ProjectScenariosResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => ScenarioPage, {
    description: 'The scenarios of the project, ordered by position. Excludes the copies that scenario runs make.',
  })
  scenarios(@Ctx() context: RequestContext, @Root() project: Project, @Args(() => PageArguments) page: PageArguments) {
    return partsOfProject(context, this.database, SCENARIO_READS, project.id, page);
  }
}
