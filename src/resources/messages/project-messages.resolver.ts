import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Database } from '../../base/database.js';
import type { RequestContext } from '../accounts/request-context.js';
import { partsOfProject } from '../projects/part-loaders.js';
import { Project } from '../projects/project.js';
import { Message } from './message.js';

@Resolver(() => Project)
export class ProjectMessagesResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => [Message], { description: 'Its first 100 messages by position.' })
  messages(@Ctx() context: RequestContext, @Root() project: Project) {
    return partsOfProject(context, this.database, 'message', Message).load(project.id);
  }
}
