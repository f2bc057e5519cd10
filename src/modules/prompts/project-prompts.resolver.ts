import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import { partsOfProject } from '../projects/parts/part-loaders.js';
import { Project } from '../projects/project.js';
import { PromptPage } from './prompt.inputs.js';
import { PROMPT_READS } from './prompt-reads.js';

@Resolver(() => Project)
export class ProjectPromptsResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => PromptPage, {
    description: 'The prompts of the project, ordered by position. Excludes the copies that scenario runs make.',
  })
  prompts(@Ctx() context: RequestContext, @Root() project: Project, @Args(() => PageArguments) page: PageArguments) {
    return partsOfProject(context, this.database, PROMPT_READS, project.id, page);
  }
}
