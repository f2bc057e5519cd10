import DataLoader from 'dataloader';
import type { Issue } from '../../../engine/workflow/graph/validate.js';
import type { NodeError } from '../../../engine/workflow/run/run-event.js';
import type { Database } from '../../../platform/database/database.js';
import { keyedQuery, type Placeholder } from '../../../platform/database/prepared-queries.js';
import { expression, type QueryCreator } from '../../../platform/database/typed-queries.js';
import type { BudgetUse } from '../../../platform/errors/errors.js';
import type { PageBytes } from '../../../platform/lists/page-bytes.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { RevisionStore } from '../../workflows/revision-store.js';
import type { WorkflowRun } from '../history/workflow-run.js';
import type { RunTables } from '../run-tables.js';
import { measurePayloads, type RequestedValues, requestedRuns } from './payload-bytes.js';
import { resultColumns, resultOfRow } from './run-results.js';

/** The input and result of a run, loaded only on request. Secret fields contain the mask. */
export interface RunPayload {
  input: Record<string, unknown>;
  sealedInput: string | null;
  result: RunResult | null;
}

/** The stored result. `data` contains node entries, or the validation errors by node of a refused run. */
export interface RunResult {
  data: Record<string, unknown> | null;
  output: unknown;
  error?: NodeError;
  /** Milliseconds that nodes waited for a slot, by node id. Absent when no node waited. */
  waits?: Record<string, number>;
  /** Console lines of scripts, by node id. */
  logs?: Record<string, readonly string[]>;
  /** Set only for a refused run. */
  refusal?: RunRefusalDetails;
}

/** Why a run was refused, in addition to the error and the node entries of its result. */
export interface RunRefusalDetails {
  issues: readonly Issue[];
  /** Set if the spending limit of the project was reached. */
  use?: BudgetUse;
}

/** Returns the public form of a result, without members that other fields contain. */
export function resultView(result: RunResult): RunResult {
  const { waits: _, logs: _logs, refusal: _refusal, ...shown } = result;
  return shown;
}

const READ = keyedQuery('payloads', (tables: QueryCreator<RunTables>, value: Placeholder<RequestedValues>) =>
  tables
    .selectFrom('workflow_run_payload as p')
    .innerJoin(requestedRuns(value('ids'), value('createdAts')), join =>
      join.onRef('p.run_id', '=', 'requested.id').onRef('p.run_created_at', '=', 'requested.created_at'),
    )
    .select(['p.run_id as id', 'p.input', 'p.sealed_input as sealedInput'])
    .select(resultColumns('p', expression.lit(true)))
    .$narrowType<Pick<RunPayload, 'input'>>(),
);

/** Reads inputs and results of runs within the size limit of a page. */
export class RunPayloads {
  constructor(
    private readonly database: Database,
    private readonly revisions: Pick<RevisionStore, 'bytesOf'>,
    private readonly pageBytes: PageBytes,
  ) {}

  /** Returns whether the page limit leaves room for the result, input and graph of a run. */
  async isWhole(context: RequestContext, run: WorkflowRun): Promise<boolean> {
    const [payload, graph] = await Promise.all([
      this.#bytesOf(context, run),
      this.revisions.bytesOf(context, run.revisionId),
    ]);
    return this.pageBytes.fits(context, 'workflow-run', run, { id: run.id, bytes: payload + graph });
  }

  /** Measures the runs of a page with one query that transfers no payload. */
  #bytesOf(context: RequestContext, run: WorkflowRun): Promise<number> {
    const load = async (runs: readonly WorkflowRun[]) => {
      // A single run is always shown completely.
      if (runs.length === 1) return [0];
      const bytes = await measurePayloads(this.database, runs, this.pageBytes.maxBytes);
      return runs.map((each, index) => (each.isExpired ? 0 : bytes[index]!));
    };
    const loader = context.loader(
      'workflow-run.payload-bytes',
      () => new DataLoader<WorkflowRun, number, string>(load, { cacheKeyFn: each => each.id }),
    );
    // The loader of a context does not declare the type of its cache keys.
    return (loader as unknown as DataLoader<WorkflowRun, number>).load(run);
  }

  /** Reads payloads in the order of the runs; null for a run without one. */
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

  /** Loads the payload of a run, with one query for all runs of a page. Returns null for a shortened run. */
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
