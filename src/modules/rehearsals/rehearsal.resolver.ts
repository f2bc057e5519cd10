import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root, Subscription } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import { PayloadMutation } from '../../platform/graphql/payload-mutation.js';
import { streamRequest } from '../../platform/graphql/stream-request.js';
import { Decimal, UUID } from '../../platform/json/scalars.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { Currencies } from '../../platform/money/money.js';
import { Money } from '../../platform/money/money.type.js';
import { IDEMPOTENCY_KEY } from '../accounts/api-keys/idempotency-key-description.js';
import type { IdempotentStarts } from '../accounts/api-keys/idempotent-starts.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Project } from '../projects/project.js';
import { projectOf } from '../projects/project-loaders.js';
import { PublishCheckRequirement } from '../projects/publish-check-requirement.js';
import type { PublishGate } from './publish-gate.js';
import { NodeChangeInput, RehearsalAllowance, RehearsalRunsInput } from './rehearsal.inputs.js';
import { Rehearsal, RehearsalPage, RehearsedRunPage } from './rehearsal.js';
import type { RehearsalRequest, RehearsalService } from './rehearsal.service.js';

const REHEARSAL = { rehearsal: () => Rehearsal };
const WORKFLOW_ID = { description: 'Id of the workflow.' };
const ID = { description: 'Id of the rehearsal.' };
const RUNS = { nullable: true, description: 'Which runs to rehearse. Default: the last 50.' };
const BUDGET = {
  description:
    'Maximum cost of all calls in US dollars, 0-1000000 with at most 12 decimal places. Each call reserves its maximum cost first. Calls without a known price cost nothing.',
};
const ALLOW = {
  nullable: true,
  description: 'Calls with effects outside that may be made. Default: none; their recorded answers are assumed.',
};
const KEY = { nullable: true, description: IDEMPOTENCY_KEY };

@Resolver(() => Rehearsal)
export class RehearsalResolver {
  constructor(
    private readonly database: Database,
    private readonly service: RehearsalService,
    private readonly gate: PublishGate,
    private readonly idempotentStarts: IdempotentStarts,
    private readonly currencies: Currencies,
  ) {}

  @PayloadMutation({
    returns: REHEARSAL,
    name: 'workflowPublishCheck',
    description:
      'Rehearses recorded runs with a revision and compares their ends. A request whose hash is unchanged takes its recorded answer; only changed ones are made, within the budget. Requires the role editor.',
  })
  check(
    @Ctx() context: RequestContext,
    @Arg('workflowId', () => Int, WORKFLOW_ID) workflowId: number,
    @Arg('budgetUsd', () => Decimal, BUDGET) budgetUsd: string,
    @Arg('revisionNumber', () => Int, {
      nullable: true,
      description: 'Number of the revision to check. Default: the one that was saved last.',
    })
    revisionNumber: number | null | undefined,
    @Arg('runs', () => RehearsalRunsInput, RUNS) runs: RehearsalRunsInput | null | undefined,
    @Arg('allow', () => [RehearsalAllowance], ALLOW) allow: RehearsalAllowance[] | null | undefined,
    @Arg('idempotencyKey', () => String, KEY) key: string | null | undefined,
  ) {
    const request = { workflowId, budgetUsd, revisionNumber, runs, allow };
    return this.#once(context, key, 'workflowPublishCheck', request, reservedId =>
      this.service.check(context.viewer, workflowId, { ...request, reservedId }),
    );
  }

  @PayloadMutation({
    returns: REHEARSAL,
    name: 'workflowWhatIf',
    description:
      'Rehearses recorded runs with their own revisions, in which one node has another model, prompt or other settings. The rehearsal has the cost before and after, and the outputs that would change. Requires the role editor.',
  })
  whatIf(
    @Ctx() context: RequestContext,
    @Arg('workflowId', () => Int, WORKFLOW_ID) workflowId: number,
    @Arg('change', () => NodeChangeInput, { description: 'The change.' }) change: NodeChangeInput,
    @Arg('budgetUsd', () => Decimal, BUDGET) budgetUsd: string,
    @Arg('runs', () => RehearsalRunsInput, RUNS) runs: RehearsalRunsInput | null | undefined,
    @Arg('allow', () => [RehearsalAllowance], ALLOW) allow: RehearsalAllowance[] | null | undefined,
    @Arg('idempotencyKey', () => String, KEY) key: string | null | undefined,
  ) {
    const request = { workflowId, change, budgetUsd, runs, allow };
    return this.#once(context, key, 'workflowWhatIf', request, reservedId =>
      this.service.whatIf(context.viewer, workflowId, { ...request, reservedId }),
    );
  }

  @PayloadMutation({
    returns: REHEARSAL,
    name: 'workflowBisect',
    description:
      'Finds the change between two runs after which the run ends like the bad one, by a binary search over the revisions between them and the input. BAD_USER_INPUT for runs of another workflow or without results. Requires the role editor.',
  })
  bisect(
    @Ctx() context: RequestContext,
    @Arg('workflowId', () => Int, WORKFLOW_ID) workflowId: number,
    @Arg('goodRunId', () => UUID, { description: 'Id of the run with the good result.' }) goodRunId: string,
    @Arg('badRunId', () => UUID, { description: 'Id of the run with the bad result.' }) badRunId: string,
    @Arg('budgetUsd', () => Decimal, BUDGET) budgetUsd: string,
    @Arg('allow', () => [RehearsalAllowance], ALLOW) allow: RehearsalAllowance[] | null | undefined,
    @Arg('idempotencyKey', () => String, KEY) key: string | null | undefined,
  ) {
    const request = { workflowId, goodRunId, badRunId, budgetUsd, allow };
    return this.#once(context, key, 'workflowBisect', request, reservedId =>
      this.service.bisect(context.viewer, workflowId, { ...request, reservedId }),
    );
  }

  @PayloadMutation({
    returns: REHEARSAL,
    name: 'workflowRehearsalCancel',
    description: 'Cancels a rehearsal. CONFLICT when it has ended. Requires the role editor.',
  })
  cancel(@Ctx() { viewer }: RequestContext, @Arg('id', () => UUID, ID) id: string) {
    return this.service.cancel(viewer, id);
  }

  @PayloadMutation({
    returns: { project: () => Project },
    name: 'projectPublishCheckSet',
    description:
      'Sets the check that a revision must pass before it is published. A revision that was published before needs none. Requires the role admin.',
  })
  async setRequirement(
    @Ctx() context: RequestContext,
    @Arg('projectId', () => Int, { description: 'Id of the project.' }) projectId: number,
    @Arg('requirement', () => PublishCheckRequirement, { description: 'The check.' })
    requirement: PublishCheckRequirement,
  ) {
    await this.gate.setRequirement(context.viewer, projectId, requirement);
    return projectOf(context, this.database, projectId);
  }

  @Query(() => RehearsalPage, {
    name: 'workflowRehearsals',
    description: 'The rehearsals of a workflow, newest first. Requires the role viewer.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('workflowId', () => Int, WORKFLOW_ID) workflowId: number,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.service.list(viewer, workflowId, page);
  }

  @Query(() => Rehearsal, {
    name: 'workflowRehearsal',
    description: 'One rehearsal. Requires the role viewer.',
  })
  get(@Ctx() { viewer }: RequestContext, @Arg('id', () => UUID, ID) id: string) {
    return this.service.get(viewer, id);
  }

  @Query(() => RehearsedRunPage, {
    name: 'workflowRehearsedRuns',
    description: 'The runs of a rehearsal, oldest first; of a bisection its replays. Requires the role viewer.',
  })
  runs(
    @Ctx() { viewer }: RequestContext,
    @Arg('rehearsalId', () => UUID, ID) id: string,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.service.runs(viewer, id, page);
  }

  @Subscription(() => Rehearsal, {
    name: 'workflowRehearsalChanged',
    description:
      'Sends the current state of a rehearsal, then each change of its state and progress. Completes when it has ended. Fails with NOT_FOUND if it does not exist or the caller cannot access it.',
    topics: 'workflowRehearsalChanged',
    topicId: streamRequest,
  })
  changed(@Root() rehearsal: Rehearsal, @Arg('id', () => UUID, ID) _id: string): Rehearsal {
    return rehearsal;
  }

  @FieldResolver(() => Money, { description: 'Maximum cost of all calls.' })
  budget(@Root() { budgetUsd }: Rehearsal) {
    return this.currencies.of(budgetUsd);
  }

  @FieldResolver(() => Money, { description: 'Cost of the calls so far.' })
  spent(@Root() { spentUsd }: Rehearsal) {
    return this.currencies.of(spentUsd);
  }

  @FieldResolver(() => Money, { description: 'Recorded cost of the runs that have ended, from the ledger.' })
  async costBefore(@Ctx() context: RequestContext, @Root() rehearsal: Rehearsal) {
    return this.currencies.of((await this.service.costs(context, rehearsal)).beforeUsd);
  }

  @FieldResolver(() => Money, { description: 'Cost that the runs that have ended would have.' })
  async costAfter(@Ctx() context: RequestContext, @Root() rehearsal: Rehearsal) {
    return this.currencies.of((await this.service.costs(context, rehearsal)).afterUsd);
  }

  /** The stored receipt is the id, because the state changes. */
  async #once(
    context: RequestContext,
    key: string | null | undefined,
    mutation: string,
    { allow, ...request }: RehearsalRequest,
    start: (reservedId: string | undefined) => Promise<Rehearsal>,
  ): Promise<Rehearsal> {
    const args = { ...request, allow: allow ?? [] };
    const id = await this.idempotentStarts.once(
      context,
      key,
      [mutation, args],
      async reservedId => (await start(reservedId)).id,
    );
    return this.service.get(context.viewer, id);
  }
}
