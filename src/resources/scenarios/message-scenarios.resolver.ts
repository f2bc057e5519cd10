import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Database } from '../../base/database.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Message } from '../messages/message.js';
import { linkedParts } from '../projects/part-loaders.js';
import { Scenario } from './scenario.js';
import { SCENARIOS_OF_MESSAGE } from './scenario-links.js';

@Resolver(() => Message)
export class MessageScenariosResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => [Scenario], { description: 'The scenarios that it is part of, by position.' })
  scenarios(@Ctx() context: RequestContext, @Root() message: Message) {
    return linkedParts(context, this.database, SCENARIOS_OF_MESSAGE, Scenario).load(message.id);
  }
}
