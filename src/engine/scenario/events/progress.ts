import type { FinishReason } from '../../ports.js';
import { sortByPosition } from '../prepared-scenario.js';
import type { Scenario } from '../scenario.js';
import { NOTHING_SPENT, type SpentUsage, sumSpent, toSpentUsage } from '../spent-usage.js';
import type { LocalVariable, RoundEvent, RunError, ScenarioEvent } from './run-event.js';

export type MessageStatus = 'in_progress' | 'finished' | 'skipped' | 'error';

/** A message that the run has reached, with the results of its rounds. */
export interface ProcessedMessage {
  message: number;
  key: string;
  status: MessageStatus;
  results: string[];
  localVariables: LocalVariable[];
  spent: SpentUsage;
  error: RunError | null;
  /** Why the model ended its last answer. Absent: the provider did not report it. */
  finishReason?: FinishReason;
}

/** Progress of a run, derived from its events. */
export interface Progress {
  status: 'created' | 'in_progress' | 'finished' | 'error';
  /** By message id, in execution order. Undefined: not reached yet. */
  messages: Map<number, ProcessedMessage | undefined>;
  keys: Map<number, string>;
  finalResult: string | null;
  error: RunError | null;
}

function startProgress({ messages }: Scenario): Progress {
  const ordered = sortByPosition(messages);
  return {
    status: 'created',
    messages: new Map(ordered.map(({ id }) => [id, undefined])),
    keys: new Map(ordered.map(({ id, key }) => [id, key])),
    finalResult: null,
    error: null,
  };
}

/** Applies one event. Mutates and returns `progress`. */
export function applyEvent(progress: Progress, event: ScenarioEvent): Progress {
  if (progress.status === 'created') progress.status = 'in_progress';
  switch (event.type) {
    case 'run.finished':
      progress.status = 'finished';
      progress.finalResult = event.finalResult;
      close(progress, 'finished');
      break;
    case 'run.failed':
      progress.status = 'error';
      progress.error = event.error;
      close(progress, 'error');
      break;
    default:
      trackRound(progress, event);
  }
  return progress;
}

/** Derives the progress of a run from all its events. */
export function progressOf(scenario: Scenario, events: Iterable<ScenarioEvent>): Progress {
  const progress = startProgress(scenario);
  for (const event of events) applyEvent(progress, event);
  return progress;
}

/** The parts of a run's progress that are stored with the run. */
export interface ScenarioResult extends Pick<Progress, 'status' | 'finalResult' | 'error'> {
  processedMessages: ProcessedMessage[];
  localVariables: (LocalVariable & { message: number })[];
  spent: SpentUsage;
}

/** Converts progress to the stored result. */
export function resultOf({ status, finalResult, error, messages }: Progress): ScenarioResult {
  const processedMessages = [...messages.values()].filter(processed => processed !== undefined);
  const localVariables = processedMessages.flatMap(({ message, localVariables: own }) =>
    own.map(variable => ({ message, ...variable })),
  );
  return {
    status,
    finalResult,
    error,
    processedMessages,
    localVariables,
    spent: sumSpent(processedMessages.map(({ spent }) => spent)),
  };
}

function trackRound({ messages, keys }: Progress, event: RoundEvent): void {
  const { message, round, rounds } = event;
  const processed = messages.get(message) ?? unprocessedMessage(message, keys.get(message) ?? '');
  messages.set(message, processed);
  if ('usage' in event && event.usage) {
    processed.spent = sumSpent([processed.spent, toSpentUsage(event.usage)]);
    if (event.usage.finishReason) processed.finishReason = event.usage.finishReason;
  }
  if (event.type === 'message.succeeded') {
    processed.results.push(event.result);
    processed.localVariables.push(...(event.localVariables ?? []));
  }
  if (event.type === 'message.failed') {
    processed.status = 'error';
    processed.error = event.error;
  } else if (event.type !== 'message.started' && round >= rounds - 1) {
    processed.status = processed.results.length > 0 ? 'finished' : 'skipped';
  }
}

/** A loop that is still in progress ends with the run. */
function close({ messages }: Progress, status: 'finished' | 'error'): void {
  for (const processed of messages.values()) {
    if (processed?.status !== 'in_progress') continue;
    processed.status = status === 'finished' && processed.results.length === 0 ? 'skipped' : status;
  }
}

function unprocessedMessage(message: number, key: string): ProcessedMessage {
  return { message, key, status: 'in_progress', results: [], localVariables: [], spent: NOTHING_SPENT, error: null };
}
