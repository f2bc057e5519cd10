import { RemoteSlots } from '../../durable/assignment/remote-slots.js';
import type { Vault } from '../../platform/crypto/crypto.js';
import type { Database } from '../../platform/database/database.js';
import type { Bus } from '../../platform/messaging/bus.js';
import { systemClock } from '../../providers/clock.js';
import { htmlExtractor } from '../../providers/html.js';
import type { accounts } from '../accounts/index.js';
import type { answerCache } from '../answer-cache/index.js';
import type { billing } from '../billing/index.js';
import type { connections } from '../connections/index.js';
import type { documents } from '../documents/index.js';
import type { files } from '../files/index.js';
import type { keyValueEntries } from '../key-value-entries/index.js';
import type { Infrastructure, ServicesOf } from '../module.js';
import type { projectVariables } from '../project-variables/index.js';
import type { projects } from '../projects/index.js';
import type { providerKeys } from '../provider-keys/index.js';
import type { recognition } from '../recognition/index.js';
import type { scenarioRuns } from '../scenario-runs/index.js';
import type { webhooks } from '../webhooks/index.js';
import type { workflows } from '../workflows/index.js';
import { EarlyExecution } from './admission/early-execution.js';
import { GraphRunService } from './admission/graph-run.service.js';
import { QueueDepth } from './admission/queue-depth.js';
import { RunAcceptor } from './admission/run-acceptor.js';
import { RunAdmission } from './admission/run-admission.js';
import { RunPreparer } from './admission/run-preparer.js';
import { ExecutionUpdateService } from './api/execution-update.service.js';
import { RunChangeStreams } from './api/run-change-streams.js';
import { RunFlagService } from './api/run-flags.service.js';
import { AgentApprovalService } from './approvals/agent-approval.service.js';
import { AgentApprovalStreams } from './approvals/agent-approval-streams.js';
import type { EventListener } from './events/event-listeners.js';
import { EventWaits } from './events/event-waits.js';
import { WorkflowEventJob } from './events/workflow-event.job.js';
import { WorkflowEventService } from './events/workflow-event.service.js';
import { AssignedWorkflowRunReader } from './execution/assigned-run-reader.js';
import { ErrorHandlerJob } from './execution/error-handlers.js';
import { FailureListeners } from './execution/failure-listeners.js';
import { RunCanceller } from './execution/run-canceller.js';
import { RunClaims } from './execution/run-claims.js';
import { RunConversations } from './execution/run-conversations.js';
import { RunExecutor } from './execution/run-executor.js';
import { ScenarioWorkflows } from './execution/scenario-workflows.js';
import { SubRunService } from './execution/sub-run.service.js';
import { WorkflowRunJob } from './execution/workflow-run.job.js';
import { RunDiffService } from './history/run-diff.service.js';
import { type RunForkParts, RunForkService } from './history/run-fork.service.js';
import { RunLists } from './history/run-lists.js';
import { RunWaiter } from './history/run-waiter.js';
import { WorkflowRunService } from './history/workflow-run.service.js';
import { JournalAttempts } from './journal/journal-attempts.js';
import { NodeInputs } from './journal/node-inputs.js';
import { RunJournal } from './journal/run-journal.js';
import { RunNodes } from './journal/run-nodes.js';
import { RunPayloads } from './journal/run-payloads.js';
import { RunRecorder } from './journal/run-recorder.js';
import { RecordedRuns } from './replay/recorded-runs.js';
import { ReplayPlanner, type ReplayPlannerParts } from './replay/replay-planner.js';
import { RunEffectsService } from './replay/run-effects.service.js';

export interface Needs {
  accounts: ServicesOf<typeof accounts>;
  answerCache: ServicesOf<typeof answerCache>;
  billing: ServicesOf<typeof billing>;
  connections: ServicesOf<typeof connections>;
  documents: ServicesOf<typeof documents>;
  files: ServicesOf<typeof files>;
  keyValueEntries: ServicesOf<typeof keyValueEntries>;
  projects: ServicesOf<typeof projects>;
  projectVariables: ServicesOf<typeof projectVariables>;
  providerKeys: ServicesOf<typeof providerKeys>;
  recognition: ServicesOf<typeof recognition>;
  scenarioRuns: ServicesOf<typeof scenarioRuns>;
  webhooks: ServicesOf<typeof webhooks>;
  workflows: ServicesOf<typeof workflows>;
}

/** Builds the services that accept, execute, record and list workflow runs. */
export function assembleWorkflowRuns(infrastructure: Infrastructure, needs: Needs) {
  const { config, telemetry, database, bus, queue, vault, currencies, pageBytes } = infrastructure;
  const { log, metrics } = telemetry;
  const { budget, billing } = needs.billing;
  const { access } = needs.projects;
  const { revisions, toolPins } = needs.workflows;
  const { runFiles } = needs.files;
  const journal = new RunJournal(database);
  const { failures, listeners, waits, filterWatched } = createListeners(database, vault);
  const payloads = new RunPayloads(database, revisions, pageBytes);
  const acceptor = new RunAcceptor(database, queue, needs.webhooks.outbox, config.srPerUsd);
  const preparer = createPreparer(infrastructure, needs);
  const claims = new RunClaims(database, queue);
  const recorder = new RunRecorder(database, claims, queue, needs.webhooks.outbox, config.srPerUsd, failures);
  const canceller = new RunCanceller(database, revisions, recorder, needs.scenarioRuns.canceller, metrics);
  const early = createEarlyExecution(infrastructure, acceptor, filterWatched);
  const depth = new QueueDepth(database, config.projectQueueMax);
  const admission = new RunAdmission(database, preparer, acceptor, depth, runFiles, early);
  const runs = new WorkflowRunService({
    ...{ database, access, revisions, preparer, budget, queue, admission, canceller, payloads, currencies },
    ...{ ledger: billing, ttlDays: config.runResultTtlDays },
  });
  const subRuns = new SubRunService(database, revisions, preparer, acceptor, depth, canceller, budget, vault);
  connectScenarioRuns(needs.scenarioRuns, { database, bus, subRuns, claims, canceller });
  const { http, mcp, databases, email, sandbox } = infrastructure;
  const events = new WorkflowEventService(database, access, queue, vault, revisions);
  const runConversations = new RunConversations();
  const executor = new RunExecutor({
    ...{ revisions, journal, recorder, claims, canceller, database, bus, vault, budget, telemetry },
    ...{ sandbox, eventWaits: waits, eventSender: events, toolPins, search: needs.recognition.search },
    ...{ ...partsOfModules(needs), subRuns, conversations: runConversations },
    ports: { clock: systemClock, http, mcp, databases, email, html: htmlExtractor },
    limits: { maxSeconds: config.runMaxSeconds, maxBytes: config.runMaxBytes },
  });
  const job = createWorker(infrastructure, claims, executor);
  const remoteSlots = new RemoteSlots(database, bus, log);
  acceptor.reserveFrom(config.role === 'api' ? remoteSlots : job);
  const followUps = createFollowUpJobs({
    ...{ database, queue, revisions, preparer, acceptor, depth, budget, journal, failures, log },
    ...{ waits, claims, listeners },
  });
  const nodes = new RunNodes(payloads, journal);
  const attempts = new JournalAttempts(journal);
  const inputs = new NodeInputs(runs, revisions, journal, pageBytes);
  const approvals = new AgentApprovalService(database, access, runs, claims);
  const changeStreams = new RunChangeStreams(runs, journal, bus);
  return {
    ...{ remoteSlots, acceptedRuns: acceptor.accepted, approvals, changeStreams },
    ...{ runs, payloads, nodes, attempts, inputs },
    ...{ events, failures, eventListeners: listeners, runConversations, jobs: [job, ...followUps], preparer },
    waiter: new RunWaiter(runs, changeStreams, revisions),
    lists: new RunLists(database, access, runs, config.runResultTtlDays),
    graphRuns: new GraphRunService(database, vault, access, revisions, preparer, admission, budget),
    ...assembleReplays(infrastructure, { runs, revisions, payloads, journal, preparer, admission, budget }),
    diffs: new RunDiffService({ database, runs, revisions, payloads, nodes, currencies }),
    updates: new ExecutionUpdateService(database, revisions, queue, recorder, runs, vault),
    flags: new RunFlagService(database, runs, revisions),
    approvalStreams: new AgentApprovalStreams(approvals, access, bus),
  };
}

/**
 * A process with `ROLE=worker` accepts few runs, most of them sub-runs. One with `ROLE=api` leaves runs without external calls to
 * workers, so that they cost it no CPU time.
 */
function createEarlyExecution(
  { config: { role }, vault, telemetry }: Infrastructure,
  acceptor: RunAcceptor,
  filterWatched: (projectIds: readonly number[]) => Promise<ReadonlySet<number>>,
): EarlyExecution | undefined {
  if (role === 'worker') return undefined;
  return new EarlyExecution(vault, { clock: systemClock }, telemetry, acceptor, role === 'all', filterWatched);
}

function createWorker(infrastructure: Infrastructure, claims: RunClaims, executor: RunExecutor): WorkflowRunJob {
  const { config, telemetry, database, bus, queue, vault } = infrastructure;
  const { log } = telemetry;
  const assignedRuns = new AssignedWorkflowRunReader(database, vault, log);
  const concurrency = config.workerConcurrency;
  return new WorkflowRunJob({ queue, database, bus, claims, assignedRuns, executor, log, telemetry, concurrency });
}

/** Returns the parts of other modules that the executor uses. */
function partsOfModules({ answerCache, scenarioRuns, files, connections, keyValueEntries, providerKeys }: Needs) {
  return {
    scenarioRuns: scenarioRuns.childRuns,
    files: files.runFiles,
    connections: connections.runConnections,
    keyValues: keyValueEntries.runKeyValues,
    answers: answerCache.projectAnswers,
    modelsOf: (projectId: number) => providerKeys.projectModels.ofRun(projectId),
  };
}

type ReplayParts = Omit<ReplayPlannerParts & RunForkParts, 'ports' | 'planner' | 'database' | 'vault'>;

/** Builds the services that repeat runs. */
function assembleReplays({ config, database, vault, currencies }: Infrastructure, services: ReplayParts) {
  const parts = { ...services, database, vault };
  const planner = new ReplayPlanner({ ...parts, ports: { clock: systemClock, html: htmlExtractor } });
  return {
    forks: new RunForkService({ ...parts, planner }),
    effects: new RunEffectsService({ ...parts, currencies, planner }),
    recordedRuns: new RecordedRuns({ ...parts, ttlDays: config.runResultTtlDays }),
  };
}

function createPreparer({ vault }: Infrastructure, needs: Needs): RunPreparer {
  const { providerKeys, projectVariables, files, connections } = needs;
  const { variableReader } = projectVariables;
  return new RunPreparer(vault, providerKeys.servedModels, variableReader, files.runFiles, connections.connectionStore);
}

/**
 * Lets messages of scenario runs run workflows. The end of a scenario run cancels those that are not finished, and resumes the
 * workflow run that waits for it.
 */
function connectScenarioRuns(
  { endListeners, workflowCallers }: Needs['scenarioRuns'],
  parts: { database: Database; bus: Bus; subRuns: SubRunService; claims: RunClaims; canceller: RunCanceller },
): void {
  const { database, bus, subRuns, claims, canceller } = parts;
  const workflows = new ScenarioWorkflows(database, bus, subRuns, canceller);
  workflowCallers.callerFor = (run, signal) => workflows.callerFor(run, signal);
  endListeners.push(async ({ runId, parentRunId }, sql) => {
    await canceller.cancelStartedBy(sql, runId);
    if (parentRunId !== null) await claims.signal([parentRunId], sql);
  });
}

/** Creates the empty registries of listeners. Modules that depend on this one add theirs when they are created. */
function createListeners(database: Database, vault: Vault) {
  const listeners: EventListener[] = [];
  const failures = new FailureListeners();
  const filterWatched = (projectIds: readonly number[]) => failures.filterWatched(database, projectIds);
  return { failures, filterWatched, listeners, waits: new EventWaits(database, vault) };
}

type FollowUpParts = ConstructorParameters<typeof ErrorHandlerJob>[0] &
  ConstructorParameters<typeof WorkflowEventJob>[0];

/** Creates the jobs that run after failures and events. */
function createFollowUpJobs(parts: FollowUpParts) {
  return [new ErrorHandlerJob(parts), new WorkflowEventJob(parts)];
}
