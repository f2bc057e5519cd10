import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Database } from '../../base/database.js';
import type { RequestContext } from '../accounts/request-context.js';
import { partsOfProject } from '../projects/part-loaders.js';
import { Project } from '../projects/project.js';
import { Prompt } from './prompt.js';

@Resolver(() => Project)
export class ProjectPromptsResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => [Prompt], { description: 'Its first 100 prompts by position.' })
  prompts(@Ctx() context: RequestContext, @Root() project: Project) {
    return partsOfProject(context, this.database, 'prompt', Prompt).load(project.id);
  }
}
