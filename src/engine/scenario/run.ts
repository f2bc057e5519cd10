import { EventLog } from './events/event-log.js';
import type { RunEnd, ScenarioEvent } from './events/run-event.js';
import { describeFailure, ScenarioError } from './failure.js';
import { detectorFor } from './languages.js';
import { type PreparedScenario, prepareScenario } from './prepared-scenario.js';
import type { ScenarioRunOptions } from './run-options.js';
import { ScenarioRun } from './scenario-run.js';

/** After this many events a run yields to the event loop, so that runs without I/O do not block others. */
const EVENTS_PER_TURN = 50;

/**
 * Executes a scenario run and yields its events. The caller must commit an event before it requests the next one: that
 * request confirms the event. A message is sent only after its `message.started` is confirmed. Dependent messages begin
 * only after its `message.succeeded` is confirmed. The last event is exactly one `run.finished` or `run.failed`.
 */
export async function* runScenario(options: ScenarioRunOptions): AsyncGenerator<ScenarioEvent, void, void> {
  const { signal, ports, limits } = options;
  signal.throwIfAborted();
  const events = new EventLog(ports.clock);
  const scenario = await prepareOrFail(options, events);
  signal.throwIfAborted();
  if ('type' in scenario) {
    yield scenario;
    return;
  }
  const run = new ScenarioRun(options, scenario, events);
  const timeLimit = new AbortController();
  const abandon = () => {
    events.close();
    run.abortCalls();
  };
  signal.addEventListener('abort', abandon);
  if (limits?.maxSeconds !== undefined) {
    ports.clock.sleep(Math.max(0, limits.maxSeconds) * 1000, timeLimit.signal).then(
      () => run.fail({ code: 'run_timeout', message: 'the run took longer than RUN_MAX_SECONDS allows' }),
      () => {},
    );
  }
  try {
    let hasEnded = false;
    const onEnd = () => {
      hasEnded = true;
      events.wake();
    };
    const end = run.execute();
    end.then(onEnd, onEnd);
    for (let count = 1; ; count++) {
      if (signal.aborted) {
        // Answers that were received and paid for are still delivered. Calls in flight are lost.
        yield* events.drainAnswers();
        throw signal.reason;
      }
      const report = events.next();
      if (report) {
        yield report.event;
        report.onTaken();
        if (count % EVENTS_PER_TURN === 0 && !signal.aborted) await ports.clock.sleep(0, signal);
      } else if (hasEnded) break;
      else await events.waitForEvent();
    }
    yield await end;
  } finally {
    timeLimit.abort();
    signal.removeEventListener('abort', abandon);
    abandon();
  }
}

/** Returns the prepared scenario, or the `run.failed` event for an invalid one. */
async function prepareOrFail(
  { scenario, ports }: ScenarioRunOptions,
  events: EventLog,
): Promise<PreparedScenario | RunEnd> {
  const detectLanguage = await detectorFor(scenario, ports.languages);
  try {
    return prepareScenario(scenario, detectLanguage);
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    return { type: 'run.failed', at: events.now(), error: describeFailure(error).error };
  }
}
