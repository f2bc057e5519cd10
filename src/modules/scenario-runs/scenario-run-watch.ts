import type { Database } from '../../platform/database/database.js';
import { SharedReads } from '../../platform/memory/shared-reads.js';
import type { Bus } from '../../platform/messaging/bus.js';
import { streamChanges } from '../../platform/messaging/changes.js';
import type { Viewer } from '../accounts/viewer.js';
import { type JournalEvent, type JournalReading, readJournal } from './execution/scenario-run-journal.js';
import { scenarioRunTopic } from './execution/scenario-run-recorder.js';
import { locateScenarioRun } from './locate-scenario-run.js';
import { ScenarioRunStatus } from './scenario-run.js';
import { type ScenarioRunChange, ScenarioRunChangeKind, type ScenarioRunRound } from './scenario-run-change.type.js';

/** Subscriptions to scenario runs. A notification makes each subscriber read the journal after its last event. */
export class ScenarioRunWatch {
  readonly #readings = new SharedReads<JournalReading | undefined>();

  constructor(
    private readonly database: Database,
    private readonly bus: Bus,
  ) {}

  /** Subscribes to a run. Throws NOT_FOUND if the viewer cannot access it. */
  async changes(viewer: Viewer, runId: number): Promise<AsyncIterable<ScenarioRunChange>> {
    await locateScenarioRun(this.database, viewer, runId, 'project.read');
    return streamChanges<ScenarioRunChange>(
      this.bus.topicSource(scenarioRunTopic(runId)),
      async ({ send, nextChange }) => {
        let last: number | undefined;
        do {
          const reading = await this.#read(viewer, runId, last ?? 0);
          if (!reading) return;
          if (last === undefined) {
            if (!(await send(snapshot(runId, reading)))) return;
          } else for (const event of reading.events) if (!(await send(changeOf(runId, event, reading)))) return;
          last = reading.sequence;
          if (hasEnded(reading)) return;
        } while (await nextChange());
      },
    );
  }

  /** Reads with the rights of the viewer, who may lose access at any time. Concurrent equal reads share one query. */
  #read(viewer: Viewer, runId: number, after: number): Promise<JournalReading | undefined> {
    const viewerKey = viewer.isAdmin ? 'admin' : viewer.userId;
    return this.#readings.read(`${runId} ${after} ${viewerKey}`, () =>
      readJournal(this.database, runId, after, viewer),
    );
  }
}

function hasEnded({ status }: JournalReading): boolean {
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
