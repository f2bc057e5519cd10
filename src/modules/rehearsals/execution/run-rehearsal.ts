import { environmentValues } from '../../../engine/environment.js';
import type { Ports, Sandbox } from '../../../engine/ports.js';
import { maskInput, valueMasker } from '../../../engine/secrets.js';
import { type Graph, GraphError } from '../../../engine/workflow/graph/graph.js';
import { HostGuard, hostRulesOf } from '../../../engine/workflow/graph/secrets/secret-hosts.js';
import { mayBeRehearsed } from '../../../engine/workflow/history/rehearsal-calls.js';
import { RehearsalReplay } from '../../../engine/workflow/history/rehearsal-replay.js';
import { keyOf, type ReplayRecord } from '../../../engine/workflow/history/replay-record.js';
import {
  type RecordedEnd,
  type RecordedLevels,
  toRecordedLevels,
} from '../../../engine/workflow/run/recorded-state.js';
import { runWorkflow } from '../../../engine/workflow/run/run.js';
import type { RunEvent } from '../../../engine/workflow/run/run-event.js';
import type { RunOptions } from '../../../engine/workflow/run/run-options.js';
import type { Vault } from '../../../platform/crypto/crypto.js';
import { whenReachable } from '../../../platform/database/database.js';
import type { Budget } from '../../billing/budgets/budget.js';
import { RunSpending } from '../../billing/run-spending.js';
import type { RunConnections } from '../../connections/runs/run-connections.js';
import type { ProjectFileReader } from '../../files/run-files.js';
import type { ModelsOfRun } from '../../provider-keys/project-models.js';
import type { DocumentSearch } from '../../recognition/document-search.js';
import type { Preparation, RunPreparer } from '../../workflow-runs/admission/run-preparer.js';
import { secretsOf } from '../../workflow-runs/admission/sealed-input.js';
import { createEventMasker } from '../../workflow-runs/execution/event-masker.js';
import type { RunConversations } from '../../workflow-runs/execution/run-conversations.js';
import { requestDigest } from '../../workflow-runs/journal/request-digest.js';
import { UnbilledUsage } from '../../workflow-runs/journal/run-ledger.js';
import { keptSecretFaults } from '../../workflow-runs/replay/kept-secrets.js';
import type { RecordedRun } from '../../workflow-runs/replay/recorded-runs.js';
import type { Revision } from '../../workflows/revision-store.js';
import { CallRecorder } from './call-recorder.js';
import { endOf } from './compare-runs.js';
import type { ClaimedRehearsal, RehearsalClaims } from './rehearsal-claims.js';
import { rehearsalPorts } from './rehearsal-ports.js';
import type { RehearsalRecords } from './rehearsal-records.js';
import { incompleteEnd, type RehearsedEnd, refusedEnd, reportOf } from './run-report.js';

export interface RunRehearsalParts {
  claims: RehearsalClaims;
  preparer: RunPreparer;
  records: RehearsalRecords;
  budget: Budget;
  vault: Vault;
  connections: RunConnections;
  files: ProjectFileReader;
  search: DocumentSearch;
  conversations: RunConversations;
  sandbox: { of(projectId: number): Sandbox };
  ports: Pick<Ports, 'clock' | 'http' | 'mcp' | 'databases' | 'email' | 'html'>;
  limits: { maxSeconds: number; maxBytes: number };
}

/** A run to rehearse. */
export interface RunTarget {
  /** Id of the row, and holder of the reservations. */
  rowId: string;
  original: RecordedRun;
  /** The revision to execute. */
  revision: Revision;
  /** Journals whose answers may be taken. */
  records: readonly ReplayRecord[];
  models: ModelsOfRun;
}

/** The parts that all executions of a target share. */
interface OpenedTarget {
  graph: Graph;
  prepared: Preparation;
  spending: RunSpending;
  options: Omit<RunOptions, 'replay' | 'recorded'>;
  /** Replaces the secrets of the run in an event by the mask. */
  maskEvent(event: RunEvent): RunEvent;
}

/** Rehearses one recorded run with another graph. */
export class RunRehearsal {
  readonly #allowed: ReadonlySet<'http' | 'mcp' | 'database'>;

  constructor(
    private readonly parts: RunRehearsalParts,
    private readonly rehearsal: ClaimedRehearsal,
    private readonly target: RunTarget,
    private readonly signal: AbortSignal,
  ) {
    this.#allowed = new Set(rehearsal.settings.allow);
  }

  /** Executes the run to its end, with the calls that an earlier worker has recorded. */
  async execute(): Promise<RehearsedEnd> {
    const { original, revision, rowId } = this.target;
    const { graph } = revision;
    if (graph instanceof GraphError) return refusedEnd(original, graph.message);
    const { secretMembers, input, environment } = original;
    const faults = keptSecretFaults(revision, original.revision, secretMembers);
    if (faults.length > 0) return incompleteEnd(original, faults.join(' '));
    const prepared = await this.parts.preparer.prepare(revision, { input, environment }, secretMembers);
    if (prepared.status !== 201) return refusedEnd(original, refusalOf(prepared));
    const recorded = await this.parts.records.readEvents(rowId);
    const opened = await this.#open(graph, prepared, recorded);
    // A recorded failure may recur before its open calls are needed. Only if it does not, a second execution makes them.
    const first = await this.#executeOnce(opened, recorded, endOf(original.masked)?.error != null);
    if (first.isEnded || !first.replay.hasDeferred) return first.report();
    return (await this.#executeOnce(opened, await this.parts.records.readEvents(rowId), false)).report();
  }

  /** Executes the run once. `earlier` are the recorded events; `defersUnrecorded` as in `RehearsalSource`. */
  async #executeOnce(opened: OpenedTarget, earlier: readonly RunEvent[], defersUnrecorded: boolean) {
    const { target, rehearsal, signal, parts } = this;
    const replay = new RehearsalReplay({
      records: target.records,
      finished: finishedOf(earlier),
      mayCall: node => mayBeRehearsed(node, this.#allowed),
      defersUnrecorded,
    });
    const { graph, spending, options, maskEvent } = opened;
    const recorder = new CallRecorder({
      write: calls => whenReachable(() => parts.records.record(rehearsal, target.rowId, calls), signal),
      ...{ replay, spending, graph, maskEvent, earlier, rowId: target.rowId },
    });
    const events: RunEvent[] = [];
    for await (const event of runWorkflow({ ...options, replay, recorded: unfinishedOf(earlier) })) {
      if (event.type === 'run.suspended') break;
      await recorder.submit(event);
      events.push(event);
    }
    const isEnded = events.some(({ type }) => type === 'run.succeeded' || type === 'run.failed');
    const masked = events.map(maskEvent);
    const executed = recorder.executed;
    return {
      isEnded,
      replay,
      report: (): RehearsedEnd => reportOf({ original: target.original, graph, events: masked, replay, executed }),
    };
  }

  async #open(graph: Graph, prepared: Preparation, recorded: readonly RunEvent[]): Promise<OpenedTarget> {
    const { original, revision, rowId, models } = this.target;
    const { rehearsal, parts, signal } = this;
    const { input } = prepared;
    // Variables of the recorded run keep their values. Others, which only the new graph uses, have their current values.
    const known = new Set(original.variables.map(({ name }) => name));
    const added = (prepared.variables ?? []).filter(({ name }) => !known.has(name));
    const variables = [...original.variables, ...added];
    const members = Object.fromEntries(prepared.secretFields.map(field => [field, input[field]]));
    const secrets = secretsOf({ members, inherited: original.secrets, variables }, revision.secrets);
    const shownInput = maskInput(input, prepared.secretFields);
    const hosts = new HostGuard([...original.hostRules, ...hostRulesOf(revision.data, input, revision.secrets)]);
    const run = { id: rowId, projectId: rehearsal.projectId, token: rehearsal.token };
    const assertLease = () => parts.claims.assertLease(rehearsal);
    const spending = new RunSpending({ ...models, budget: parts.budget, run, assertLease });
    await whenReachable(() => spending.resume(new UnbilledUsage(recorded).all()), signal);
    const [first] = original.events;
    return {
      ...{ graph, prepared, spending },
      maskEvent: createEventMasker(graph, shownInput, secrets),
      options: {
        ...{ graph, input, environment: environmentValues(variables), signal, secrets: revision.secrets },
        // Expressions see the recorded run; services see other idempotency keys.
        ...{ runId: original.id, idempotencyPrefix: rowId, workflowId: revision.workflowId },
        ...(first ? { startedAt: first.at } : {}),
        ports: this.#withConnections(hosts.guard(this.#createPorts(spending, valueMasker(secrets)))),
        limits: parts.limits,
        digest: requestDigest(parts.vault),
      },
    };
  }

  #createPorts(spending: RunSpending, mask: ReturnType<typeof valueMasker>): Ports {
    const { ports, sandbox, files, search, conversations } = this.parts;
    const { projectId } = this.rehearsal;
    const conversationPort = conversations.of({ projectId, id: this.target.original.id, mask });
    const shared = {
      ...ports,
      ...{ sandbox: sandbox.of(projectId), search: search.of(projectId), conversations: conversationPort },
    };
    return rehearsalPorts({ shared, llm: spending, files: files.readerOf(projectId), allowed: this.#allowed });
  }

  #withConnections(ports: Ports): Ports {
    const { projectId, workflowId, userId } = this.rehearsal;
    const caller = { projectId, workflowId, userId: userId ?? 0, runId: null };
    return this.parts.connections.wrap(ports, caller, this.signal);
  }
}

function finishedOf(events: readonly RunEvent[]): ReadonlyMap<string, RecordedEnd> {
  const finished = new Map<string, RecordedEnd>();
  for (const [iteration, level] of toRecordedLevels(events))
    for (const [node, end] of level.finished) finished.set(keyOf({ node, iteration }), end);
  return finished;
}

/** The open attempts of recorded calls. Finished ones are answered by the replay, so that it knows them. */
function unfinishedOf(events: readonly RunEvent[]): RecordedLevels {
  const levels = [...toRecordedLevels(events)];
  return new Map(levels.map(([iteration, level]) => [iteration, { ...level, finished: new Map() }]));
}

function refusalOf({ result }: Preparation): string {
  const error = result?.error as { message?: string } | undefined;
  if (error?.message) return error.message;
  const [issue] = result?.refusal?.issues ?? [];
  return issue ? `node ${issue.node_id}: ${issue.message}` : 'The graph does not accept the input.';
}
