import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import { linkedPage } from '../projects/parts/part-loaders.js';
import { Prompt } from '../prompts/prompt.js';
import { MessagePage } from './message.inputs.js';
import { MESSAGES_OF_PROMPT } from './message-links.js';
import { MESSAGE_READS } from './message-reads.js';

@Resolver(() => Prompt)
export class PromptMessagesResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => MessagePage, { description: 'The messages that send the prompt, ordered by position.' })
  messages(@Ctx() context: RequestContext, @Root() prompt: Prompt, @Args(() => PageArguments) page: PageArguments) {
    const messages = { link: MESSAGES_OF_PROMPT, reads: MESSAGE_READS };
    return linkedPage(context, this.database, messages, prompt.id, page);
  }
}
