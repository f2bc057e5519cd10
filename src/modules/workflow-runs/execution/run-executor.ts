import { WORKER_LOST } from '../../../durable/dead-letters.js';
import type { Suspension } from '../../../durable/run-worker.js';
import type { Ports, Sandbox } from '../../../engine/ports.js';
import { valueMasker } from '../../../engine/secrets.js';
import { GraphError } from '../../../engine/workflow/graph/graph.js';
import { HostGuard, hostRulesOf } from '../../../engine/workflow/graph/secret-hosts.js';
import { recordedFrom } from '../../../engine/workflow/run/recorded.js';
import { runWorkflow } from '../../../engine/workflow/run/run.js';
import type { RunLimits } from '../../../engine/workflow/run/run-options.js';
import type { Vault } from '../../../platform/crypto/crypto.js';
import { type Database, onceReachable } from '../../../platform/database/database.js';
import type { Bus } from '../../../platform/messaging/bus.js';
import { maskRunErrors, noteRunEnd, presentScope } from '../../../platform/tracing/scope.js';
import type { Telemetry } from '../../../platform/tracing/telemetry.js';
import type { Budget } from '../../billing/budgets/budget.js';
import { RunSpending } from '../../billing/run-spending.js';
import type { ModelsOfRun } from '../../provider-keys/project-models.js';
import type { DocumentSearch } from '../../recognition/document-search.js';
import type { StartedScenarioRuns } from '../../scenario-runs/execution/started-scenario-runs.js';
import type { ToolPinStore } from '../../workflows/mcp-tools/tool-pins.js';
import type { RevisionStore } from '../../workflows/revision-store.js';
import { openInput, secretsOf } from '../admission/sealed-input.js';
import { engineEvents, type RunJournal, recordedEnd } from '../journal/run-journal.js';
import { UnbilledUsage } from '../journal/run-ledger.js';
import type { RunRecorder } from '../journal/run-recorder.js';
import { NodeWatch } from './node-watch.js';
import { approvalsOf } from './run-approvals.js';
import type { RunCanceller } from './run-canceller.js';
import { type ClaimedRun, LeaseLostError, type RunClaims, signalTopic } from './run-claims.js';
import { hiderOf } from './run-hider.js';
import { RunReport } from './run-report.js';
import type { SubRunService } from './sub-run.service.js';

/** A run that took its worker down this often ends instead of taking down the next one. */
const MAX_ATTEMPTS = 5;

export interface ExecutorParts {
  revisions: RevisionStore;
  journal: RunJournal;
  recorder: RunRecorder;
  leases: RunClaims;
  canceller: RunCanceller;
  subRuns: SubRunService;
  scenarioRuns: StartedScenarioRuns;
  toolPins: ToolPinStore;
  search: DocumentSearch;
  database: Database;
  bus: Bus;
  vault: Vault;
  budget: Budget;
  modelsOf: (projectId: number) => ModelsOfRun;
  /** The ports that are the same for every run. */
  ports: Omit<Ports, 'llm' | 'sandbox' | 'approvals' | 'runs' | 'scenarios' | 'search'>;
  /** Of each project: projects take turns. */
  sandbox: { of(projectId: number): Sandbox };
  /** RUN_MAX_SECONDS and RUN_MAX_BYTES. */
  limits: RunLimits & { maxSeconds: number };
  telemetry: Telemetry;
}

/** Executes one claimed run to its end and records what happens; resumes where an earlier worker left off. */
export class RunExecutor {
  constructor(private readonly parts: ExecutorParts) {}

  /** Resolves when the run has ended, waits or is no longer ours; `signal` aborts it without an end. */
  async execute(run: ClaimedRun, signal: AbortSignal): Promise<Suspension | undefined> {
    // A run that was given up for a database that is away for a moment would wait for its lease, and count one death more.
    const waiting = <T>(work: () => Promise<T>) => onceReachable(work, signal);
    const { head } = run;
    const reading = run.sequence > 0 && !head ? await waiting(() => this.parts.journal.read(run.id)) : undefined;
    const earlier = head?.events ?? reading?.events ?? [];
    if (run.isOrphan) {
      await waiting(() => this.parts.canceller.cancel(run.id));
      return undefined;
    }
    const hold = () => this.parts.leases.hold(run, signal);
    const spending = new RunSpending({ ...this.parts, ...this.parts.modelsOf(run.projectId), run, hold });
    if (reading) await waiting(() => spending.resume(new UnbilledUsage(earlier).all()));
    const ended = recordedEnd(earlier);
    if (ended) {
      const report = new RunReport({ ...this.parts, run, earlier, spending, graph: null, hide: event => event });
      return await report.finish(ended, signal).then(() => undefined);
    }
    if (run.attempts > MAX_ATTEMPTS) {
      const report = new RunReport({ ...this.parts, run, earlier, spending, graph: null, hide: event => event });
      await report.fail(WORKER_LOST, `The worker of the run died ${MAX_ATTEMPTS} times.`, signal);
      noteRunEnd({ outcome: 'failed', error: WORKER_LOST });
      await waiting(() => this.parts.canceller.cancelSubRuns(run.id));
      return undefined;
    }
    const revision = await waiting(() => this.parts.revisions.get(run.revisionId));
    const { graph } = revision;
    if (graph instanceof GraphError) throw new Error(`run ${run.id} was accepted with a broken graph`);
    const hidden = openInput(this.parts.vault, run);
    const secrets = secretsOf(hidden, revision.secrets);
    if (secrets.length > 0) maskRunErrors(valueMasker(secrets));
    const hide = hiderOf(graph, run.input, secrets);
    const input = { ...run.input, ...hidden.members };
    const hosts = new HostGuard([...hidden.hostRules, ...hostRulesOf(revision.data, input, revision.secrets)]);
    const report = new RunReport({ ...this.parts, run, earlier, spending, graph, hide });
    const { bus, journal, limits, toolPins, telemetry } = this.parts;
    const nodes = new NodeWatch(telemetry, graph, presentScope());
    for (const event of head?.clear ?? []) nodes.see(event);
    try {
      if (head) await hold();
      const events = runWorkflow({
        graph,
        input,
        runId: run.id,
        ports: hosts.guard(this.#portsOf(run, spending, signal)),
        recorded: recordedFrom(
          head?.clear ?? engineEvents(await waiting(() => journal.inClear(run, earlier, this.parts.vault))),
        ),
        isUninterrupted: head !== undefined,
        signal: AbortSignal.any([signal, report.lost]),
        limits: { ...limits, maxSeconds: limits.maxSeconds - run.workedMs / 1000 },
        secrets: revision.secrets,
        ...(revision.pinsTools ? { pinsOf: await waiting(() => toolPins.of(run.revisionId)) } : {}),
        onSignal: listener => bus.subscribe(signalTopic(run.id), listener),
      });
      for await (const event of events) {
        if (event.type === 'run.suspended') return await report.suspend(event.until, signal);
        nodes.see(event);
        await report.take(event, signal);
        // Whatever it started and did not wait for ends with it.
        if (event.type === 'run.failed') await waiting(() => this.parts.canceller.cancelSubRuns(run.id));
        if (event.type === 'run.succeeded') noteRunEnd({ outcome: 'succeeded' });
        if (event.type === 'run.failed') noteRunEnd({ outcome: 'failed', error: event.error.code });
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

  /** Those that ask the database wait for it when it is away: that is no reason for a node to fail. */
  #portsOf(run: ClaimedRun, llm: RunSpending, signal: AbortSignal): Ports {
    const { ports, sandbox, database, subRuns, scenarioRuns, search } = this.parts;
    const { newId, decision } = approvalsOf(database);
    return {
      ...ports,
      llm,
      sandbox: sandbox.of(run.projectId),
      approvals: { newId, ...patient({ decision }, signal) },
      runs: patient(subRuns.of(run), signal),
      scenarios: patient(scenarioRuns.of(run), signal),
      search: patient(search.of(run.projectId), signal),
    };
  }
}

/** The port with methods that wait for the database. Each may be called twice: starts have keys, the others change nothing. */
function patient<Port extends Record<keyof Port, (...args: never[]) => Promise<unknown>>>(
  port: Port,
  signal: AbortSignal,
): Port {
  const methods = Object.entries<(...args: never[]) => Promise<unknown>>(port);
  const waiting = methods.map(([name, method]) => [
    name,
    (...args: never[]) => onceReachable(() => method(...args), signal),
  ]);
  return Object.fromEntries(waiting) as Port;
}
