import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import type { ListPayloads } from '../../platform/lists/list-payloads.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Project } from '../projects/project.js';
import { projectOf } from '../projects/project-loaders.js';
import { Condition } from './condition.type.js';
import { PromptCreateInput, PromptFilter, PromptPage, PromptUpdateInput } from './prompt.inputs.js';
import { Prompt } from './prompt.js';
import type { PromptService } from './prompt.service.js';

const ID = { description: 'The prompt.' };

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
      'The prompts of the caller’s projects, by project and position, and behind them those that are the caller’s alone. Copies of runs are left out.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('filter', () => PromptFilter, { nullable: true, description: 'Which prompts.' })
    filter: PromptFilter | null,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.prompts.list(viewer, filter, page);
  }

  @Query(() => Prompt, { name: 'prompt', description: 'One prompt. NOT_FOUND when it is not the caller’s.' })
  get(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.prompts.get(viewer, id);
  }

  @Mutation(() => Prompt, {
    name: 'promptCreate',
    description: 'Creates a prompt, last in its project. Needs the role editor there.',
  })
  create(
    @Ctx() { viewer }: RequestContext,
    @Arg('input', () => PromptCreateInput, { description: 'The new prompt.' }) input: PromptCreateInput,
  ) {
    return this.prompts.create(viewer, input);
  }

  @Mutation(() => Prompt, { name: 'promptUpdate', description: 'Changes a prompt. Needs the role editor.' })
  update(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('input', () => PromptUpdateInput, { description: 'What changes.' }) input: PromptUpdateInput,
  ) {
    return this.prompts.update(viewer, id, input);
  }

  @Mutation(() => Prompt, {
    name: 'promptDelete',
    description: 'Deletes a prompt; messages go on without it. Needs the role editor.',
  })
  delete(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.prompts.delete(viewer, id);
  }

  @Mutation(() => Prompt, {
    name: 'promptReorder',
    description: 'Moves a prompt; the others shift. Needs the role editor.',
  })
  reorder(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('sortId', () => Int, { description: 'Target position from 1; outside 1…n it is clamped.' }) sortId: number,
  ) {
    return this.prompts.reorder(viewer, id, sortId);
  }

  @FieldResolver(() => Project, { nullable: true, description: 'The owning project; null: its creator’s alone.' })
  project(@Ctx() context: RequestContext, @Root() prompt: Prompt) {
    return prompt.projectId === null ? null : projectOf(context, this.database, prompt.projectId);
  }

  @FieldResolver(() => Int, { nullable: true, description: 'The owning project’s id.' })
  projectId(@Root() prompt: Prompt) {
    return prompt.projectId;
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether a list left out its payloads because they do not fit into the page with those of the items before it; read alone it has them.',
  })
  async isShortened(@Ctx() context: RequestContext, @Root() prompt: Prompt) {
    return !(await this.payloads.isWhole(context, prompt));
  }

  @FieldResolver(() => String, {
    description:
      'The text, with placeholders: `<variable>-1,{variable id},{name id}</variable>` and `<message>0,{message id}</message>`. Empty where it is shortened.',
  })
  async content(@Ctx() context: RequestContext, @Root() prompt: Prompt) {
    return (await this.payloads.of(context, prompt))?.content ?? '';
  }

  @FieldResolver(() => [Condition], {
    description:
      'When it is left out or ends the run, in the order they are looked at; at most 100. Empty where it is shortened.',
  })
  async promptConditions(@Ctx() context: RequestContext, @Root() prompt: Prompt) {
    return (await this.payloads.of(context, prompt))?.promptConditions ?? [];
  }
}
