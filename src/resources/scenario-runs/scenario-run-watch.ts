import { Repeater } from '@repeaterjs/repeater';
import { Bell } from '../../base/bell.js';
import type { Bus } from '../../base/bus.js';
import type { Database } from '../../base/database.js';
import type { Viewer } from '../accounts/viewer.js';
import { locateScenarioRun } from './locate-scenario-run.js';
import { ScenarioRunStatus } from './scenario-run.js';
import { type ScenarioRunChange, ScenarioRunChangeKind, type ScenarioRunRound } from './scenario-run-change.type.js';
import { type JournalEvent, type JournalReading, readJournal } from './scenario-run-journal.js';
import { scenarioRunTopic } from './scenario-run-recorder.js';

/** Looked at this often even when nothing rang: a notification lost with its connection costs no more than this. */
const BACKSTOP_MS = 5_000;

/** Runs of scenarios, live: every subscriber reads the journal from where it stands, woken by the bus. */
export class ScenarioRunWatch {
  constructor(
    private readonly database: Database,
    private readonly bus: Bus,
  ) {}

  /** Throws NOT_FOUND before the first change when the run is not the viewer's. */
  async changes(viewer: Viewer, runId: number): Promise<AsyncIterable<ScenarioRunChange>> {
    await locateScenarioRun(this.database, viewer, runId, 'project.read');
    return new Repeater<ScenarioRunChange>(async (push, stop) => {
      const bell = new Bell();
      const unsubscribe = this.bus.subscribe(scenarioRunTopic(runId), () => bell.ring());
      let stopped = false;
      void stop.then(() => {
        stopped = true;
        unsubscribe();
        bell.ring();
      });
      try {
        let last: number | undefined;
        while (!stopped) {
          bell.listen();
          const reading = await readJournal(this.database, runId, last ?? 0);
          if (!reading) break;
          if (last === undefined) await push(snapshot(runId, reading));
          else {
            for (const event of reading.events) {
              if (stopped) return;
              // Waits until the subscriber has taken it: a slow one holds one reading, never a growing queue.
              await push(changeOf(runId, event, reading));
            }
          }
          last = reading.sequence;
          if (isOver(reading)) break;
          await bell.rest(BACKSTOP_MS);
        }
        stop();
      } catch (error) {
        stop(error);
      } finally {
        unsubscribe();
      }
    });
  }
}

function isOver({ status }: JournalReading): boolean {
  return status !== ScenarioRunStatus.CREATED && status !== ScenarioRunStatus.IN_PROGRESS;
}

function snapshot(runId: number, { status, sequence }: JournalReading): ScenarioRunChange {
  const kind = ScenarioRunChangeKind.SNAPSHOT;
  return { runId, sequence, kind, at: new Date(), status: status as ScenarioRunStatus, round: null };
}

function changeOf(runId: number, event: JournalEvent, { status }: JournalReading): ScenarioRunChange {
  const isEnd = event.type === 'run.finished' || event.type === 'run.failed';
  return {
    runId,
    sequence: event.sequence,
    kind: event.type as ScenarioRunChangeKind,
    at: new Date(event.at),
    status: isEnd ? (status as ScenarioRunStatus) : ScenarioRunStatus.IN_PROGRESS,
    round: 'message' in event ? roundOf(event) : null,
  };
}

function roundOf(event: Extract<JournalEvent, { message: number }>): ScenarioRunRound {
  const { message, round, rounds } = event;
  const result = event.type === 'message.succeeded' ? event.result : null;
  return { message, round, rounds, result, error: event.type === 'message.failed' ? event.error : null };
}
