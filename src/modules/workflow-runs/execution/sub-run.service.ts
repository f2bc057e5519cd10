import { isDeepStrictEqual } from 'node:util';
import { textOf } from '../../../engine/json-value.js';
import { PortError, type SubRunEnd, type SubRuns } from '../../../engine/ports.js';
import { maskValues } from '../../../engine/secrets.js';
import { isTerminal } from '../../../engine/status.js';
import { hostRulesOf } from '../../../engine/workflow/graph/secrets/secret-hosts.js';
import type { Vault } from '../../../platform/crypto/crypto.js';
import { derivedUuid } from '../../../platform/crypto/uuid.js';
import type { Database } from '../../../platform/database/database.js';
import { queryBuilder } from '../../../platform/database/typed-queries.js';
import type { Budget } from '../../billing/budgets/budget.js';
import type { ProjectTables } from '../../projects/project-tables.js';
import { RUNNABLE_REVISION } from '../../workflows/locate-workflow.js';
import type { RevisionStore } from '../../workflows/revision-store.js';
import type { WorkflowTables } from '../../workflows/workflow-tables.js';
import type { QueueDepth } from '../admission/queue-depth.js';
import type { RunAcceptor } from '../admission/run-acceptor.js';
import { budgetExceeded, type Preparation, type RunPreparer } from '../admission/run-preparer.js';
import { openInput, secretsOf } from '../admission/sealed-input.js';
import { outcomeOf } from '../journal/run-results.js';
import type { RunTables } from '../run-tables.js';
import type { RunCanceller } from './run-canceller.js';
import { chainFault, chainOf } from './run-chain.js';
import type { ClaimedRun } from './run-claims.js';

/** The starter of a run on behalf of a user: another run, or a message of a scenario run. */
export interface RunOrigin {
  /** Distinguishes equal keys of different origins. */
  id: string;
  projectId: number;
  userId: number | null;
  /** The workflows that led to the start, outermost first. It becomes the ancestry of the new run. */
  ancestry: readonly number[];
  parentRunId?: string;
  scenarioRunId: number | null;
  /** Null: the default environment. */
  environment: string | null;
  /** Returns the secrets that an input passes on. */
  secretsIn?: (input: unknown) => Promise<Pick<Preparation, 'inherited' | 'hostRules'>>;
}

type StartRequest = Omit<Parameters<SubRuns['start']>[0], 'isDetached'>;

/** A retry of the node would fail again. */
const FINAL = { isFinal: true };

/** Starts sub-runs: runs of workflows of the same project, on behalf of the user who started the parent run. */
export class SubRunService {
  constructor(
    private readonly database: Database,
    private readonly revisions: RevisionStore,
    private readonly preparer: RunPreparer,
    private readonly acceptor: RunAcceptor,
    private readonly depth: QueueDepth,
    private readonly canceller: RunCanceller,
    private readonly budget: Budget,
    private readonly vault: Vault,
  ) {}

  /** Implements the sub-run port of the engine for one parent run. */
  of(parent: ClaimedRun): SubRuns {
    const { id, projectId, userId, scenarioRunId, environment } = parent;
    const secretsIn = (input: unknown) => this.#secretsIn(input, parent);
    const origin = { id, projectId, userId, environment, ancestry: chainOf(parent), secretsIn };
    return {
      start: request =>
        // A detached run continues when its parent ends, so it is not a part of it.
        request.isDetached
          ? this.start({ ...origin, scenarioRunId: null }, request)
          : this.start({ ...origin, scenarioRunId, parentRunId: id }, request),
      findEnd: runId => this.findEnd(runId),
      cancel: runId => this.canceller.cancel(runId),
    };
  }

  /** Starts a run and returns its id. A repeated call with the same key returns the id of the existing run. */
  async start(origin: RunOrigin, request: StartRequest): Promise<string> {
    const id = derivedUuid(`${origin.id}\n${request.key}`);
    try {
      await this.#accept(id, origin, request);
    } catch (error) {
      // A worker that takes over the origin repeats the start, which may be refused by now: the workflow can be archived meanwhile.
      if (!(error instanceof PortError) || !(await this.#exists(id))) throw error;
    }
    return id;
  }

  async #exists(id: string): Promise<boolean> {
    const row = await queryBuilder<RunTables>(this.database)
      .selectFrom('workflow_run')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst();
    return row !== undefined;
  }

  async #accept(id: string, origin: RunOrigin, { workflowId, input }: StartRequest): Promise<void> {
    const { projectId, userId, ancestry, parentRunId, scenarioRunId } = origin;
    const fault = chainFault(ancestry, workflowId);
    if (fault) throw new PortError(fault.code, fault.message, FINAL);
    const revisionId = await runnableRevisionId(this.database, workflowId, projectId);
    if (revisionId === undefined)
      throw new PortError('unknown_workflow', 'workflow_id must be a workflow of the same project', FINAL);
    if (revisionId === null) {
      const message = `workflow ${workflowId} has no published revision: publish one`;
      throw new PortError('unpublished_workflow', message, FINAL);
    }
    const revision = await this.revisions.get(revisionId);
    const prepared = {
      ...(await this.preparer.prepare(revision, { input, environment: origin.environment })),
      ...(await origin.secretsIn?.(input)),
    };
    if (await this.budget.isSpent(projectId)) throw new PortError(budgetExceeded.code, budgetExceeded.message, FINAL);
    if (prepared.status !== 201) throw new PortError('subworkflow_refused', reasonOf(prepared, workflowId));
    // A repeated start after the failure of a worker inserts nothing.
    await this.acceptor.accept({
      id,
      ...{ projectId, workflowId, revisionId: revision.id, userId, scenarioRunId, ancestry },
      ...(parentRunId === undefined ? {} : { parentRunId }),
      state: 'queued',
      ...this.preparer.seal(id, prepared),
      environment: origin.environment,
      result: null,
      runsAhead: await this.depth.countAhead(projectId),
    });
  }

  /** Returns the secrets of the parent run when its input passes some of them on, so that they remain masked. */
  async #secretsIn(input: unknown, parent: ClaimedRun): Promise<Pick<Preparation, 'inherited' | 'hostRules'>> {
    const { secrets: ofGraph, data } = await this.revisions.get(parent.revisionId);
    const hidden = openInput(this.vault, parent);
    const secrets = secretsOf(hidden, ofGraph);
    const hostRules = [...hidden.hostRules, ...hostRulesOf(data, { ...parent.input, ...hidden.members }, ofGraph)];
    // Host rules also apply to secrets that are too short to be masked by value.
    const passesSecrets = !isDeepStrictEqual(maskValues(input, secrets), input);
    return passesSecrets || hostRules.length > 0 ? { inherited: secrets, hostRules } : {};
  }

  /** Returns the outcome of a run; undefined: it is not finished. */
  async findEnd(runId: string): Promise<SubRunEnd | undefined> {
    const row = await queryBuilder<RunTables>(this.database)
      .selectFrom('workflow_run as r')
      // The payload is read only when the run has finished.
      .leftJoin('workflow_run_payload as p', join =>
        join
          .onRef('p.run_id', '=', 'r.id')
          .onRef('p.run_created_at', '=', 'r.created_at')
          .on('r.run_finished_at', 'is not', null),
      )
      .select(['r.state', outcomeOf('p').as('outcome')])
      .where('r.id', '=', runId)
      .executeTakeFirst();
    if (!row) return { status: 'failed', runId, error: { code: 'not_found', message: 'the sub-run was deleted' } };
    if (!isTerminal(row.state)) return undefined;
    if (row.state === 'succeeded') {
      const output = row.outcome?.output ?? null;
      return { status: 'succeeded', runId, content: output === null ? '' : textOf(output) };
    }
    const error = row.outcome?.error ?? {};
    return {
      status: 'failed',
      runId,
      error: { code: error.code ?? row.state, message: error.message ?? `the run is ${row.state}` },
    };
  }
}

/** The revision that new runs of a workflow of the project use. Null: none is published. Undefined: there is no such workflow. */
export async function runnableRevisionId(
  database: Database,
  workflowId: number,
  projectId: number,
): Promise<number | null | undefined> {
  const workflow = await queryBuilder<WorkflowTables & ProjectTables>(database)
    .selectFrom('workflow as w')
    .innerJoin('project as p', 'p.id', 'w.project_id')
    .select(RUNNABLE_REVISION.as('runnableRevisionId'))
    .where('w.id', '=', workflowId)
    .where('w.project_id', '=', projectId)
    .where('w.archived_at', 'is', null)
    .executeTakeFirst();
  return workflow?.runnableRevisionId;
}

function reasonOf({ result }: Preparation, workflowId: number): string {
  const error = result?.error as { message?: string } | undefined;
  if (error?.message) return `workflow ${workflowId} cannot be run: ${error.message}`;
  const [invalidNode] = Object.values(
    (result?.data ?? {}) as Record<string, { id: string; result: Record<string, string>[] }>,
  );
  const [fault] = Object.entries(invalidNode?.result[0] ?? {});
  return `workflow ${workflowId} cannot be run: node ${invalidNode?.id}: ${fault?.join(': ') ?? 'invalid'}`;
}
