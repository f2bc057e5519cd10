import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root, Subscription } from 'type-graphql';
import type { Database } from '../../../platform/database/database.js';
import { PayloadMutation } from '../../../platform/graphql/payload-mutation.js';
import { streamRequest } from '../../../platform/graphql/stream-request.js';
import { PageArguments } from '../../../platform/lists/page.args.js';
import type { Currencies } from '../../../platform/money/money.js';
import { Money } from '../../../platform/money/money.type.js';
import { IDEMPOTENCY_KEY } from '../../accounts/api-keys/idempotency-key-description.js';
import type { IdempotentStarts } from '../../accounts/api-keys/idempotent-starts.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { clusterLoader } from '../keyword-clusters.js';
import {
  KeywordRunCreateInput,
  KeywordRunFilter,
  KeywordRunPage,
  KeywordRunUpdateInput,
} from './keyword-run.inputs.js';
import { KeywordCluster, KeywordRun } from './keyword-run.js';
import type { KeywordRunService } from './keyword-run.service.js';

const ID = { description: 'Id of the keyword run.' };

@Resolver(() => KeywordRun)
export class KeywordRunResolver {
  constructor(
    private readonly runs: KeywordRunService,
    private readonly idempotentStarts: IdempotentStarts,
    private readonly database: Database,
    private readonly currencies: Currencies,
  ) {}

  @Query(() => KeywordRunPage, {
    name: 'keywordRuns',
    description: 'The keyword runs of the caller’s projects, newest first.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('filter', () => KeywordRunFilter, {
      nullable: true,
      description: 'Conditions for the list. Default: all runs.',
    })
    filter: KeywordRunFilter | null,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.runs.list(viewer, filter, page);
  }

  @Query(() => KeywordRun, {
    name: 'keywordRun',
    description: 'One keyword run. Fails with NOT_FOUND if it does not exist or the caller cannot access it.',
  })
  get(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.runs.get(viewer, id);
  }

  @PayloadMutation({
    returns: { keywordRun: () => KeywordRun },
    name: 'keywordRunCreate',
    description:
      'Creates and starts a run that searches for the keywords of a topic or page. Fails with BUDGET_EXCEEDED if the run would call a model and the spending limit of the project is reached. Requires the role editor.',
  })
  async create(
    @Ctx() context: RequestContext,
    @Arg('input', () => KeywordRunCreateInput, { description: 'The new run.' }) input: KeywordRunCreateInput,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key: string | null | undefined,
  ) {
    const { id } = await this.idempotentStarts.once(context, key, ['keywordRunCreate', { input }], reservedId =>
      this.runs.create(context.viewer, input, reservedId),
    );
    return this.runs.get(context.viewer, id);
  }

  @PayloadMutation({
    returns: { keywordRun: () => KeywordRun },
    name: 'keywordRunUpdate',
    description: 'Changes the maximum number of keywords of a run. Requires the role editor.',
  })
  update(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('input', () => KeywordRunUpdateInput, { description: 'The changes.' }) input: KeywordRunUpdateInput,
  ) {
    return this.runs.update(viewer, id, input);
  }

  @PayloadMutation({
    returns: { keywordRun: () => KeywordRun },
    name: 'keywordRunDelete',
    description:
      'Deletes a run with its keywords and returns it. Variables that use the run keep their values. Its cost stays on the ledger. Requires the role editor.',
  })
  delete(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.runs.delete(viewer, id);
  }

  @PayloadMutation({
    returns: { keywordRun: () => KeywordRun },
    name: 'keywordRunClusterize',
    description:
      'Groups similar keywords of a run into clusters, which replace its earlier clusters. Fails with CONFLICT if the run has not ended. Requires the role editor.',
  })
  clusterize(@Ctx() { viewer, signal }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.runs.clusterize(viewer, id, signal);
  }

  @PayloadMutation({
    returns: { keywordRun: () => KeywordRun },
    name: 'keywordRunKeywordsEnable',
    description:
      'Enables or disables all keywords of a run. Fails with CONFLICT if the run has not ended. Requires the role editor.',
  })
  enableAll(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('isEnabled', () => Boolean, { description: 'Whether variables with the keyword run use the keywords.' })
    isEnabled: boolean,
  ) {
    return this.runs.setAllEnabled(viewer, id, isEnabled);
  }

  @FieldResolver(() => [KeywordCluster], {
    description: 'The clusters of the run, largest first, at most 1,000. Empty if its keywords were not clustered.',
  })
  clusters(@Ctx() context: RequestContext, @Root() run: KeywordRun) {
    return clusterLoader(context, this.database).load(run.id);
  }

  @FieldResolver(() => Money, {
    description: 'Cost of the model call of the run, in each available currency. Zero without a model call.',
  })
  cost(@Root() run: KeywordRun) {
    return this.currencies.of(run.costUsd);
  }

  @Subscription(() => KeywordRun, {
    name: 'keywordRunChanged',
    description:
      'Sends the current state of a keyword run, then its state after each change. Short-lived states may be skipped; the final state never is. Completes when the run has ended. Fails with NOT_FOUND if the run does not exist or the caller cannot access it.',
    topics: 'keywordRunChanged',
    topicId: streamRequest,
  })
  changed(@Root() run: KeywordRun, @Arg('id', () => Int, ID) _id: number): KeywordRun {
    return run;
  }
}
