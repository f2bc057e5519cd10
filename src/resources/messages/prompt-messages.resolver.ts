import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Database } from '../../base/database.js';
import type { RequestContext } from '../accounts/request-context.js';
import { linkedParts } from '../projects/part-loaders.js';
import { Prompt } from '../prompts/prompt.js';
import { Message } from './message.js';
import { MESSAGES_OF_PROMPT } from './message-links.js';

@Resolver(() => Prompt)
export class PromptMessagesResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => [Message], { description: 'The messages that send it, by position.' })
  messages(@Ctx() context: RequestContext, @Root() prompt: Prompt) {
    return linkedParts(context, this.database, MESSAGES_OF_PROMPT, Message).load(prompt.id);
  }
}
