import { RUN_JOBS } from '../../durable/queue.js';
import { HOURLY } from '../../durable/scheduled-tasks.js';
import { systemClock } from '../../providers/clock.js';
import { htmlExtractor } from '../../providers/html.js';
import { accounts } from '../accounts/index.js';
import { billing } from '../billing/index.js';
import { connections } from '../connections/index.js';
import { files } from '../files/index.js';
import { defineModule, type Infrastructure, type ServicesOf } from '../module.js';
import { projects } from '../projects/index.js';
import { providerKeys } from '../provider-keys/index.js';
import { recognition } from '../recognition/index.js';
import { workflowRuns } from '../workflow-runs/index.js';
import { workflows } from '../workflows/index.js';
import { RehearsalJob } from './execution/rehearsal.job.js';
import { REHEARSAL_QUEUE, RehearsalClaims } from './execution/rehearsal-claims.js';
import { RehearsalExecutor } from './execution/rehearsal-executor.js';
import { RehearsalRecords } from './execution/rehearsal-records.js';
import { PublishGate } from './publish-gate.js';
import { RehearsalEntity, RehearsalEventEntity, RehearsalRunEntity } from './rehearsal.entity.js';
import { RehearsalResolver } from './rehearsal.resolver.js';
import { RehearsalService } from './rehearsal.service.js';
import { RehearsalChangeStreams } from './rehearsal-change-streams.js';
import { deleteOldRehearsals } from './rehearsal-retention.js';

/** Rehearsals: repetitions of recorded runs with another graph, and the publish check. */
export const rehearsals = defineModule({
  name: 'rehearsals',
  needs: { accounts, billing, connections, files, projects, providerKeys, recognition, workflowRuns, workflows },
  entities: [RehearsalEntity, RehearsalRunEntity, RehearsalEventEntity],
  resolvers: [RehearsalResolver],
  queues: { [REHEARSAL_QUEUE]: RUN_JOBS },
  create(infrastructure, services) {
    const { config, database, bus, queue, currencies, telemetry } = infrastructure;
    const { revisions, savedRevisions } = services.workflows;
    const { budget } = services.billing;
    const claims = new RehearsalClaims(database, queue);
    const runs = services.workflowRuns.recordedRuns;
    const service = new RehearsalService({ database, queue, runs, revisions, budget, currencies });
    const gate = new PublishGate(database, services.projects.access);
    savedRevisions.publishConditions.push(gate.assertPassed);
    const streams = new RehearsalChangeStreams(service, bus);
    const executor = createExecutor(infrastructure, services, claims);
    const { idempotentStarts } = services.accounts;
    return {
      services: {},
      resolvers: [new RehearsalResolver(database, service, gate, idempotentStarts, currencies)],
      jobs: [new RehearsalJob({ queue, database, bus, claims, log: telemetry.log, telemetry }, executor)],
      scheduledTasks: [
        {
          name: 'deleting old rehearsals',
          cron: HOURLY,
          run: () => deleteOldRehearsals(database, config.runResultTtlDays),
        },
      ],
      streams: { workflowRehearsalChanged: (viewer, args) => streams.open(viewer, args.id as string) },
    };
  },
});

interface Needs {
  billing: ServicesOf<typeof billing>;
  connections: ServicesOf<typeof connections>;
  files: ServicesOf<typeof files>;
  providerKeys: ServicesOf<typeof providerKeys>;
  recognition: ServicesOf<typeof recognition>;
  workflowRuns: ServicesOf<typeof workflowRuns>;
  workflows: ServicesOf<typeof workflows>;
}

function createExecutor(infrastructure: Infrastructure, services: Needs, claims: RehearsalClaims): RehearsalExecutor {
  const { config, database, vault, telemetry, sandbox, http, mcp, databases, email } = infrastructure;
  const { preparer, recordedRuns, runConversations } = services.workflowRuns;
  return new RehearsalExecutor({
    ...{ claims, preparer, database, vault, sandbox, runs: recordedRuns, log: telemetry.log },
    records: new RehearsalRecords(database, vault),
    budget: services.billing.budget,
    revisions: services.workflows.revisions,
    connections: services.connections.runConnections,
    files: services.files.runFiles,
    search: services.recognition.search,
    conversations: runConversations,
    modelsOf: projectId => services.providerKeys.projectModels.ofRun(projectId),
    ports: { clock: systemClock, http, mcp, databases, email, html: htmlExtractor },
    limits: { maxSeconds: config.runMaxSeconds, maxBytes: config.runMaxBytes },
  });
}
