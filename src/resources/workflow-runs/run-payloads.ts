import DataLoader from 'dataloader';
import type { Database } from '../../base/database.js';
import type { RequestContext } from '../accounts/request-context.js';
import type { WorkflowRun } from './workflow-run.js';

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
}

const READ = `
  select p.run_id as id, p.input, p.sealed_input as "sealedInput", p.result
    from workflow_run_payload p
    join unnest($1::uuid[], $2::timestamptz[]) as asked(id, created_at)
      on p.run_id = asked.id and p.run_created_at = asked.created_at`;

export class RunPayloads {
  constructor(private readonly database: Database) {}

  async read(runs: readonly Pick<WorkflowRun, 'id' | 'createdAt'>[]): Promise<(RunPayload | null)[]> {
    const rows = await this.database.byKey<RunPayload & { id: string }>('payloads', READ, [
      runs.map(run => run.id),
      runs.map(run => run.createdAt),
    ]);
    const byId = new Map(rows.map(row => [row.id, row]));
    return runs.map(run => byId.get(run.id) ?? null);
  }

  /** The payload of a run in a list: one query for the whole page. */
  of(context: RequestContext, run: WorkflowRun): Promise<RunPayload | null> {
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
