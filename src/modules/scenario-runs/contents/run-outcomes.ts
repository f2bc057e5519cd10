import DataLoader from 'dataloader';
import {
  type ProcessedMessage,
  progressOf,
  resultOf,
  type ScenarioResult,
} from '../../../engine/scenario/events/progress.js';
import type { Scenario } from '../../../engine/scenario/scenario.js';
import type { Sql } from '../../../platform/database/database.js';
import { anyInt, queryBuilder } from '../../../platform/database/typed-queries.js';
import type { Currencies } from '../../../platform/money/money.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { JournalEvent } from '../execution/scenario-run-journal.js';
import type { ScenarioRunLocalVariable, ScenarioRunMessage } from '../scenario-run.js';
import type { ScenarioRunTables } from '../scenario-run-tables.js';

/** The results of a run so far. */
export interface RunOutcome {
  finalResult: string | null;
  localVariables: ScenarioRunLocalVariable[];
  processedMessages: ScenarioRunMessage[];
}

type Result = Pick<ScenarioResult, 'finalResult' | 'localVariables' | 'processedMessages'>;

/** Loads the results of runs, with one query for all runs of a list. For unfinished runs they come from the journal. */
export function outcomeLoader(
  context: RequestContext,
  sql: Sql,
  currencies: Currencies,
): DataLoader<number, RunOutcome> {
  return context.loader(
    'scenarioRun.outcome',
    () =>
      new DataLoader<number, RunOutcome>(async ids => {
        const endedRuns = await queryBuilder<ScenarioRunTables>(sql)
          .selectFrom('scenario_run')
          .select(['id', 'final_result as finalResult', 'local_variables as localVariables'])
          .select('processed_messages as processedMessages')
          .where('id', '=', anyInt(ids))
          .where('finished_at', 'is not', null)
          .$castTo<Result & { id: number }>()
          .execute();
        const results = new Map<number, Result>(endedRuns.map(row => [row.id, row]));
        const unfinishedIds = ids.filter(id => !results.has(id));
        if (unfinishedIds.length > 0)
          for (const [id, result] of await readUnfinished(sql, unfinishedIds)) results.set(id, result);
        return ids.map(id => toOutcome(results.get(id), currencies));
      }),
  );
}

async function readUnfinished(sql: Sql, ids: readonly number[]): Promise<[number, Result][]> {
  const batches = await queryBuilder<ScenarioRunTables>(sql)
    .selectFrom('scenario_run_journal')
    .select(['run_id as run', 'events'])
    .where('run_id', '=', anyInt(ids))
    .orderBy('run_id')
    .orderBy('first_sequence')
    .$castTo<{ run: number; events: JournalEvent[] }>()
    .execute();
  const messages = await queryBuilder<ScenarioRunTables>(sql)
    .selectFrom('message')
    .select(['scenariorun_id as run', 'id', 'key', 'sort_id as sortId'])
    .where('scenariorun_id', '=', anyInt(ids))
    .execute();
  const events = Map.groupBy(batches, ({ run }) => run);
  const byRun = Map.groupBy(messages, ({ run }) => run);
  return ids.map(id => {
    // `progressOf` uses only the ids, positions and keys of messages.
    const scenario = { messages: byRun.get(id) ?? [] } as unknown as Scenario;
    const all = (events.get(id) ?? []).flatMap(batch => batch.events);
    return [id, resultOf(progressOf(scenario, all))];
  });
}

function toOutcome(result: Result | undefined, currencies: Currencies): RunOutcome {
  return {
    finalResult: result?.finalResult ?? null,
    localVariables: result?.localVariables ?? [],
    processedMessages: (result?.processedMessages ?? []).map(message => toScenarioRunMessage(message, currencies)),
  };
}

function toScenarioRunMessage(
  { message, key, status, results, spent, error, finishReason }: ProcessedMessage,
  currencies: Currencies,
): ScenarioRunMessage {
  return {
    message,
    key,
    status: status as ScenarioRunMessage['status'],
    results,
    tokens: toTokens(spent),
    cost: currencies.of(spent.costUsd),
    error,
    finishReason: (finishReason as ScenarioRunMessage['finishReason']) ?? null,
  };
}

/** Adds the sum to the numbers of tokens. */
export function toTokens({ promptTokens, completionTokens }: { promptTokens: number; completionTokens: number }) {
  return { prompt: promptTokens, completion: completionTokens, total: promptTokens + completionTokens };
}
