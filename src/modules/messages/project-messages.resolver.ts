import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import { partsOfProject } from '../projects/parts/part-loaders.js';
import { Project } from '../projects/project.js';
import { MessagePage } from './message.inputs.js';
import { MESSAGE_READS } from './message-reads.js';

@Resolver(() => Project)
export class ProjectMessagesResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => MessagePage, {
    description: 'The messages of the project, ordered by position. Excludes the copies that scenario runs make.',
  })
  messages(@Ctx() context: RequestContext, @Root() project: Project, @Args(() => PageArguments) page: PageArguments) {
    return partsOfProject(context, this.database, MESSAGE_READS, project.id, page);
  }
}
