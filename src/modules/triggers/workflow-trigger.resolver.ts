import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { PayloadMutation } from '../../platform/graphql/payload-mutation.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import type { TriggerFirings } from './trigger-firings.js';
import { WorkflowTriggerCreateInput, WorkflowTriggerUpdateInput } from './workflow-trigger.inputs.js';
import type { WorkflowTriggerService } from './workflow-trigger.service.js';
import { TriggerFiringPage, WorkflowTrigger, WorkflowTriggerPage } from './workflow-trigger.type.js';

@Resolver(() => WorkflowTrigger)
export class WorkflowTriggerResolver {
  constructor(
    private readonly triggers: WorkflowTriggerService,
    private readonly firingLog: TriggerFirings,
  ) {}

  @Query(() => WorkflowTriggerPage, {
    name: 'workflowTriggers',
    description: 'Triggers of a workflow or of a project, newest first. Requires the role viewer.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('workflowId', () => Int, {
      nullable: true,
      description: 'Id of the workflow. Required unless `projectId` is given.',
    })
    workflowId: number | null,
    @Arg('projectId', () => Int, { nullable: true, description: 'Id of the project.' }) projectId: number | null,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.triggers.list(viewer, { workflowId: workflowId ?? null, projectId: projectId ?? null }, page);
  }

  @Query(() => WorkflowTrigger, {
    name: 'workflowTrigger',
    description: 'Returns one trigger. NOT_FOUND when it is not visible to the caller. Requires the role viewer.',
  })
  get(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, { description: 'Id of the trigger.' }) id: number) {
    return this.triggers.get(viewer, id);
  }

  @PayloadMutation({
    returns: { workflowTrigger: () => WorkflowTrigger },
    name: 'workflowTriggerCreate',
    description:
      'Creates a trigger. Its runs belong to the caller. CONFLICT when the workflow has 20 triggers. Requires the role editor.',
  })
  create(
    @Ctx() { viewer }: RequestContext,
    @Arg('input', () => WorkflowTriggerCreateInput, { description: 'The new trigger.' })
    input: WorkflowTriggerCreateInput,
  ) {
    return this.triggers.create(viewer, input);
  }

  @PayloadMutation({
    returns: { workflowTrigger: () => WorkflowTrigger },
    name: 'workflowTriggerUpdate',
    description: 'Changes a trigger. Its runs belong to the caller from then on. Requires the role editor.',
  })
  update(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, { description: 'Id of the trigger.' }) id: number,
    @Arg('input', () => WorkflowTriggerUpdateInput, { description: 'The changes.' }) input: WorkflowTriggerUpdateInput,
  ) {
    return this.triggers.update(viewer, id, input);
  }

  @PayloadMutation({
    returns: { workflowTrigger: () => WorkflowTrigger },
    name: 'workflowTriggerRotate',
    description:
      'Replaces the secret token in the path of a webhook, public form or public chat. Requests to the old path get 404. CONFLICT for forms and chats for members and for other kinds. Requires the role editor.',
  })
  rotate(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, { description: 'Id of the trigger.' }) id: number) {
    return this.triggers.rotate(viewer, id);
  }

  @PayloadMutation({
    returns: { workflowTrigger: () => WorkflowTrigger },
    name: 'workflowTriggerDelete',
    description: 'Deletes a trigger and its log. Its runs stay. Requires the role editor.',
  })
  delete(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, { description: 'Id of the trigger.' }) id: number) {
    return this.triggers.delete(viewer, id);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Path of a webhook, form or chat on this service; null for other kinds. The path of a webhook, public form or public chat contains a secret token and is null for callers without the role editor. The path of a form or chat for members contains no token and is visible to every member.',
  })
  path(@Ctx() context: RequestContext, @Root() trigger: WorkflowTrigger) {
    return this.triggers.pathOf(context, trigger);
  }

  @FieldResolver(() => TriggerFiringPage, {
    description: 'The firings of the trigger in the last 30 days, newest first; at most 100 per page.',
  })
  firings(
    @Ctx() context: RequestContext,
    @Root() { id }: WorkflowTrigger,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.firingLog.ofTrigger(context, id, page);
  }
}
