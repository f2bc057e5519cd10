import type { CallContext, SubRunEnd } from '../../../engine/ports.js';
import type { WorkflowCaller } from '../../../engine/scenario/services.js';
import { type Database, whenReachable } from '../../../platform/database/database.js';
import { queryBuilder } from '../../../platform/database/typed-queries.js';
import type { Bus } from '../../../platform/messaging/bus.js';
import { streamChanges } from '../../../platform/messaging/changes.js';
import type { ClaimedScenarioRun } from '../../scenario-runs/execution/scenario-run-claims.js';
import { runTopic } from '../journal/run-journal.js';
import type { RunTables } from '../run-tables.js';
import type { RunCanceller } from './run-canceller.js';
import { chainOf } from './run-chain.js';
import type { RunOrigin, SubRunService } from './sub-run.service.js';

/** Runs workflows for messages of scenario runs, on behalf of the user who started the scenario run. */
export class ScenarioWorkflows {
  constructor(
    private readonly database: Database,
    private readonly bus: Bus,
    private readonly runs: SubRunService,
    private readonly canceller: RunCanceller,
  ) {}

  /** Returns the engine's port for one scenario run. `signal` aborts when this worker stops executing it. */
  callerFor(run: ClaimedScenarioRun, signal: AbortSignal): WorkflowCaller {
    return {
      run: async (request, call) => {
        const start = async () => this.runs.start(await this.#originOf(run), { ...request, key: call.idempotencyKey });
        const id = await whenReachable(start, call.signal);
        try {
          return await this.#waitForEnd(id, call);
        } catch (error) {
          // Another worker that continues the scenario run waits for the same run.
          if (call.signal.aborted && !signal.aborted) await this.canceller.cancel(id);
          throw error;
        }
      },
    };
  }

  async #originOf({ id, runId, projectId, userId, parentRunId }: ClaimedScenarioRun): Promise<RunOrigin> {
    const parent =
      parentRunId === null
        ? undefined
        : await queryBuilder<RunTables>(this.database)
            .selectFrom('workflow_run')
            .select(['ancestry', 'workflow_id as workflowId', 'environment'])
            .where('id', '=', parentRunId)
            .executeTakeFirst();
    const ancestry = parent ? chainOf(parent) : [];
    return { id, projectId, userId, ancestry, scenarioRunId: runId, environment: parent?.environment ?? null };
  }

  /** Reads the state with each change of the run. Rejects when the call is aborted. */
  async #waitForEnd(id: string, { signal }: CallContext): Promise<SubRunEnd> {
    const changes = (onChange: () => void) => {
      const unwatch = this.bus.watch(runTopic(id), onChange);
      signal.addEventListener('abort', onChange, { once: true });
      return () => {
        unwatch();
        signal.removeEventListener('abort', onChange);
      };
    };
    const ends = streamChanges<SubRunEnd>(changes, async ({ send, nextChange }) => {
      let end: SubRunEnd | undefined;
      do {
        signal.throwIfAborted();
        end = await whenReachable(() => this.runs.findEnd(id), signal);
      } while (!end && (await nextChange()));
      if (end) await send(end);
    });
    for await (const end of ends) return end;
    throw signal.reason;
  }
}
