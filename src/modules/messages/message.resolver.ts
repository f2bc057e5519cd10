import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Int, Query, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import { PayloadMutation } from '../../platform/graphql/payload-mutation.js';
import { selectedFields } from '../../platform/graphql/selected-fields.js';
import { JSONValue } from '../../platform/json/scalars.js';
import type { ListPayloads } from '../../platform/lists/list-payloads.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import { loadRow } from '../../platform/sql/row-loader.js';
import type { RequestContext } from '../accounts/request-context.js';
import { linkedIds, linkedParts } from '../projects/parts/part-loaders.js';
import { Project } from '../projects/project.js';
import { projectOf } from '../projects/project-loaders.js';
import { Condition } from '../prompts/condition.type.js';
import { toConditions } from '../prompts/conditions.js';
import { Prompt } from '../prompts/prompt.js';
import { PROMPT_READS } from '../prompts/prompt-reads.js';
import { Variable } from '../variables/variable.js';
import { VARIABLE_READS } from '../variables/variable-reads.js';
import { MessageCreateInput, MessageFilter, MessagePage, MessageUpdateInput } from './message.inputs.js';
import { Message } from './message.js';
import type { MessageService } from './message.service.js';
import { PROMPTS_OF_MESSAGE } from './message-links.js';

const ID = { description: 'Id of the message.' };

@Resolver(() => Message)
export class MessageResolver {
  constructor(
    private readonly messages: MessageService,
    private readonly database: Database,
    private readonly payloads: ListPayloads<Pick<Message, 'parameters' | 'conditions'>>,
  ) {}

  @Query(() => MessagePage, {
    name: 'messages',
    description:
      'The messages of the caller’s projects, ordered by project and position. By default, excludes the copies that scenario runs make.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('filter', () => MessageFilter, {
      nullable: true,
      description: 'Conditions for the list. Default: all messages except copies of scenario runs.',
    })
    filter: MessageFilter | null,
    @Args(() => PageArguments) page: PageArguments,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.messages.list(viewer, filter, page, selectedFields(info));
  }

  @Query(() => Message, {
    name: 'message',
    description: 'One message. Fails with NOT_FOUND if it does not exist or the caller cannot access it.',
  })
  get(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.messages.get(viewer, id);
  }

  @PayloadMutation({
    returns: { message: () => Message },
    name: 'messageCreate',
    description: 'Creates a message at the last position of its project. Requires the role editor.',
  })
  create(
    @Ctx() { viewer, warnings }: RequestContext,
    @Arg('input', () => MessageCreateInput, { description: 'The new message.' }) input: MessageCreateInput,
  ) {
    return this.messages.create(viewer, input, warnings);
  }

  @PayloadMutation({
    returns: { message: () => Message },
    name: 'messageUpdate',
    description: 'Changes a message. Requires the role editor.',
  })
  update(
    @Ctx() { viewer, warnings }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('input', () => MessageUpdateInput, { description: 'The changes.' }) input: MessageUpdateInput,
  ) {
    return this.messages.update(viewer, id, input, warnings);
  }

  @PayloadMutation({
    returns: { message: () => Message },
    name: 'messageDelete',
    description:
      'Deletes a message and returns it. Placeholders that refer to it no longer resolve. Requires the role editor.',
  })
  delete(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.messages.delete(viewer, id);
  }

  @PayloadMutation({
    returns: { message: () => Message },
    name: 'messageReorder',
    description: 'Moves a message to another position and shifts the messages in between. Requires the role editor.',
  })
  reorder(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('sortId', () => Int, {
      description: 'Target position, from 1. A value outside 1 to the number of messages is clamped.',
    })
    sortId: number,
  ) {
    return this.messages.reorder(viewer, id, sortId);
  }

  @FieldResolver(() => Project, { description: 'The project that owns the message.' })
  project(@Ctx() context: RequestContext, @Root() message: Message) {
    return projectOf(context, this.database, message.projectId);
  }

  @FieldResolver(() => Int, { description: 'Id of the project that owns the message.' })
  projectId(@Root() message: Message) {
    return message.projectId;
  }

  @FieldResolver(() => [Prompt], {
    description: 'The prompts of the message, at most 100, in the order in which they are sent: by position.',
  })
  prompts(@Ctx() context: RequestContext, @Root() message: Message) {
    return linkedParts(context, this.database, PROMPTS_OF_MESSAGE, PROMPT_READS).load(message.id);
  }

  @FieldResolver(() => [Int], {
    description: 'The ids of the prompts of the message, at most 100, ordered by position.',
  })
  promptIds(@Ctx() context: RequestContext, @Root() message: Message) {
    return linkedIds(context, this.database, PROMPTS_OF_MESSAGE).load(message.id);
  }

  @FieldResolver(() => Variable, {
    nullable: true,
    description: 'A loop sends the message once for each active value of this variable. Null: `loopCount` times.',
  })
  loopVariable(@Ctx() context: RequestContext, @Root() message: Message) {
    const read = (ids: readonly number[]) => VARIABLE_READS.byIds(this.database, ids);
    return loadRow(context, { name: 'variable', read }, message.loopVariableId);
  }

  @FieldResolver(() => Int, { nullable: true, description: 'Id of the loop variable; null if there is none.' })
  loopVariableId(@Root() message: Message) {
    return message.loopVariableId;
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether a list omitted `parameters` and `conditions` because the preceding items filled the size limit of the page. Query the message by id to get them.',
  })
  async isShortened(@Ctx() context: RequestContext, @Root() message: Message) {
    return !(await this.payloads.isWhole(context, message));
  }

  @FieldResolver(() => JSONValue, {
    description:
      'Parameters for the model provider: `model_name`, those of the chat format and `provider_options`. `{}` if `isShortened`.',
  })
  async parameters(@Ctx() context: RequestContext, @Root() message: Message) {
    return (await this.payloads.of(context, message))?.parameters ?? {};
  }

  @FieldResolver(() => [Condition], {
    description:
      'At most 100 conditions that skip the message or end the run, in the order of evaluation. Empty if `isShortened`.',
  })
  async conditions(@Ctx() context: RequestContext, @Root() message: Message) {
    return toConditions((await this.payloads.of(context, message))?.conditions);
  }
}
