import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Int, Query, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import { PayloadMutation } from '../../platform/graphql/payload-mutation.js';
import { selectedFields } from '../../platform/graphql/selected-fields.js';
import type { ListPayloads } from '../../platform/lists/list-payloads.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Project } from '../projects/project.js';
import { projectOf } from '../projects/project-loaders.js';
import { Condition } from './condition.type.js';
import { toConditions } from './conditions.js';
import { PromptCreateInput, PromptFilter, PromptPage, PromptUpdateInput } from './prompt.inputs.js';
import { Prompt } from './prompt.js';
import type { PromptService } from './prompt.service.js';

const ID = { description: 'Id of the prompt.' };

@Resolver(() => Prompt)
export class PromptResolver {
  constructor(
    private readonly prompts: PromptService,
    private readonly database: Database,
    private readonly payloads: ListPayloads<Pick<Prompt, 'content' | 'promptConditions'>>,
  ) {}

  @Query(() => PromptPage, {
    name: 'prompts',
    description:
      'The prompts of the caller’s projects, ordered by project and position, followed by the caller’s own prompts without a project. By default, excludes the copies that scenario runs make.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('filter', () => PromptFilter, {
      nullable: true,
      description: 'Conditions for the list. Default: all prompts except copies of scenario runs.',
    })
    filter: PromptFilter | null,
    @Args(() => PageArguments) page: PageArguments,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.prompts.list(viewer, filter, page, selectedFields(info));
  }

  @Query(() => Prompt, {
    name: 'prompt',
    description: 'One prompt. Fails with NOT_FOUND if it does not exist or the caller cannot access it.',
  })
  get(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.prompts.get(viewer, id);
  }

  @PayloadMutation({
    returns: { prompt: () => Prompt },
    name: 'promptCreate',
    description:
      'Creates a prompt at the last position of its project. Requires the role editor in that project; a prompt without a project requires no role.',
  })
  create(
    @Ctx() { viewer, warnings }: RequestContext,
    @Arg('input', () => PromptCreateInput, { description: 'The new prompt.' }) input: PromptCreateInput,
  ) {
    return this.prompts.create(viewer, input, warnings);
  }

  @PayloadMutation({
    returns: { prompt: () => Prompt },
    name: 'promptUpdate',
    description: 'Changes a prompt. Requires the role editor.',
  })
  update(
    @Ctx() { viewer, warnings }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('input', () => PromptUpdateInput, { description: 'The changes.' }) input: PromptUpdateInput,
  ) {
    return this.prompts.update(viewer, id, input, warnings);
  }

  @PayloadMutation({
    returns: { prompt: () => Prompt },
    name: 'promptDelete',
    description:
      'Deletes a prompt and returns it. Messages with the prompt stay and no longer send it. Requires the role editor.',
  })
  delete(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.prompts.delete(viewer, id);
  }

  @PayloadMutation({
    returns: { prompt: () => Prompt },
    name: 'promptReorder',
    description: 'Moves a prompt to another position and shifts the prompts in between. Requires the role editor.',
  })
  reorder(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('sortId', () => Int, {
      description: 'Target position, from 1. A value outside 1 to the number of prompts is clamped.',
    })
    sortId: number,
  ) {
    return this.prompts.reorder(viewer, id, sortId);
  }

  @FieldResolver(() => Project, {
    nullable: true,
    description: 'The project that owns the prompt; null if only its creator can see it.',
  })
  project(@Ctx() context: RequestContext, @Root() prompt: Prompt) {
    return prompt.projectId === null ? null : projectOf(context, this.database, prompt.projectId);
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description: 'Id of the project that owns the prompt; null if only its creator can see it.',
  })
  projectId(@Root() prompt: Prompt) {
    return prompt.projectId;
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether a list omitted `content` and `promptConditions` because the preceding items filled the size limit of the page. Query the prompt by id to get them.',
  })
  async isShortened(@Ctx() context: RequestContext, @Root() prompt: Prompt) {
    return !(await this.payloads.isWhole(context, prompt));
  }

  @FieldResolver(() => String, {
    description:
      'The text. Placeholders: `<variable>-1,{variable id},{named value id}</variable>` for a named value, `<message>0,{message id}</message>` for the first result of a message. Empty if `isShortened`.',
  })
  async content(@Ctx() context: RequestContext, @Root() prompt: Prompt) {
    return (await this.payloads.of(context, prompt))?.content ?? '';
  }

  @FieldResolver(() => [Condition], {
    description:
      'At most 100 conditions that skip the prompt or end the run, in the order of evaluation. Empty if `isShortened`.',
  })
  async promptConditions(@Ctx() context: RequestContext, @Root() prompt: Prompt) {
    return toConditions((await this.payloads.of(context, prompt))?.promptConditions);
  }
}
