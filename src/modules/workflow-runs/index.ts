import { RUN_JOBS } from '../../durable/queue.js';
import { HOURLY, type ScheduledTask } from '../../durable/scheduled-tasks.js';
import { ListPayloads } from '../../platform/lists/list-payloads.js';
import { accounts } from '../accounts/index.js';
import { answerCache } from '../answer-cache/index.js';
import { billing } from '../billing/index.js';
import { connections } from '../connections/index.js';
import { documents } from '../documents/index.js';
import { files } from '../files/index.js';
import type { RunFiles } from '../files/run-files.js';
import { keyValueEntries } from '../key-value-entries/index.js';
import { defineModule, type Infrastructure } from '../module.js';
import { projectVariables } from '../project-variables/index.js';
import { projects } from '../projects/index.js';
import { providerKeys } from '../provider-keys/index.js';
import { recognition } from '../recognition/index.js';
import { scenarioRuns } from '../scenario-runs/index.js';
import { webhooks } from '../webhooks/index.js';
import { workflows } from '../workflows/index.js';
import { ExecutionUpdateResolver } from './api/execution-update.resolver.js';
import { GraphRunResolver } from './api/graph-run.resolver.js';
import { RunFlagResolver } from './api/run-flags.resolver.js';
import { RunParts } from './api/run-parts.js';
import { SynchronousRunResolver } from './api/synchronous-run.resolver.js';
import { WorkflowRunReceiptResolver, WorkflowRunResolver } from './api/workflow-run.resolver.js';
import { WorkflowRunSubscriptionResolver } from './api/workflow-run.subscription.js';
import { WorkflowRunBillingResolver } from './api/workflow-run-billing.resolver.js';
import { WorkflowRunNodeResolver } from './api/workflow-run-node.resolver.js';
import {
  ProjectRunsResolver,
  WorkflowHistoryResolver,
  WorkflowRunRelativesResolver,
  WorkflowsOfScenarioRunResolver,
} from './api/workflow-run-relatives.resolver.js';
import {
  AgentApprovalResolver,
  AgentApprovalVoteResolver,
  type ApprovalPayload,
} from './approvals/agent-approval.resolver.js';
import { WorkflowRunApprovalEntity } from './approvals/workflow-run-approval.entity.js';
import { assembleWorkflowRuns, type Needs } from './assembly.js';
import { BulkStartResolver } from './bulk/bulk-start.resolver.js';
import { BulkStartService } from './bulk/bulk-start.service.js';
import { deleteOldEvents } from './events/event-retention.js';
import { WorkflowEventEntity, WorkflowRunEventWaitEntity } from './events/workflow-event.entity.js';
import { EVENT_JOBS, EVENT_QUEUE } from './events/workflow-event.job.js';
import { WorkflowEventResolver } from './events/workflow-event.resolver.js';
import { ERROR_HANDLER_JOBS } from './execution/error-handlers.js';
import { RUN_QUEUE } from './execution/run-claims.js';
import { redriveRun } from './history/redrive-run.js';
import { RunForkResolver } from './history/run-fork.resolver.js';
import { ERROR_HANDLER_QUEUE } from './journal/run-recorder.js';
import { WorkflowRunJournalEntity } from './journal/workflow-run-journal.entity.js';
import { WorkflowRunKeptEntity } from './journal/workflow-run-kept.entity.js';
import { WorkflowRunPayloadEntity } from './journal/workflow-run-payload.entity.js';
import { RunEffectsResolver } from './replay/run-effects.resolver.js';
import { ArchiveRetention } from './retention/archive-retention.js';
import { deleteRunFiles } from './retention/run-file-retention.js';
import { RunRetention } from './retention/run-retention.js';
import { RunTagResolver } from './tags/run-tag.resolver.js';
import { RunTagService } from './tags/run-tag.service.js';
import { WorkflowRunTagEntity } from './tags/workflow-run-tag.entity.js';
import { WorkflowRunEntity } from './workflow-run.entity.js';

export const workflowRuns = defineModule({
  name: 'workflow-runs',
  needs: {
    accounts,
    answerCache,
    billing,
    connections,
    documents,
    files,
    keyValueEntries,
    projects,
    projectVariables,
    providerKeys,
    recognition,
    scenarioRuns,
    webhooks,
    workflows,
  },
  entities: [
    WorkflowRunEntity,
    WorkflowRunApprovalEntity,
    WorkflowEventEntity,
    WorkflowRunEventWaitEntity,
    WorkflowRunJournalEntity,
    WorkflowRunKeptEntity,
    WorkflowRunPayloadEntity,
    WorkflowRunTagEntity,
  ],
  resolvers: [
    WorkflowRunResolver,
    SynchronousRunResolver,
    ProjectRunsResolver,
    WorkflowHistoryResolver,
    WorkflowsOfScenarioRunResolver,
    WorkflowRunRelativesResolver,
    GraphRunResolver,
    WorkflowRunBillingResolver,
    WorkflowRunReceiptResolver,
    WorkflowRunNodeResolver,
    WorkflowRunSubscriptionResolver,
    AgentApprovalResolver,
    AgentApprovalVoteResolver,
    WorkflowEventResolver,
    RunForkResolver,
    RunEffectsResolver,
    ExecutionUpdateResolver,
    RunFlagResolver,
    RunTagResolver,
    BulkStartResolver,
  ],
  queues: { [RUN_QUEUE]: RUN_JOBS, [ERROR_HANDLER_QUEUE]: ERROR_HANDLER_JOBS, [EVENT_QUEUE]: EVENT_JOBS },
  create(infrastructure, needs) {
    const parts = assembleWorkflowRuns(infrastructure, needs);
    const { runs, approvals, changeStreams, approvalStreams, waiter } = parts;
    return {
      services: {
        failures: parts.failures,
        eventListeners: parts.eventListeners,
        runConversations: parts.runConversations,
        remoteSlots: parts.remoteSlots,
        runs,
        waiter,
        changeStreams,
        approvals,
        preparer: parts.preparer,
        recordedRuns: parts.recordedRuns,
        redrive: redriveRun.bind(null, runs),
      },
      resolvers: createResolvers(infrastructure, needs, parts),
      jobs: parts.jobs,
      metrics: [
        {
          name: 'scenarium_runs_accepted_total',
          help: 'Runs that this process accepted, by their start: complete, local, assigned or queued.',
          labels: ['start'],
          isCounter: true,
          read: () => parts.acceptedRuns.samples(),
        },
      ],
      scheduledTasks: retentionTasks(infrastructure, needs.files.runFiles),
      streams: {
        workflowRunChanged: (viewer, args) =>
          changeStreams.open(viewer, args.id as string, (args.afterSequence as number | null | undefined) ?? null),
        agentApprovalRequested: (viewer, args) => approvalStreams.open(viewer, args.projectId as number),
      },
    };
  },
});

function createResolvers(
  { database, pageBytes }: Infrastructure,
  needs: Needs,
  parts: ReturnType<typeof assembleWorkflowRuns>,
) {
  const { runs, payloads, lists, approvals, events, waiter } = parts;
  const { idempotentStarts } = needs.accounts;
  const tags = new RunTagService(database, runs);
  const approvalPayloads = new ListPayloads<ApprovalPayload>(database, pageBytes, {
    table: 'workflow_run_approval',
    key: { column: 'id', type: 'uuid', member: 'requestId' },
    columns: { arguments: 'arguments', editedArguments: 'edited_arguments', details: 'details' },
  });
  return [
    new WorkflowRunResolver(
      runs,
      payloads,
      idempotentStarts,
      parts.nodes,
      lists,
      waiter,
      needs.workflows.savedRevisions,
      parts.forks,
      tags,
      new RunParts({
        ...{ database, runs, idempotentStarts, files: needs.files.runFiles },
        revisions: needs.workflows.revisions,
      }),
    ),
    new SynchronousRunResolver(runs, idempotentStarts, waiter),
    new ProjectRunsResolver(lists),
    new WorkflowHistoryResolver(lists),
    new WorkflowsOfScenarioRunResolver(lists),
    new WorkflowRunRelativesResolver(database, runs, needs.billing.billing),
    new GraphRunResolver(parts.graphRuns, idempotentStarts),
    new WorkflowRunBillingResolver(runs),
    new WorkflowRunReceiptResolver(runs),
    new WorkflowRunNodeResolver(parts.attempts, parts.inputs),
    new WorkflowRunSubscriptionResolver(runs),
    new AgentApprovalResolver(approvals, runs, approvalPayloads),
    new AgentApprovalVoteResolver(approvals),
    new WorkflowEventResolver(events, idempotentStarts),
    new RunForkResolver(parts.forks, parts.diffs, idempotentStarts),
    new RunEffectsResolver(parts.effects),
    new ExecutionUpdateResolver(parts.updates),
    new RunFlagResolver(parts.flags),
    new RunTagResolver(tags),
    new BulkStartResolver(new BulkStartService(database, runs, idempotentStarts)),
  ];
}

function retentionTasks({ config, database }: Infrastructure, files: RunFiles): ScheduledTask[] {
  const { runResultTtlDays, archiveTtlDays } = config;
  const runRetention = new RunRetention(database.longRunning, runResultTtlDays);
  const archiveRetention = new ArchiveRetention(database, { archive: archiveTtlDays, result: runResultTtlDays });
  return [
    { name: 'clearing events', cron: HOURLY, run: () => deleteOldEvents(database.longRunning) },
    { name: 'deleting expired results', cron: HOURLY, run: () => runRetention.run() },
    { name: 'deleting files of runs', cron: HOURLY, run: () => deleteRunFiles(database, files, runResultTtlDays) },
    { name: 'clearing archived workflows', cron: HOURLY, run: () => archiveRetention.run() },
  ];
}
