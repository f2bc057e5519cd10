import { RUN_JOBS } from '../../durable/queue.js';
import { HOURLY } from '../../durable/scheduled-tasks.js';
import { ListPayloads } from '../../platform/lists/list-payloads.js';
import { accounts } from '../accounts/index.js';
import type { Viewer } from '../accounts/viewer.js';
import { billing } from '../billing/index.js';
import { defineModule } from '../module.js';
import { projects } from '../projects/index.js';
import { providerKeys } from '../provider-keys/index.js';
import { recognition } from '../recognition/index.js';
import { scenarioRuns } from '../scenario-runs/index.js';
import { webhooks } from '../webhooks/index.js';
import { workflows } from '../workflows/index.js';
import { AgentApprovalResolver } from './api/agent-approval.resolver.js';
import type { AgentApproval } from './api/agent-approval.type.js';
import { ExecutionUpdateResolver } from './api/execution-update.resolver.js';
import { GraphRunResolver } from './api/graph-run.resolver.js';
import { RunFlagResolver } from './api/run-flags.resolver.js';
import { WorkflowRunReceiptResolver, WorkflowRunResolver } from './api/workflow-run.resolver.js';
import { WorkflowRunSubscriptionResolver } from './api/workflow-run.subscription.js';
import { WorkflowRunApprovalEntity } from './api/workflow-run-approval.entity.js';
import { WorkflowRunBillingResolver } from './api/workflow-run-billing.resolver.js';
import {
  ProjectRunsResolver,
  WorkflowHistoryResolver,
  WorkflowRunRelativesResolver,
} from './api/workflow-run-relatives.resolver.js';
import { assembleWorkflowRuns } from './assembly.js';
import { RUN_QUEUE } from './execution/run-claims.js';
import { redriveRun } from './history/redrive-run.js';
import { RunForkResolver } from './history/run-fork.resolver.js';
import { WorkflowRunJournalEntity } from './journal/workflow-run-journal.entity.js';
import { WorkflowRunKeptEntity } from './journal/workflow-run-kept.entity.js';
import { WorkflowRunPayloadEntity } from './journal/workflow-run-payload.entity.js';
import { ArchiveRetention } from './retention/archive-retention.js';
import { RunRetention } from './retention/run-retention.js';
import { WorkflowRunEntity } from './workflow-run.entity.js';

export const workflowRuns = defineModule({
  name: 'workflow-runs',
  needs: { accounts, billing, projects, providerKeys, recognition, scenarioRuns, webhooks, workflows },
  entities: [
    WorkflowRunEntity,
    WorkflowRunApprovalEntity,
    WorkflowRunJournalEntity,
    WorkflowRunKeptEntity,
    WorkflowRunPayloadEntity,
  ],
  resolvers: [
    WorkflowRunResolver,
    ProjectRunsResolver,
    WorkflowHistoryResolver,
    WorkflowRunRelativesResolver,
    GraphRunResolver,
    WorkflowRunBillingResolver,
    WorkflowRunReceiptResolver,
    WorkflowRunSubscriptionResolver,
    AgentApprovalResolver,
    RunForkResolver,
    ExecutionUpdateResolver,
    RunFlagResolver,
  ],
  queues: { [RUN_QUEUE]: RUN_JOBS },
  create(infrastructure, needs) {
    const { config, database, pageBytes } = infrastructure;
    const {
      runs,
      payloads,
      lists,
      nodes,
      graphRuns,
      forks,
      diffs,
      approvals,
      updates,
      flags,
      watch,
      approvalWatch,
      job,
    } = assembleWorkflowRuns(infrastructure, needs);
    const { keyedStarts } = needs.accounts;
    const { runResultTtlDays: result, archiveTtlDays: archive } = config;
    const runRetention = new RunRetention(database.longRunning, result);
    const approvalArguments = new ListPayloads<Required<Pick<AgentApproval, 'arguments'>>>(database, pageBytes, {
      table: 'workflow_run_approval',
      key: { column: 'id', type: 'uuid', member: 'requestId' },
      columns: { arguments: 'arguments' },
    });
    const archiveRetention = new ArchiveRetention(database, { archive, result });
    return {
      services: { redrive: (viewer: Viewer, runId: string) => redriveRun(runs, viewer, runId) },
      resolvers: [
        new WorkflowRunResolver(runs, payloads, keyedStarts, nodes, lists),
        new ProjectRunsResolver(lists),
        new WorkflowHistoryResolver(lists),
        new WorkflowRunRelativesResolver(database, runs, needs.billing.billing),
        new GraphRunResolver(graphRuns, keyedStarts),
        new WorkflowRunBillingResolver(runs),
        new WorkflowRunReceiptResolver(runs),
        new WorkflowRunSubscriptionResolver(runs),
        new AgentApprovalResolver(approvals, runs, approvalArguments),
        new RunForkResolver(forks, diffs, keyedStarts),
        new ExecutionUpdateResolver(updates),
        new RunFlagResolver(flags),
      ],
      jobs: [job],
      scheduledTasks: [
        { name: 'keeping results', cron: HOURLY, run: () => runRetention.run() },
        { name: 'clearing archived workflows', cron: HOURLY, run: () => archiveRetention.run() },
      ],
      streams: {
        workflowRunChanged: (viewer, args) =>
          watch.changes(viewer, args.id as string, (args.afterSequence as number | null | undefined) ?? null),
        agentApprovalRequested: (viewer, args) => approvalWatch.requests(viewer, args.projectId as number),
      },
    };
  },
});
