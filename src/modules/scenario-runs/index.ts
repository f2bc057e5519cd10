import { RUN_JOBS } from '../../durable/queue.js';
import { HOURLY } from '../../durable/scheduled-tasks.js';
import { systemClock } from '../../providers/clock.js';
import { languages } from '../../providers/text/languages.js';
import { accounts } from '../accounts/index.js';
import type { Viewer } from '../accounts/viewer.js';
import { billing } from '../billing/index.js';
import { connections } from '../connections/index.js';
import { documents } from '../documents/index.js';
import { messages } from '../messages/index.js';
import { defineModule } from '../module.js';
import { projects } from '../projects/index.js';
import { prompts } from '../prompts/index.js';
import { providerKeys } from '../provider-keys/index.js';
import { scenarios } from '../scenarios/index.js';
import { variables } from '../variables/index.js';
import { webhooks } from '../webhooks/index.js';
import { assembleScenarioRuns } from './assembly.js';
import { createRunImages } from './execution/create-run-images.js';
import { findRunFile } from './execution/run-images.js';
import { SCENARIO_RUN_QUEUE } from './execution/scenario-run-claims.js';
import type { WorkflowCallers } from './execution/scenario-run-executor.js';
import type { ScenarioRunEndListener } from './execution/scenario-run-recorder.js';
import { scenarioRunWebhooks } from './execution/scenario-run-webhooks.js';
import { ScenarioRunEntity } from './scenario-run.entity.js';
import { ScenarioRunResolver } from './scenario-run.resolver.js';
import { ScenarioRunSubscriptionResolver } from './scenario-run.subscription.js';
import { ScenarioRunFileEntity } from './scenario-run-file.entity.js';
import { ScenarioRunJournalEntity } from './scenario-run-journal.entity.js';
import {
  ProjectScenarioRunsResolver,
  ScenarioRunRelativesResolver,
  ScenarioRunsResolver,
} from './scenario-run-relatives.resolver.js';
import { ScenarioRunRetention } from './scenario-run-retention.js';

/** Runs of scenarios: their start, execution by workers, results and cancellation. */
export const scenarioRuns = defineModule({
  name: 'scenario-runs',
  needs: {
    accounts,
    billing,
    connections,
    documents,
    messages,
    projects,
    prompts,
    providerKeys,
    scenarios,
    variables,
    webhooks,
  },
  entities: [ScenarioRunEntity, ScenarioRunFileEntity, ScenarioRunJournalEntity],
  resolvers: [
    ScenarioRunResolver,
    ProjectScenarioRunsResolver,
    ScenarioRunRelativesResolver,
    ScenarioRunsResolver,
    ScenarioRunSubscriptionResolver,
  ],
  queues: { [SCENARIO_RUN_QUEUE]: RUN_JOBS },
  create(infrastructure, needs) {
    const { accounts, billing, connections, documents, projects, providerKeys, webhooks } = needs;
    const { access } = projects;
    const { budget } = billing;
    const { config, telemetry, database, bus, queue, currencies, pageBytes, http, mcp, databases, email } =
      infrastructure;
    const endListeners: ScenarioRunEndListener[] = [scenarioRunWebhooks(webhooks.outbox, currencies)];
    const workflowCallers: WorkflowCallers = {};
    const { service, changeStreams, canceller, childRuns, job } = assembleScenarioRuns({
      ...{ database, access, bus, queue, budget, log: telemetry.log, telemetry },
      concurrency: config.workerConcurrency,
      modelsOf: projectId => providerKeys.projectModels.ofRun(projectId),
      limits: { maxSeconds: config.runMaxSeconds, maxBytes: config.runMaxBytes },
      ports: { clock: systemClock, languages, http, mcp, databases, email },
      connections: connections.runConnections,
      images: createRunImages(config, { ...infrastructure, ...documents, ...providerKeys }),
      endListeners,
      workflows: workflowCallers,
    });
    documents.links.sources.push(findRunFile);
    const retention = new ScenarioRunRetention(database, config.runResultTtlDays);
    return {
      services: {
        ...{ canceller, childRuns, endListeners, workflowCallers },
        /** Starts a new run from the copies of a failed run. */
        redrive: async (viewer: Viewer, id: string) =>
          (await service.start(viewer, { scenarioRunId: Number(id) }, undefined)).id,
      },
      resolvers: [
        new ScenarioRunResolver(service, accounts.idempotentStarts, database, currencies, pageBytes),
        new ProjectScenarioRunsResolver(database),
        new ScenarioRunRelativesResolver(database),
        new ScenarioRunsResolver(database),
        new ScenarioRunSubscriptionResolver(service),
      ],
      jobs: [job],
      scheduledTasks: [{ name: 'clearing results of scenario runs', cron: HOURLY, run: () => retention.run() }],
      streams: { scenarioRunChanged: (viewer, args) => changeStreams.open(viewer, args.id as number) },
    };
  },
});
