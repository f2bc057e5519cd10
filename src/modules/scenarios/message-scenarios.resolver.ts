import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Message } from '../messages/message.js';
import { linkedPage } from '../projects/parts/part-loaders.js';
import { ScenarioPage } from './scenario.inputs.js';
import { SCENARIOS_OF_MESSAGE } from './scenario-links.js';
import { SCENARIO_READS } from './scenario-reads.js';

@Resolver(() => Message)
export class MessageScenariosResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => ScenarioPage, { description: 'The scenarios that contain the message, ordered by position.' })
  scenarios(@Ctx() context: RequestContext, @Root() message: Message, @Args(() => PageArguments) page: PageArguments) {
    const scenarios = { link: SCENARIOS_OF_MESSAGE, reads: SCENARIO_READS };
    return linkedPage(context, this.database, scenarios, message.id, page);
  }
}
