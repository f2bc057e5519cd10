import { WORKER_LOST } from '../../../durable/dead-letters.js';
import type { Suspension } from '../../../durable/run-worker.js';
import { environmentValues } from '../../../engine/environment.js';
import { withModelFiles } from '../../../engine/files/model-files.js';
import { bytesMasker } from '../../../engine/files/secret-bytes.js';
import type { Ports, Sandbox } from '../../../engine/ports.js';
import { valueMasker } from '../../../engine/secrets.js';
import { type Graph, GraphError } from '../../../engine/workflow/graph/graph.js';
import { HostGuard, hostRulesOf } from '../../../engine/workflow/graph/secrets/secret-hosts.js';
import { type AnswerCache, withCachedAnswers } from '../../../engine/workflow/nodes/ai/cached-answers.js';
import { errorWorkflowIdOf } from '../../../engine/workflow/nodes/flow/trigger.js';
import { toRecordedLevels } from '../../../engine/workflow/run/recorded-state.js';
import { runInGroups } from '../../../engine/workflow/run/run.js';
import type { RunEvent } from '../../../engine/workflow/run/run-event.js';
import type { RunLimits, RunOptions } from '../../../engine/workflow/run/run-options.js';
import type { Vault } from '../../../platform/crypto/crypto.js';
import { type Database, whenReachable } from '../../../platform/database/database.js';
import type { Bus } from '../../../platform/messaging/bus.js';
import type { Telemetry } from '../../../platform/tracing/telemetry.js';
import { currentContext, recordRunEnd, setRunErrorMask } from '../../../platform/tracing/work-context.js';
import type { ProjectAnswers } from '../../answer-cache/project-answers.js';
import type { Budget } from '../../billing/budgets/budget.js';
import { RunSpending } from '../../billing/run-spending.js';
import type { RunConnections } from '../../connections/runs/run-connections.js';
import type { RunFiles } from '../../files/run-files.js';
import type { RunKeyValues } from '../../key-value-entries/run-key-values.js';
import type { ModelsOfRun } from '../../provider-keys/project-models.js';
import type { DocumentSearch } from '../../recognition/document-search.js';
import type { ChildScenarioRuns } from '../../scenario-runs/execution/child-scenario-runs.js';
import type { ToolPinStore } from '../../workflows/mcp-tools/tool-pins.js';
import type { Revision, RevisionStore } from '../../workflows/revision-store.js';
import { openInput, secretsOf } from '../admission/sealed-input.js';
import { createApprovalPort } from '../approvals/run-approvals.js';
import type { EventWaits } from '../events/event-waits.js';
import type { WorkflowEventService } from '../events/workflow-event.service.js';
import { requestDigest } from '../journal/request-digest.js';
import { endStateOf, engineEvents, type JournalEvent, type RunJournal, recordedEnd } from '../journal/run-journal.js';
import { UnbilledUsage } from '../journal/run-ledger.js';
import type { RunRecorder } from '../journal/run-recorder.js';
import { createEventMasker } from './event-masker.js';
import { NodeTelemetry } from './node-telemetry.js';
import type { RunCanceller } from './run-canceller.js';
import { type ClaimedRun, LeaseLostError, type RunClaims, signalTopic } from './run-claims.js';
import type { RunConversations } from './run-conversations.js';
import { RunReport } from './run-report.js';
import type { SubRunService } from './sub-run.service.js';

/** Attempts after which a run fails, so that it cannot crash further workers. */
const MAX_ATTEMPTS = 5;

/** The dependencies of the executor. */
export interface ExecutorParts {
  revisions: RevisionStore;
  journal: RunJournal;
  recorder: RunRecorder;
  claims: RunClaims;
  canceller: RunCanceller;
  subRuns: SubRunService;
  scenarioRuns: ChildScenarioRuns;
  eventWaits: EventWaits;
  eventSender: Pick<WorkflowEventService, 'sendFromRun'>;
  toolPins: ToolPinStore;
  search: DocumentSearch;
  files: RunFiles;
  keyValues: RunKeyValues;
  conversations: RunConversations;
  answers: Pick<ProjectAnswers, 'of'>;
  connections: RunConnections;
  database: Database;
  bus: Bus;
  vault: Vault;
  budget: Budget;
  modelsOf: (projectId: number) => ModelsOfRun;
  /** The ports that all runs share. */
  ports: Omit<
    Ports,
    | 'llm'
    | 'sandbox'
    | 'approvals'
    | 'events'
    | 'runs'
    | 'scenarios'
    | 'search'
    | 'files'
    | 'keyValues'
    | 'conversations'
  >;
  /** The sandbox of a project. Projects share the script threads fairly. */
  sandbox: { of(projectId: number): Sandbox };
  /** RUN_MAX_SECONDS and RUN_MAX_BYTES. */
  limits: RunLimits & { maxSeconds: number };
  telemetry: Telemetry;
}

/** Executes a claimed run to its end and records its events. It resumes from the journal of an earlier worker. */
export class RunExecutor {
  constructor(private readonly parts: ExecutorParts) {}

  /**
   * Executes a run. Resolves when the run ends, is suspended or belongs to another worker. `signal` aborts the
   * execution without ending the run. `freeSlot` is called when only the end of the run is left to be written.
   */
  execute(run: ClaimedRun, signal: AbortSignal, freeSlot: () => void): Promise<Suspension | undefined> {
    return new Execution(this.parts, run, signal, freeSlot).run();
  }
}

/** A run with its graph and decrypted secrets. */
interface OpenedRun {
  revision: Revision;
  graph: Graph;
  /** The input, including secret fields. */
  input: Record<string, unknown>;
  environment: ReadonlyMap<string, string>;
  hosts: HostGuard;
  hide: ReturnType<typeof createEventMasker>;
  masks: SecretMasks;
}

/** Functions that mask the secrets of a run by value. */
interface SecretMasks {
  mask<T>(value: T): T;
  maskBytes(bytes: Uint8Array): Promise<Uint8Array>;
}

/** One execution of one run by this worker. */
class Execution {
  constructor(
    private readonly parts: ExecutorParts,
    private readonly claimed: ClaimedRun,
    private readonly signal: AbortSignal,
    private readonly freeSlot: () => void,
  ) {}

  async run(): Promise<Suspension | undefined> {
    const { claimed, parts } = this;
    if (claimed.isOrphan) return void (await this.#withRetries(() => parts.canceller.cancel(claimed.id)));
    const isResumed = claimed.sequence > 0 && !claimed.earlyStart;
    const reading = isResumed ? await this.#withRetries(() => parts.journal.read(claimed.id)) : undefined;
    const earlier = claimed.earlyStart?.events ?? reading?.events ?? [];
    const assertLease = () => this.#assertLease();
    const spending = new RunSpending({ ...parts, ...parts.modelsOf(claimed.projectId), run: claimed, assertLease });
    if (reading) await this.#withRetries(() => spending.resume(new UnbilledUsage(earlier).all()));
    const endState = recordedEnd(earlier);
    if (endState) return void (await (await this.#reportWithoutGraph(earlier, spending)).finish(endState, this.signal));
    if (claimed.attempts > MAX_ATTEMPTS) return await this.#failLost(await this.#reportWithoutGraph(earlier, spending));
    return await this.#executeGraph(await this.#open(), earlier, spending);
  }

  #assertLease(): Promise<void> {
    return this.parts.claims.assertLease(this.claimed, this.signal);
  }

  /**
   * Retries while the database is unavailable. Returning the run to the queue would delay it and count a failed
   * attempt.
   */
  #withRetries<T>(work: () => Promise<T>): Promise<T> {
    return whenReachable(work, this.signal);
  }

  /** A report of the end only. Without node events there is nothing to mask; the graph is read for its error workflow. */
  async #reportWithoutGraph(earlier: readonly JournalEvent[], spending: RunSpending): Promise<RunReport> {
    const { parts, claimed } = this;
    const { graph } = await this.#withRetries(() => parts.revisions.get(claimed.revisionId));
    const hasErrorHandler = this.#startsErrorWorkflow(graph);
    return new RunReport({
      ...{ ...parts, run: claimed, earlier, spending, hasErrorHandler },
      graph: null,
      hide: event => event,
    });
  }

  /**
   * Whether a failure of the run starts the error workflow. Not for a sub-run, which fails its parent instead, nor for the run of an
   * error workflow, which has itself in its ancestry.
   */
  #startsErrorWorkflow(graph: Graph | GraphError): boolean {
    const { parentRunId, ancestry, workflowId } = this.claimed;
    if (graph instanceof GraphError || errorWorkflowIdOf(graph) === null) return false;
    return parentRunId === null && !(workflowId !== null && ancestry.includes(workflowId));
  }

  async #failLost(report: RunReport): Promise<undefined> {
    await report.fail(
      WORKER_LOST,
      `The workers of the run stopped responding ${MAX_ATTEMPTS} times. Redrive the run to try again.`,
      this.signal,
    );
    recordRunEnd({ outcome: 'failed', error: WORKER_LOST });
    await this.#withRetries(() => this.parts.canceller.cancelSubRuns(this.claimed.id));
  }

  async #open(): Promise<OpenedRun> {
    const { claimed, parts } = this;
    const revision = await this.#withRetries(() => parts.revisions.get(claimed.revisionId));
    const { graph } = revision;
    if (graph instanceof GraphError)
      throw new Error(`run ${claimed.id} was accepted with an invalid graph: ${graph.message}`);
    const hidden = openInput(parts.vault, claimed);
    const secrets = secretsOf(hidden, revision.secrets);
    const mask = valueMasker(secrets);
    if (secrets.length > 0) setRunErrorMask(mask);
    const input = { ...claimed.input, ...hidden.members };
    const hosts = new HostGuard([...hidden.hostRules, ...hostRulesOf(revision.data, input, revision.secrets)]);
    const environment = environmentValues(hidden.variables);
    const hide = createEventMasker(graph, claimed.input, secrets);
    return { revision, graph, input, environment, hosts, hide, masks: { mask, maskBytes: bytesMasker(secrets) } };
  }

  async #executeGraph(opened: OpenedRun, earlier: readonly JournalEvent[], spending: RunSpending) {
    const { claimed, parts, signal } = this;
    const { earlyStart } = claimed;
    const { graph, hide } = opened;
    const hasErrorHandler = this.#startsErrorWorkflow(graph);
    const report = new RunReport({ ...parts, run: claimed, earlier, spending, graph, hide, hasErrorHandler });
    const nodes = new NodeTelemetry(parts.telemetry, opened.graph, currentContext());
    for (const event of earlyStart?.unmasked ?? []) nodes.observe(event);
    try {
      const options = await this.#optionsOf(opened, earlier, spending, report);
      // The early start stopped before calls, which follow at once, so the lease must still be held.
      if (earlyStart) await this.#assertLease();
      for await (const group of runInGroups(options)) {
        if ('type' in group) return await report.suspend(group.until, signal);
        for (const event of group) nodes.observe(event);
        if (group.some(event => endStateOf(event) !== null)) this.freeSlot();
        await report.submit(group, signal);
        for (const event of group) await this.#endSubRuns(event);
      }
      return undefined;
    } catch (error) {
      const reason: unknown = report.lost.aborted ? report.lost.reason : error;
      if (!(reason instanceof LeaseLostError)) {
        await report.settle(signal);
        throw reason;
      }
      await spending.abandon();
      return undefined;
    } finally {
      nodes.close();
      report.close();
    }
  }

  async #optionsOf(
    { revision, graph, input, environment, hosts, masks }: OpenedRun,
    earlier: readonly JournalEvent[],
    spending: RunSpending,
    report: RunReport,
  ): Promise<RunOptions> {
    const { claimed, signal } = this;
    const { bus, journal, limits, toolPins, vault } = this.parts;
    const unmasked =
      claimed.earlyStart?.unmasked ??
      engineEvents(await this.#withRetries(() => journal.restoreContents(claimed, earlier, vault)));
    const [first] = unmasked;
    const pins = revision.pinsTools ? await this.#withRetries(() => toolPins.of(claimed.revisionId)) : undefined;
    return {
      graph,
      input,
      environment,
      runId: claimed.id,
      workflowId: claimed.workflowId,
      ...(first ? { startedAt: first.at } : {}),
      // The guard checks the addresses that connections complete.
      ports: this.#connected(hosts.guard(this.#portsOf(spending, masks))),
      recorded: toRecordedLevels(unmasked),
      isUninterrupted: claimed.earlyStart !== undefined,
      signal: AbortSignal.any([signal, report.lost]),
      limits: { ...limits, maxSeconds: limits.maxSeconds - claimed.workedMs / 1000 },
      secrets: revision.secrets,
      digest: requestDigest(vault),
      ...(pins ? { pinsOf: pins } : {}),
      onSignal: listener => bus.watch(signalTopic(claimed.id), listener),
    };
  }

  #connected(ports: Ports): Ports {
    const { id: runId, projectId, workflowId, userId } = this.claimed;
    // 0: a run of a graph without a workflow, or of a deleted user.
    const caller = { projectId, workflowId: workflowId ?? 0, userId: userId ?? 0, runId };
    return this.parts.connections.wrap(ports, caller, this.signal);
  }

  /** Records the end of the run and cancels its sub-runs after a failure. */
  async #endSubRuns(event: RunEvent): Promise<void> {
    if (event.type === 'run.succeeded') recordRunEnd({ outcome: 'succeeded' });
    if (event.type !== 'run.failed') return;
    // Sub-runs for which the run did not wait end with it.
    await this.#withRetries(() => this.parts.canceller.cancelSubRuns(this.claimed.id));
    recordRunEnd({ outcome: 'failed', error: event.error.code });
  }

  #cacheOf(projectId: number): AnswerCache {
    const { find, keep } = this.parts.answers.of(projectId);
    // `keep` logs its errors: without the cache a later call costs more, but does not fail.
    return { ...withRetriedMethods({ find }, this.signal), keep };
  }

  /** Ports that use the database retry while it is unavailable, so that no node fails because of that. */
  #portsOf(spending: RunSpending, masks: SecretMasks): Ports {
    const { claimed: run, signal } = this;
    const { ports, sandbox, database, subRuns, scenarioRuns, search, files, keyValues, conversations } = this.parts;
    const { newId, findDecision } = createApprovalPort(database);
    const events = this.parts.eventWaits.portFor(run);
    const send: Ports['events']['send'] = event => this.parts.eventSender.sendFromRun(run, event);
    const maskedRun = { projectId: run.projectId, id: run.id, ...masks };
    const runFiles = withRetriedMethods(files.of(maskedRun), signal);
    return {
      ...ports,
      llm: withCachedAnswers(withModelFiles(spending, runFiles), this.#cacheOf(run.projectId)),
      sandbox: sandbox.of(run.projectId),
      approvals: { newId, ...withRetriedMethods({ findDecision }, signal) },
      events: { newId: events.newId, ...withRetriedMethods({ findEvent: events.findEvent, send }, signal) },
      runs: withRetriedMethods(subRuns.of(run), signal),
      scenarios: withRetriedMethods(scenarioRuns.portFor(run, masks), signal),
      search: withRetriedMethods(search.of(run.projectId), signal),
      files: runFiles,
      keyValues: withRetriedMethods(keyValues.of(maskedRun), signal),
      conversations: withRetriedMethods(conversations.of(maskedRun), signal),
    };
  }
}

/**
 * Returns the port with methods that retry while the database is unavailable. Every method must be idempotent:
 * starts have keys, and the others change nothing.
 */
function withRetriedMethods<Port extends Record<keyof Port, (...args: never[]) => Promise<unknown>>>(
  port: Port,
  signal: AbortSignal,
): Port {
  const methods = Object.entries<(...args: never[]) => Promise<unknown>>(port);
  const waiting = methods.map(([name, method]) => [
    name,
    (...args: never[]) => whenReachable(() => method(...args), signal),
  ]);
  return Object.fromEntries(waiting) as Port;
}
