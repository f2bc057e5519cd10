import type { EnvironmentVariable } from '../../../engine/environment.js';
import type { HostRule } from '../../../engine/workflow/graph/secrets/secret-hosts.js';
import { hostRulesOf } from '../../../engine/workflow/graph/secrets/secret-hosts.js';
import { type ReplayRecord, toReplayRecord } from '../../../engine/workflow/history/replay-record.js';
import type { RunEvent } from '../../../engine/workflow/run/run-event.js';
import type { Vault } from '../../../platform/crypto/crypto.js';
import type { Database } from '../../../platform/database/database.js';
import { expression, queryBuilder } from '../../../platform/database/typed-queries.js';
import type { Revision, RevisionStore } from '../../workflows/revision-store.js';
import type { RunPreparer } from '../admission/run-preparer.js';
import { secretsOf } from '../admission/sealed-input.js';
import { isExpired } from '../history/run-columns.js';
import { type RunFilter, runConditions } from '../history/run-filter.inputs.js';
import { engineEvents, type RunJournal } from '../journal/run-journal.js';
import type { RunPayloads } from '../journal/run-payloads.js';
import type { RunTables } from '../run-tables.js';
import { type RunCosts, readRunCosts } from './recorded-costs.js';
import { RecordedExecutions } from './recorded-executions.js';

interface Parts {
  database: Database;
  revisions: RevisionStore;
  payloads: RunPayloads;
  journal: RunJournal;
  preparer: RunPreparer;
  vault: Vault;
  /** RUN_RESULT_TTL_DAYS. */
  ttlDays: number;
}

/** A finished run with everything that a replay of it needs. Unmasked values must not leave the process. */
export interface RecordedRun {
  id: string;
  durationMs: number;
  revision: Revision;
  /** The unmasked input, and its secret members. */
  input: Record<string, unknown>;
  secretMembers: Record<string, unknown>;
  /** Null: the default environment. */
  environment: string | null;
  /** Texts to mask. */
  secrets: readonly string[];
  hostRules: readonly HostRule[];
  /** The project variables as they were when the run was accepted. */
  variables: readonly EnvironmentVariable[];
  /** The events as stored, with masks. */
  masked: readonly RunEvent[];
  /** The events with the contents from before masking. */
  events: readonly RunEvent[];
  record: ReplayRecord;
  costs: RunCosts;
}

/** A finished run without its payload. */
export interface FinishedRun {
  id: string;
  projectId: number;
  workflowId: number | null;
  revisionId: number;
  state: string;
}

/** Reads finished runs for replays. The caller must have authorized the viewer. */
export class RecordedRuns {
  constructor(private readonly parts: Parts) {}

  /** Returns the newest executed runs of a workflow that match the filter and have their results, oldest first. */
  async select(workflowId: number, filter: RunFilter, limit: number): Promise<FinishedRun[]> {
    const runs = await this.#finished()
      .where('r.workflow_id', '=', workflowId)
      .where(({ and }) => and(runConditions(filter)))
      .orderBy('r.created_at', 'desc')
      .orderBy('r.id', 'desc')
      .limit(limit)
      .execute();
    return runs.toReversed();
  }

  /** Returns a finished run; undefined: it does not exist, has not ended, or its results have expired. */
  find(id: string): Promise<FinishedRun | undefined> {
    return this.#finished().where('r.id', '=', id).executeTakeFirst();
  }

  /** Reads a run completely; undefined: its results have expired. */
  async load(id: string): Promise<RecordedRun | undefined> {
    const { revisions, payloads, journal, preparer, vault, database } = this.parts;
    const run = await this.#finished().where('r.id', '=', id).executeTakeFirst();
    const [payload] = run ? await payloads.read([run]) : [];
    if (!run || !payload) return undefined;
    const stored = (await journal.read(id))?.events ?? [];
    if (stored.length === 0) return undefined;
    const revision = await revisions.get(run.revisionId);
    const { input, secrets, inherited, hostRules, variables } = preparer.storedInput(id, payload);
    const masked = engineEvents(stored);
    const events = engineEvents(await journal.restoreContents(run, stored, vault));
    return {
      ...{ id, revision, input, variables, masked, events },
      secretMembers: secrets,
      environment: run.environment,
      durationMs: run.runFinishedAt!.getTime() - run.runStartedAt!.getTime(),
      secrets: secretsOf({ members: secrets, inherited, variables }, revision.secrets),
      hostRules: [...hostRules, ...hostRulesOf(revision.data, input, revision.secrets)],
      record: toReplayRecord(events),
      costs: await readRunCosts(database, id, new RecordedExecutions(id, masked).subRuns),
    };
  }

  #finished() {
    return queryBuilder<RunTables>(this.parts.database)
      .selectFrom('workflow_run as r')
      .select(['r.id', 'r.project_id as projectId', 'r.workflow_id as workflowId', 'r.revision_id as revisionId'])
      .select(['r.state', 'r.environment', 'r.created_at as createdAt'])
      .select(['r.run_started_at as runStartedAt', 'r.run_finished_at as runFinishedAt'])
      .where('r.state', 'in', ['succeeded', 'failed'])
      .where('r.run_started_at', 'is not', null)
      .where('r.run_finished_at', 'is not', null)
      .where('r.external_sequence', 'is', null)
      .where(isExpired(this.parts.ttlDays), '=', expression<boolean>`false`);
  }
}
