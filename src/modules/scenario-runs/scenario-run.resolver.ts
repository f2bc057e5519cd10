import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { PageBytes } from '../../platform/lists/page-bytes.js';
import type { Currencies } from '../../platform/money/money.js';
import { Money } from '../../platform/money/money.type.js';
import type { KeyedStarts } from '../accounts/api-keys/keyed-starts.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Message } from '../messages/message.js';
import { MESSAGES } from '../messages/message-reads.js';
import { Variable } from '../variables/variable.js';
import { VARIABLES } from '../variables/variable-reads.js';
import { InsertedVariable, InsertedVariableChange } from './contents/inserted-variable.type.js';
import { insertedInto, isWhole } from './contents/run-bytes.js';
import { copiesOfRun } from './contents/run-copies.js';
import { outcomes, type RunOutcome } from './contents/run-outcomes.js';
import {
  ScenarioRunFilter,
  ScenarioRunMessageInput,
  ScenarioRunPage,
  ScenarioRunStartInput,
  ScenarioRunUpdateInput,
  ScenarioRunVariableInput,
} from './scenario-run.inputs.js';
import { ScenarioRun, ScenarioRunLocalVariable, ScenarioRunMessage } from './scenario-run.js';
import type { ScenarioRunService } from './scenario-run.service.js';

const ID = { description: 'The run.' };
const CHANGES = 'CONFLICT while the run is in progress. Needs the role editor.';
const IDEMPOTENCY_KEY =
  '1-255 printable ASCII characters. The same key and input within 24 hours: the first run again, and no second one. CONFLICT while the first is under way, BAD_USER_INPUT when the key came with another input.';

@Resolver(() => ScenarioRun)
export class ScenarioRunResolver {
  constructor(
    private readonly runs: ScenarioRunService,
    private readonly keyed: KeyedStarts,
    private readonly database: Database,
    private readonly currencies: Currencies,
    private readonly pageBytes: PageBytes,
  ) {}

  @Query(() => ScenarioRunPage, { name: 'scenarioRuns', description: 'Runs of scenarios, newest first.' })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('scenarioId', () => Int, {
      nullable: true,
      description: 'The scenario. Absent: all runs in the caller’s projects.',
    })
    scenarioId: number | null | undefined,
    @Arg('filter', () => ScenarioRunFilter, { nullable: true, description: 'Which runs.' })
    filter: ScenarioRunFilter | null,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.runs.list(viewer, scenarioId, filter, page);
  }

  @Query(() => ScenarioRun, { name: 'scenarioRun', description: 'One run. NOT_FOUND when it is not the caller’s.' })
  get(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.runs.get(viewer, id);
  }

  @Mutation(() => ScenarioRun, {
    name: 'scenarioRunStart',
    description:
      'Makes a run of a scenario, or of what another run ran, and starts it. BUDGET_EXCEEDED when the spending limit of the project is reached. Needs the role editor.',
  })
  async start(
    @Ctx() context: RequestContext,
    @Arg('input', () => ScenarioRunStartInput, { description: 'The new run.' }) input: ScenarioRunStartInput,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key: string | null | undefined,
  ) {
    const { id } = await this.keyed.once(context, key, ['scenarioRunStart', { input }], reservedId =>
      this.runs.start(context.viewer, input, reservedId),
    );
    return this.runs.load(id);
  }

  @Mutation(() => ScenarioRun, {
    name: 'scenarioRunUpdate',
    description: `Changes a run before it begins, or once it has ended: then for the runs that are made from it. ${CHANGES}`,
  })
  update(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('input', () => ScenarioRunUpdateInput, { description: 'What changes.' }) input: ScenarioRunUpdateInput,
  ) {
    return this.runs.update(viewer, id, input);
  }

  @Mutation(() => ScenarioRun, {
    name: 'scenarioRunInsertedVariableUpdate',
    description: `Changes one inserted variable of a run. ${CHANGES}`,
  })
  updateInsertedVariable(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('input', () => InsertedVariableChange, { description: 'What changes.' }) input: InsertedVariableChange,
  ) {
    return this.runs.updateInsertedVariable(viewer, id, input);
  }

  @Mutation(() => ScenarioRun, {
    name: 'scenarioRunVariableUpdate',
    description: `Changes one variable of a run; the original stays as it is. ${CHANGES}`,
  })
  updateVariable(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('input', () => ScenarioRunVariableInput, { description: 'What changes.' }) input: ScenarioRunVariableInput,
  ) {
    return this.runs.updateVariable(viewer, id, input);
  }

  @Mutation(() => ScenarioRun, {
    name: 'scenarioRunMessageUpdate',
    description: `Changes one message of a run; the original stays as it is. ${CHANGES}`,
  })
  updateMessage(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('input', () => ScenarioRunMessageInput, { description: 'What changes.' }) input: ScenarioRunMessageInput,
  ) {
    return this.runs.updateMessage(viewer, id, input);
  }

  @Mutation(() => ScenarioRun, {
    name: 'scenarioRunCancel',
    description: 'Ends a run; one that has ended stays as it is. Needs the role editor.',
  })
  cancel(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.runs.cancel(viewer, id);
  }

  @Mutation(() => ScenarioRun, {
    name: 'scenarioRunDelete',
    description:
      'Deletes a run with its copies, after ending it. What it cost stays on the ledger. Needs the role editor.',
  })
  delete(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.runs.delete(viewer, id);
  }

  @FieldResolver(() => Money, { description: 'What it has cost so far, in each available currency.' })
  cost(@Root() run: ScenarioRun) {
    return this.currencies.of(run.costUsd);
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether a list left out its payloads because they do not fit into the page with those of the items before it; read alone it has them.',
  })
  async isShortened(@Ctx() context: RequestContext, @Root() run: ScenarioRun) {
    return !(await this.#isWhole(context, run));
  }

  @FieldResolver(() => [Message], {
    description:
      'The copies of the messages that it works on, by position; at most 200. Empty once its result has expired.',
  })
  async messages(@Ctx() context: RequestContext, @Root() run: ScenarioRun) {
    if (!(await this.#isWhole(context, run))) return [];
    return copiesOfRun(context, this.database, MESSAGES).load(run.id);
  }

  @FieldResolver(() => [Variable], {
    description:
      'The copies of the variables that it works on, by position; no more than its project had. Empty once its result has expired.',
  })
  async variables(@Ctx() context: RequestContext, @Root() run: ScenarioRun) {
    if (!(await this.#isWhole(context, run))) return [];
    return copiesOfRun(context, this.database, VARIABLES).load(run.id);
  }

  @FieldResolver(() => [InsertedVariable], {
    description: 'Values that stand for values of variables; at most 1,000. Empty where it is shortened.',
  })
  async insertedVariables(@Ctx() context: RequestContext, @Root() run: ScenarioRun) {
    if (run.insertedVariables) return run.insertedVariables;
    return (await this.#isWhole(context, run)) ? insertedInto(context, this.database).load(run.id) : [];
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The last result of the last message that has one; null until the run has finished and once its result has expired.',
  })
  async finalResult(@Ctx() context: RequestContext, @Root() run: ScenarioRun) {
    return (await this.#outcome(context, run)).finalResult;
  }

  @FieldResolver(() => [ScenarioRunLocalVariable], {
    description:
      'What the answers to messages of the return type `variables` have set so far; no more than the answers name.',
  })
  async localVariables(@Ctx() context: RequestContext, @Root() run: ScenarioRun) {
    return (await this.#outcome(context, run)).localVariables;
  }

  @FieldResolver(() => [ScenarioRunMessage], {
    description: 'The messages that it has reached, in their order; at most 200.',
  })
  async processedMessages(@Ctx() context: RequestContext, @Root() run: ScenarioRun) {
    return (await this.#outcome(context, run)).processedMessages;
  }

  #isWhole(context: RequestContext, { id }: ScenarioRun): Promise<boolean> {
    return isWhole(context, this.database, this.pageBytes, id);
  }

  async #outcome(context: RequestContext, run: ScenarioRun): Promise<RunOutcome> {
    if (!(await this.#isWhole(context, run))) return { finalResult: null, localVariables: [], processedMessages: [] };
    return outcomes(context, this.database, this.currencies).load(run.id);
  }
}
