import type { Database } from '../../platform/database/database.js';
import { SharedReads } from '../../platform/memory/shared-reads.js';
import type { Bus } from '../../platform/messaging/bus.js';
import { streamChanges } from '../../platform/messaging/changes.js';
import type { Viewer } from '../accounts/viewer.js';
import { type JournalEvent, type JournalPage, readJournal } from './execution/scenario-run-journal.js';
import { scenarioRunTopic } from './execution/scenario-run-recorder.js';
import { locateScenarioRun } from './locate-scenario-run.js';
import { ScenarioRunStatus } from './scenario-run.js';
import { type ScenarioRunChange, ScenarioRunChangeKind, type ScenarioRunRound } from './scenario-run-change.type.js';

/** Subscriptions to scenario runs. A notification makes each subscriber read the journal after its last event. */
export class ScenarioRunChangeStreams {
  readonly #sharedReads = new SharedReads<JournalPage | undefined>();

  constructor(
    private readonly database: Database,
    private readonly bus: Bus,
  ) {}

  /** Subscribes to a run. Throws NOT_FOUND if the viewer cannot access it. */
  async open(viewer: Viewer, runId: number): Promise<AsyncIterable<ScenarioRunChange>> {
    await locateScenarioRun(this.database, viewer, runId, 'project.read');
    return streamChanges<ScenarioRunChange>(
      this.bus.topicSource(scenarioRunTopic(runId)),
      async ({ send, nextChange }) => {
        let last: number | undefined;
        do {
          const page = await this.#read(viewer, runId, last ?? 0);
          if (!page) return;
          if (last === undefined) {
            if (!(await send(snapshot(runId, page)))) return;
          } else for (const event of page.events) if (!(await send(changeOf(runId, event, page)))) return;
          last = page.sequence;
          if (hasEnded(page)) return;
        } while (await nextChange());
      },
    );
  }

  /** Reads with the rights of the viewer, who may lose access at any time. Concurrent equal reads share one query. */
  #read(viewer: Viewer, runId: number, after: number): Promise<JournalPage | undefined> {
    const viewerKey = viewer.isAdmin ? 'admin' : viewer.userId;
    return this.#sharedReads.read(`${runId} ${after} ${viewerKey}`, () =>
      readJournal(this.database, runId, after, viewer),
    );
  }
}

function hasEnded({ status }: JournalPage): boolean {
  return status !== ScenarioRunStatus.QUEUED && status !== ScenarioRunStatus.RUNNING;
}

function snapshot(runId: number, { status, sequence }: JournalPage): ScenarioRunChange {
  const kind = ScenarioRunChangeKind.SNAPSHOT;
  return { runId, sequence, kind, at: new Date(), status: status as ScenarioRunStatus, round: null };
}

function changeOf(runId: number, event: JournalEvent, { status }: JournalPage): ScenarioRunChange {
  const isEnd = event.type === 'run.finished' || event.type === 'run.failed';
  return {
    runId,
    sequence: event.sequence,
    kind: event.type as ScenarioRunChangeKind,
    at: new Date(event.at),
    status: isEnd ? (status as ScenarioRunStatus) : ScenarioRunStatus.RUNNING,
    round: 'message' in event ? roundOf(event) : null,
  };
}

function roundOf(event: Extract<JournalEvent, { message: number }>): ScenarioRunRound {
  const { message, round, rounds } = event;
  const result = event.type === 'message.succeeded' ? event.result : null;
  return { message, round, rounds, result, error: event.type === 'message.failed' ? event.error : null };
}
