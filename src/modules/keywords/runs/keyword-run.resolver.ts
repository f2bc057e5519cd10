import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root, Subscription } from 'type-graphql';
import type { Database } from '../../../platform/database/database.js';
import { PageArguments } from '../../../platform/lists/page.args.js';
import type { Currencies } from '../../../platform/money/money.js';
import { Money } from '../../../platform/money/money.type.js';
import type { KeyedStarts } from '../../accounts/api-keys/keyed-starts.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { clustersOfRun } from '../keyword-clusters.js';
import {
  KeywordRunCreateInput,
  KeywordRunFilter,
  KeywordRunPage,
  KeywordRunUpdateInput,
} from './keyword-run.inputs.js';
import { KeywordCluster, KeywordRun } from './keyword-run.js';
import type { KeywordRunService } from './keyword-run.service.js';

const ID = { description: 'The run.' };
const IDEMPOTENCY_KEY =
  '1-255 printable ASCII characters. The same key and input within 24 hours: the first run again, and no second one. CONFLICT while the first is under way, BAD_USER_INPUT when the key came with another input.';

@Resolver(() => KeywordRun)
export class KeywordRunResolver {
  constructor(
    private readonly runs: KeywordRunService,
    private readonly keyed: KeyedStarts,
    private readonly database: Database,
    private readonly currencies: Currencies,
  ) {}

  @Query(() => KeywordRunPage, {
    name: 'keywordRuns',
    description: 'The keyword runs of the caller’s projects, newest first.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('filter', () => KeywordRunFilter, { nullable: true, description: 'Which runs.' })
    filter: KeywordRunFilter | null,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.runs.list(viewer, filter, page);
  }

  @Query(() => KeywordRun, {
    name: 'keywordRun',
    description: 'One keyword run. NOT_FOUND when it is not the caller’s.',
  })
  get(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.runs.get(viewer, id);
  }

  @Mutation(() => KeywordRun, {
    name: 'keywordRunCreate',
    description:
      'Looks for the keywords of a topic or a page. BUDGET_EXCEEDED when a model is to be asked and the spending limit of the project is reached. Needs the role editor.',
  })
  async create(
    @Ctx() context: RequestContext,
    @Arg('input', () => KeywordRunCreateInput, { description: 'The new run.' }) input: KeywordRunCreateInput,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key: string | null | undefined,
  ) {
    const { id } = await this.keyed.once(context, key, ['keywordRunCreate', { input }], reservedId =>
      this.runs.create(context.viewer, input, reservedId),
    );
    return this.runs.get(context.viewer, id);
  }

  @Mutation(() => KeywordRun, {
    name: 'keywordRunUpdate',
    description: 'Changes how many keywords a run has. Needs the role editor.',
  })
  update(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('input', () => KeywordRunUpdateInput, { description: 'What changes.' }) input: KeywordRunUpdateInput,
  ) {
    return this.runs.update(viewer, id, input);
  }

  @Mutation(() => KeywordRun, {
    name: 'keywordRunDelete',
    description:
      'Deletes a run with its keywords. Variables that took their values from it keep them; what it cost stays on the ledger. Needs the role editor.',
  })
  delete(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.runs.delete(viewer, id);
  }

  @Mutation(() => KeywordRun, {
    name: 'keywordRunClusterize',
    description:
      'Groups the keywords of a run that has ended by what they speak of, in the place of the clusters it had. CONFLICT before its end. Needs the role editor.',
  })
  clusterize(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.runs.clusterize(viewer, id);
  }

  @Mutation(() => KeywordRun, {
    name: 'keywordRunKeywordsEnable',
    description:
      'Enables or disables all keywords of a run that has ended. CONFLICT before its end. Needs the role editor.',
  })
  enableAll(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('isEnabled', () => Boolean, { description: 'Whether variables take them from the run.' }) isEnabled: boolean,
  ) {
    return this.runs.setAllEnabled(viewer, id, isEnabled);
  }

  @FieldResolver(() => [KeywordCluster], {
    description: 'Its clusters, the largest first, at most 1,000; empty until it is clustered.',
  })
  clusters(@Ctx() context: RequestContext, @Root() run: KeywordRun) {
    return clustersOfRun(context, this.database).load(run.id);
  }

  @FieldResolver(() => Money, { description: 'What it cost to ask a model, in each available currency.' })
  cost(@Root() run: KeywordRun) {
    return this.currencies.of(run.costUsd);
  }

  @Subscription(() => KeywordRun, {
    name: 'keywordRunChanged',
    description:
      'A keyword run, live, whichever process executes it: first as it is, then whenever it has changed. Completes when it has ended. NOT_FOUND when it is not the caller’s.',
    topics: 'keywordRunChanged',
    topicId: ({ args, context }) => ({ args, context }),
  })
  changed(@Root() run: KeywordRun, @Arg('id', () => Int, ID) _id: number): KeywordRun {
    return run;
  }
}
