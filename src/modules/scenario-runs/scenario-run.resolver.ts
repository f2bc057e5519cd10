import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import { PayloadMutation } from '../../platform/graphql/payload-mutation.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { PageBytes } from '../../platform/lists/page-bytes.js';
import type { Currencies } from '../../platform/money/money.js';
import { Money } from '../../platform/money/money.type.js';
import { IDEMPOTENCY_KEY } from '../accounts/api-keys/idempotency-key-description.js';
import type { IdempotentStarts } from '../accounts/api-keys/idempotent-starts.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Message } from '../messages/message.js';
import { MESSAGE_READS } from '../messages/message-reads.js';
import { Variable } from '../variables/variable.js';
import { VARIABLE_READS } from '../variables/variable-reads.js';
import { InsertedVariable, InsertedVariableChange } from './contents/inserted-variable.type.js';
import { insertedVariableLoader } from './contents/inserted-variable-loader.js';
import { isWhole } from './contents/run-bytes.js';
import { runCopiesLoader } from './contents/run-copies.js';
import { outcomeLoader, type RunOutcome } from './contents/run-outcomes.js';
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

const ID = { description: 'Id of the scenario run.' };
const CHANGES = 'Fails with CONFLICT while the run is in progress. Requires the role editor.';

@Resolver(() => ScenarioRun)
export class ScenarioRunResolver {
  constructor(
    private readonly runs: ScenarioRunService,
    private readonly idempotentStarts: IdempotentStarts,
    private readonly database: Database,
    private readonly currencies: Currencies,
    private readonly pageBytes: PageBytes,
  ) {}

  @Query(() => ScenarioRunPage, {
    name: 'scenarioRuns',
    description: 'The scenario runs of the caller’s projects, newest first.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('scenarioId', () => Int, {
      nullable: true,
      description: 'Only runs of the scenario with this id. Default: runs of all scenarios in the caller’s projects.',
    })
    scenarioId: number | null | undefined,
    @Arg('filter', () => ScenarioRunFilter, {
      nullable: true,
      description: 'Conditions for the list. Default: all runs.',
    })
    filter: ScenarioRunFilter | null,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.runs.list(viewer, scenarioId, filter, page);
  }

  @Query(() => ScenarioRun, {
    name: 'scenarioRun',
    description: 'One scenario run. Fails with NOT_FOUND if it does not exist or the caller cannot access it.',
  })
  get(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.runs.get(viewer, id);
  }

  @PayloadMutation({
    returns: { scenarioRun: () => ScenarioRun },
    name: 'scenarioRunStart',
    description:
      'Creates and starts a run of a scenario, or of the copies of an earlier run. Fails with BUDGET_EXCEEDED if the spending limit of the project is reached. Requires the role editor.',
  })
  async start(
    @Ctx() context: RequestContext,
    @Arg('input', () => ScenarioRunStartInput, { description: 'The new run.' }) input: ScenarioRunStartInput,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key: string | null | undefined,
  ) {
    const { id } = await this.idempotentStarts.once(context, key, ['scenarioRunStart', { input }], reservedId =>
      this.runs.start(context.viewer, input, reservedId, context.warnings),
    );
    return this.runs.load(id);
  }

  @PayloadMutation({
    returns: { scenarioRun: () => ScenarioRun },
    name: 'scenarioRunUpdate',
    description: `Changes a run that has not started or has ended. After the end, changes apply to new runs that are started from it. ${CHANGES}`,
  })
  update(
    @Ctx() { viewer, warnings }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('input', () => ScenarioRunUpdateInput, { description: 'The changes.' }) input: ScenarioRunUpdateInput,
  ) {
    return this.runs.update(viewer, id, input, warnings);
  }

  @PayloadMutation({
    returns: { scenarioRun: () => ScenarioRun },
    name: 'scenarioRunInsertedVariableUpdate',
    description: `Changes one inserted variable of a run. ${CHANGES}`,
  })
  updateInsertedVariable(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('input', () => InsertedVariableChange, { description: 'The changes.' }) input: InsertedVariableChange,
  ) {
    return this.runs.updateInsertedVariable(viewer, id, input);
  }

  @PayloadMutation({
    returns: { scenarioRun: () => ScenarioRun },
    name: 'scenarioRunVariableUpdate',
    description: `Changes one variable of a run; the original stays unchanged. Requires \`variableNames\` or \`value\`. ${CHANGES}`,
  })
  updateVariable(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('input', () => ScenarioRunVariableInput, { description: 'The changes.' }) input: ScenarioRunVariableInput,
  ) {
    return this.runs.updateVariable(viewer, id, input);
  }

  @PayloadMutation({
    returns: { scenarioRun: () => ScenarioRun },
    name: 'scenarioRunMessageUpdate',
    description: `Changes one message of a run; the original stays unchanged. ${CHANGES}`,
  })
  updateMessage(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('input', () => ScenarioRunMessageInput, { description: 'The changes.' }) input: ScenarioRunMessageInput,
  ) {
    return this.runs.updateMessage(viewer, id, input);
  }

  @PayloadMutation({
    returns: { scenarioRun: () => ScenarioRun },
    name: 'scenarioRunCancel',
    description: 'Cancels a run. A run that has ended stays unchanged. Requires the role editor.',
  })
  cancel(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.runs.cancel(viewer, id);
  }

  @PayloadMutation({
    returns: { scenarioRun: () => ScenarioRun },
    name: 'scenarioRunDelete',
    description:
      'Cancels a run, deletes it with its copies, and returns it. Its cost stays on the ledger. Requires the role editor.',
  })
  delete(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.runs.delete(viewer, id);
  }

  @FieldResolver(() => Money, { description: 'Cost of the run so far, in each available currency.' })
  cost(@Root() run: ScenarioRun) {
    return this.currencies.of(run.costUsd);
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether a list omitted results, copies and inserted variables because the preceding items filled the size limit of the page. Query the run by id to get them.',
  })
  async isShortened(@Ctx() context: RequestContext, @Root() run: ScenarioRun) {
    return !(await this.#isWhole(context, run));
  }

  @FieldResolver(() => [Message], {
    description:
      'The run’s copies of the messages of its scenario, at most 200, ordered by position. Empty if `isShortened` or after the result has expired.',
  })
  async messages(@Ctx() context: RequestContext, @Root() run: ScenarioRun) {
    if (!(await this.#isWhole(context, run))) return [];
    return runCopiesLoader(context, this.database, MESSAGE_READS).load(run.id);
  }

  @FieldResolver(() => [Variable], {
    description:
      'The run’s copies of the variables of its scenario, ordered by position. At most one for each variable of the project. Empty if `isShortened` or after the result has expired.',
  })
  async variables(@Ctx() context: RequestContext, @Root() run: ScenarioRun) {
    if (!(await this.#isWhole(context, run))) return [];
    return runCopiesLoader(context, this.database, VARIABLE_READS).load(run.id);
  }

  @FieldResolver(() => [InsertedVariable], {
    description: 'Values that replace named values of variables in this run, at most 1,000. Empty if `isShortened`.',
  })
  async insertedVariables(@Ctx() context: RequestContext, @Root() run: ScenarioRun) {
    if (run.insertedVariables) return run.insertedVariables;
    return (await this.#isWhole(context, run)) ? insertedVariableLoader(context, this.database).load(run.id) : [];
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The last result of the last message with a result. Null until the run has finished, if `isShortened` and after the result has expired.',
  })
  async finalResult(@Ctx() context: RequestContext, @Root() run: ScenarioRun) {
    return (await this.#outcome(context, run)).finalResult;
  }

  @FieldResolver(() => [ScenarioRunLocalVariable], {
    description:
      'The variables that responses to messages with the return type VARIABLES have set so far, at most 1,000 for each response. Empty if `isShortened`.',
  })
  async localVariables(@Ctx() context: RequestContext, @Root() run: ScenarioRun) {
    return (await this.#outcome(context, run)).localVariables;
  }

  @FieldResolver(() => [ScenarioRunMessage], {
    description:
      'The messages that the run has reached, at most 200, in the order of the scenario. Empty if `isShortened`.',
  })
  async processedMessages(@Ctx() context: RequestContext, @Root() run: ScenarioRun) {
    return (await this.#outcome(context, run)).processedMessages;
  }

  #isWhole(context: RequestContext, run: ScenarioRun): Promise<boolean> {
    return isWhole(context, this.database, this.pageBytes, run);
  }

  async #outcome(context: RequestContext, run: ScenarioRun): Promise<RunOutcome> {
    if (!(await this.#isWhole(context, run))) return { finalResult: null, localVariables: [], processedMessages: [] };
    return outcomeLoader(context, this.database, this.currencies).load(run.id);
  }
}
