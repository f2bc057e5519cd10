import { systemClock } from '../../providers/clock.js';
import type { accounts } from '../accounts/index.js';
import type { billing } from '../billing/index.js';
import type { Infrastructure, ServicesOf } from '../module.js';
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
import { AgentApprovalService } from './api/agent-approval.service.js';
import { ExecutionUpdateService } from './api/execution-update.service.js';
import { RunFlagService } from './api/run-flags.service.js';
import { RunWatch } from './api/run-watch.js';
import { AgentApprovalWatch } from './execution/agent-approval-watch.js';
import { RunCanceller } from './execution/run-canceller.js';
import { RunClaims } from './execution/run-claims.js';
import { RunExecutor } from './execution/run-executor.js';
import { SubRunService } from './execution/sub-run.service.js';
import { WorkflowRunJob } from './execution/workflow-run.job.js';
import { RunDiffService } from './history/run-diff.service.js';
import { RunForkService } from './history/run-fork.service.js';
import { RunLists } from './history/run-lists.js';
import { WorkflowRunService } from './history/workflow-run.service.js';
import { RunJournal } from './journal/run-journal.js';
import { RunNodes } from './journal/run-nodes.js';
import { RunPayloads } from './journal/run-payloads.js';
import { RunRecorder } from './journal/run-recorder.js';

interface Needs {
  accounts: ServicesOf<typeof accounts>;
  billing: ServicesOf<typeof billing>;
  projects: ServicesOf<typeof projects>;
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
  const { revisions, served } = needs.workflows;
  const { outbox } = needs.webhooks;
  const journal = new RunJournal(database);
  const payloads = new RunPayloads(database, revisions, pageBytes);
  const acceptor = new RunAcceptor(database, queue, outbox, config.srPerUsd);
  const preparer = new RunPreparer(vault, served);
  const claims = new RunClaims(database, queue);
  const recorder = new RunRecorder(database, claims, queue, outbox, config.srPerUsd);
  const canceller = new RunCanceller(database, revisions, recorder, needs.scenarioRuns.canceller, metrics);
  const ports = { clock: systemClock };
  const early = config.role === 'all' ? new EarlyExecution(vault, ports, telemetry, acceptor) : undefined;
  const depth = new QueueDepth(database, config.projectQueueMax);
  const admission = new RunAdmission(database, preparer, acceptor, depth, early);
  const runs = new WorkflowRunService(
    ...([database, access, revisions, preparer, budget, queue, admission] as const),
    ...([canceller, payloads, journal, currencies, billing, config.runResultTtlDays] as const),
  );
  signalParents(needs.scenarioRuns.endListeners, claims);
  const { http, mcp, sandbox } = infrastructure;
  const executor = new RunExecutor({
    ...{ revisions, journal, recorder, claims, canceller, database, bus, vault, budget, telemetry, sandbox },
    subRuns: new SubRunService(database, revisions, preparer, acceptor, depth, canceller, budget, vault),
    scenarioRuns: needs.scenarioRuns.childRuns,
    toolPins: needs.workflows.toolPins,
    search: needs.recognition.search,
    modelsOf: projectId => needs.providerKeys.projectModels.ofRun(projectId),
    ports: { ...ports, http, mcp },
    limits: { maxSeconds: config.runMaxSeconds, maxBytes: config.runMaxBytes },
  });
  const concurrency = config.workerConcurrency;
  const job = new WorkflowRunJob(queue, database, bus, claims, executor, log, telemetry, concurrency);
  acceptor.executeWith(job);
  const nodes = new RunNodes(payloads, journal);
  const approvals = new AgentApprovalService(database, access, runs, claims);
  return {
    ...{ runs, payloads, nodes, approvals, job },
    lists: new RunLists(database, access, runs, config.runResultTtlDays),
    graphRuns: new GraphRunService(database, vault, access, revisions, preparer, admission, budget),
    forks: new RunForkService({ runs, revisions, payloads, journal, preparer, admission, budget, vault }),
    diffs: new RunDiffService({ database, runs, revisions, payloads, nodes, currencies }),
    updates: new ExecutionUpdateService(database, revisions, queue, recorder, runs, vault),
    flags: new RunFlagService(database, runs, revisions),
    watch: new RunWatch(runs, journal, bus),
    approvalWatch: new AgentApprovalWatch(approvals, bus),
  };
}

/** The end of a scenario run resumes the workflow run that waits for it. */
function signalParents(listeners: Needs['scenarioRuns']['endListeners'], claims: RunClaims): void {
  listeners.unshift(async ({ parentRunId }, sql) => {
    if (parentRunId !== null) await claims.signal([parentRunId], sql);
  });
}
