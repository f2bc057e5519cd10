import DataLoader from 'dataloader';
import {
  type ProcessedMessage,
  progressOf,
  resultOf,
  type ScenarioResult,
} from '../../../engine/scenario/events/progress.js';
import type { Scenario } from '../../../engine/scenario/scenario.js';
import type { Sql } from '../../../platform/database/database.js';
import type { Currencies } from '../../../platform/money/money.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { JournalEvent } from '../execution/scenario-run-journal.js';
import type { ScenarioRunLocalVariable, ScenarioRunMessage } from '../scenario-run.js';

/** What came out of a run, or has come so far. */
export interface RunOutcome {
  finalResult: string | null;
  localVariables: ScenarioRunLocalVariable[];
  processedMessages: ScenarioRunMessage[];
}

const ENDED = `
  select id, final_result as "finalResult", local_variables as "localVariables", processed_messages as "processedMessages"
    from scenario_run where id = any($1::int[]) and finished_at is not null`;

const MESSAGES = `
  select scenariorun_id as run, id, key, sort_id as "sortId" from message where scenariorun_id = any($1::int[])`;

const EVENTS = `
  select run_id as run, events from scenario_run_journal where run_id = any($1::int[]) order by run_id, first_sequence`;

type Result = Pick<ScenarioResult, 'finalResult' | 'localVariables' | 'processedMessages'>;

/** Outcomes by run, a query for all the runs of a list. Of a run that has not ended: what its events say. */
export function outcomes(context: RequestContext, sql: Sql, currencies: Currencies): DataLoader<number, RunOutcome> {
  return context.loader(
    'scenarioRun.outcome',
    () =>
      new DataLoader<number, RunOutcome>(async ids => {
        const ended = await sql.query<Result & { id: number }>(ENDED, [ids]);
        const results = new Map<number, Result>(ended.map(row => [row.id, row]));
        const open = ids.filter(id => !results.has(id));
        if (open.length > 0) for (const [id, result] of await underWay(sql, open)) results.set(id, result);
        return ids.map(id => shown(results.get(id), currencies));
      }),
  );
}

async function underWay(sql: Sql, ids: readonly number[]): Promise<[number, Result][]> {
  const batches = await sql.query<{ run: number; events: JournalEvent[] }>(EVENTS, [ids]);
  const messages = await sql.query<{ run: number; id: number; key: string; sortId: number }>(MESSAGES, [ids]);
  const events = Map.groupBy(batches, ({ run }) => run);
  const byRun = Map.groupBy(messages, ({ run }) => run);
  return ids.map(id => {
    // Progress asks for no more of a message than its place and key.
    const scenario = { messages: byRun.get(id) ?? [] } as unknown as Scenario;
    const all = (events.get(id) ?? []).flatMap(batch => batch.events);
    return [id, resultOf(progressOf(scenario, all))];
  });
}

function shown(result: Result | undefined, currencies: Currencies): RunOutcome {
  return {
    finalResult: result?.finalResult ?? null,
    localVariables: result?.localVariables ?? [],
    processedMessages: (result?.processedMessages ?? []).map(message => messageShown(message, currencies)),
  };
}

function messageShown(
  { message, key, status, results, spent, error }: ProcessedMessage,
  currencies: Currencies,
): ScenarioRunMessage {
  return {
    message,
    key,
    status: status as ScenarioRunMessage['status'],
    results,
    tokens: tokens(spent),
    cost: currencies.of(spent.costUsd),
    error,
  };
}

export function tokens({ promptTokens, completionTokens }: { promptTokens: number; completionTokens: number }) {
  return { prompt: promptTokens, completion: completionTokens, total: promptTokens + completionTokens };
}
