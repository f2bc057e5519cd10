import DataLoader from 'dataloader';
import type { Database } from '../../../platform/database/database.js';
import { keyedQuery, type Placeholder } from '../../../platform/database/prepared-queries.js';
import { expression, type QueryCreator } from '../../../platform/database/typed-queries.js';
import type { PageBytes } from '../../../platform/lists/page-bytes.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { RevisionStore } from '../../workflows/revision-store.js';
import type { WorkflowRun } from '../history/workflow-run.js';
import type { RunTables } from '../run-tables.js';
import { payloadBytes, type RequestedValues, requestedRuns } from './payload-bytes.js';
import { resultColumns, resultOfRow } from './run-results.js';

/** What a run was given and what it made: read only where someone asks. Secret fields hold the mask. */
export interface RunPayload {
  input: Record<string, unknown>;
  sealedInput: string | null;
  result: RunResult | null;
}

/** The result as it is kept. `data` holds node entries, or the per-node errors of a refused run. */
export interface RunResult {
  data: Record<string, unknown> | null;
  output: unknown;
  error?: unknown;
  /** Milliseconds for which nodes waited for their turn, by node id. Absent: none waited. */
  waits?: Record<string, number>;
}

/** The result as it is shown: without what the nodes show of it. */
export function resultView(result: RunResult): RunResult {
  const { waits: _, ...shown } = result;
  return shown;
}

const READ = keyedQuery('payloads', (tables: QueryCreator<RunTables>, value: Placeholder<RequestedValues>) =>
  tables
    .selectFrom('workflow_run_payload as p')
    .innerJoin(requestedRuns(value('ids'), value('createdAts')), join =>
      join.onRef('p.run_id', '=', 'asked.id').onRef('p.run_created_at', '=', 'asked.created_at'),
    )
    .select(['p.run_id as id', 'p.input', 'p.sealed_input as sealedInput'])
    .select(resultColumns('p', expression.lit(true)))
    .$narrowType<Pick<RunPayload, 'input'>>(),
);

export class RunPayloads {
  constructor(
    private readonly database: Database,
    private readonly revisions: Pick<RevisionStore, 'bytesOf'>,
    private readonly pageBytes: PageBytes,
  ) {}

  /** Whether a run of a list is shown with its result, input and graph. */
  async isWhole(context: RequestContext, run: WorkflowRun): Promise<boolean> {
    const [payload, graph] = await Promise.all([
      this.#bytesOf(context, run),
      this.revisions.bytesOf(context, run.revisionId),
    ]);
    return this.pageBytes.fits(context, 'workflow-run', { id: run.id, bytes: payload + graph });
  }

  /** One query for a whole page of usual runs, which ships no payload. */
  #bytesOf(context: RequestContext, run: WorkflowRun): Promise<number> {
    const load = async (runs: readonly WorkflowRun[]) => {
      // What is read alone is shown whole.
      if (runs.length === 1) return [0];
      const bytes = await payloadBytes(this.database, runs, this.pageBytes.maxBytes);
      return runs.map((each, index) => (each.expired ? 0 : bytes[index]!));
    };
    const loader = context.loader(
      'workflow-run.payload-bytes',
      () => new DataLoader<WorkflowRun, number, string>(load, { cacheKeyFn: each => each.id }),
    );
    return (loader as unknown as DataLoader<WorkflowRun, number>).load(run);
  }

  async read(runs: readonly Pick<WorkflowRun, 'id' | 'createdAt'>[]): Promise<(RunPayload | null)[]> {
    const rows = await READ(this.database, {
      ids: runs.map(run => run.id),
      createdAts: runs.map(run => run.createdAt),
    });
    const byId = new Map(
      rows.map(({ journal, result, ...row }) => [
        row.id,
        { ...row, result: resultOfRow<RunResult>({ result, journal }) },
      ]),
    );
    return runs.map(run => byId.get(run.id) ?? null);
  }

  /** The payload of a run in a list: one query for all of the page that fit. Null for one that is shortened. */
  async of(context: RequestContext, run: WorkflowRun): Promise<RunPayload | null> {
    if (!(await this.isWhole(context, run))) return null;
    const loader = context.loader(
      'workflow-run.payload',
      () =>
        new DataLoader<WorkflowRun, RunPayload | null, string>(runs => this.read(runs), {
          cacheKeyFn: each => each.id,
        }),
    );
    return (loader as DataLoader<WorkflowRun, RunPayload | null>).load(run);
  }
}
