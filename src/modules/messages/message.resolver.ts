import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import { JSONValue } from '../../platform/json/scalars.js';
import type { ListPayloads } from '../../platform/lists/list-payloads.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import { rowOf } from '../../platform/sql/row-loader.js';
import type { RequestContext } from '../accounts/request-context.js';
import { linkedIds, linkedParts } from '../projects/parts/part-loaders.js';
import { Project } from '../projects/project.js';
import { projectOf } from '../projects/project-loaders.js';
import { Condition } from '../prompts/condition.type.js';
import { Prompt } from '../prompts/prompt.js';
import { PROMPTS } from '../prompts/prompt-reads.js';
import { Variable } from '../variables/variable.js';
import { VARIABLES } from '../variables/variable-reads.js';
import { MessageCreateInput, MessageFilter, MessagePage, MessageUpdateInput } from './message.inputs.js';
import { Message } from './message.js';
import type { MessageService } from './message.service.js';
import { PROMPTS_OF_MESSAGE } from './message-links.js';

const ID = { description: 'The message.' };

@Resolver(() => Message)
export class MessageResolver {
  constructor(
    private readonly messages: MessageService,
    private readonly database: Database,
    private readonly payloads: ListPayloads<Pick<Message, 'parameters' | 'conditions'>>,
  ) {}

  @Query(() => MessagePage, {
    name: 'messages',
    description: 'The messages of the caller’s projects, by project and position. Copies of runs are left out.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('filter', () => MessageFilter, { nullable: true, description: 'Which messages.' })
    filter: MessageFilter | null,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.messages.list(viewer, filter, page);
  }

  @Query(() => Message, { name: 'message', description: 'One message. NOT_FOUND when it is not the caller’s.' })
  get(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.messages.get(viewer, id);
  }

  @Mutation(() => Message, {
    name: 'messageCreate',
    description: 'Creates a message, last in its project. Needs the role editor.',
  })
  create(
    @Ctx() { viewer }: RequestContext,
    @Arg('input', () => MessageCreateInput, { description: 'The new message.' }) input: MessageCreateInput,
  ) {
    return this.messages.create(viewer, input);
  }

  @Mutation(() => Message, { name: 'messageUpdate', description: 'Changes a message. Needs the role editor.' })
  update(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('input', () => MessageUpdateInput, { description: 'What changes.' }) input: MessageUpdateInput,
  ) {
    return this.messages.update(viewer, id, input);
  }

  @Mutation(() => Message, {
    name: 'messageDelete',
    description: 'Deletes a message; placeholders that name it find nothing then. Needs the role editor.',
  })
  delete(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.messages.delete(viewer, id);
  }

  @Mutation(() => Message, {
    name: 'messageReorder',
    description: 'Moves a message; the others shift. Needs the role editor.',
  })
  reorder(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('sortId', () => Int, { description: 'Target position from 1; outside 1…n it is clamped.' }) sortId: number,
  ) {
    return this.messages.reorder(viewer, id, sortId);
  }

  @FieldResolver(() => Project, { description: 'The owning project.' })
  project(@Ctx() context: RequestContext, @Root() message: Message) {
    return projectOf(context, this.database, message.projectId);
  }

  @FieldResolver(() => Int, { description: 'The owning project’s id.' })
  projectId(@Root() message: Message) {
    return message.projectId;
  }

  @FieldResolver(() => [Prompt], { description: 'Its prompts by position, at most 100: they are sent in this order.' })
  prompts(@Ctx() context: RequestContext, @Root() message: Message) {
    return linkedParts(context, this.database, PROMPTS_OF_MESSAGE, PROMPTS).load(message.id);
  }

  @FieldResolver(() => [Int], { description: 'The ids of its prompts by position; at most 100.' })
  promptIds(@Ctx() context: RequestContext, @Root() message: Message) {
    return linkedIds(context, this.database, PROMPTS_OF_MESSAGE).load(message.id);
  }

  @FieldResolver(() => Variable, {
    nullable: true,
    description: 'A loop sends the message once for each active value of it; null: `loopCount` times.',
  })
  loopVariable(@Ctx() context: RequestContext, @Root() message: Message) {
    const read = (ids: readonly number[]) => VARIABLES.byIds(this.database, ids);
    return rowOf(context, { name: 'variable', read }, message.loopVariableId);
  }

  @FieldResolver(() => Int, { nullable: true, description: 'The loop variable’s id.' })
  loopVariableId(@Root() message: Message) {
    return message.loopVariableId;
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether a list left out its payloads because they do not fit into the page with those of the items before it; read alone it has them.',
  })
  async isShortened(@Ctx() context: RequestContext, @Root() message: Message) {
    return !(await this.payloads.isWhole(context, message));
  }

  @FieldResolver(() => JSONValue, {
    description:
      'Parameters of the provider: `model_name`, `temperature`, `max_tokens`, `top_p` and its own; `{}` where it is shortened.',
  })
  async parameters(@Ctx() context: RequestContext, @Root() message: Message) {
    return (await this.payloads.of(context, message))?.parameters ?? {};
  }

  @FieldResolver(() => [Condition], {
    description:
      'When it is left out or ends the run, in the order they are looked at; at most 100. Empty where it is shortened.',
  })
  async conditions(@Ctx() context: RequestContext, @Root() message: Message) {
    return (await this.payloads.of(context, message))?.conditions ?? [];
  }
}
