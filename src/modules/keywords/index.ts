import { RUN_JOBS } from '../../durable/queue.js';
import { HOURLY } from '../../durable/scheduled-tasks.js';
import { accounts } from '../accounts/index.js';
import type { Viewer } from '../accounts/viewer.js';
import { billing } from '../billing/index.js';
import { connections } from '../connections/index.js';
import { defineModule } from '../module.js';
import { projects } from '../projects/index.js';
import { providerKeys } from '../provider-keys/index.js';
import { recognition } from '../recognition/index.js';
import { webhooks } from '../webhooks/index.js';
import { assembleKeywords } from './assembly.js';
import { KeywordEntity } from './keyword.entity.js';
import { KeywordResolver } from './keyword.resolver.js';
import type { KeywordChangeListener } from './keyword-changes.js';
import { KeywordClusterEntity } from './keyword-cluster.entity.js';
import {
  KeywordRelativesResolver,
  KeywordRunRelativesResolver,
  ProjectKeywordsResolver,
} from './keyword-relatives.resolver.js';
import { KeywordRunEntity } from './runs/keyword-run.entity.js';
import { KeywordRunResolver } from './runs/keyword-run.resolver.js';
import { KEYWORD_RUN_QUEUE } from './runs/keyword-run-claims.js';
import { KeywordRunRetention, type KeywordRunUseCondition } from './runs/keyword-run-retention.js';
import { keywordRunWebhooks } from './runs/keyword-run-webhooks.js';

/** Keywords of projects, and keyword runs, which find and cluster the keywords of a topic or a page. */
export const keywords = defineModule({
  name: 'keywords',
  needs: { accounts, billing, connections, projects, providerKeys, recognition, webhooks },
  entities: [KeywordEntity, KeywordClusterEntity, KeywordRunEntity],
  resolvers: [
    KeywordResolver,
    KeywordRunResolver,
    KeywordRelativesResolver,
    KeywordRunRelativesResolver,
    ProjectKeywordsResolver,
  ],
  queues: { [KEYWORD_RUN_QUEUE]: RUN_JOBS },
  create(
    { config, telemetry, database, bus, queue, outbound, currencies },
    {
      accounts,
      billing: { budget },
      connections: { connectionStore, runConnections },
      projects: { access },
      providerKeys: { projectModels },
      recognition,
      webhooks,
    },
  ) {
    const changeListeners: KeywordChangeListener[] = [];
    const useConditions: KeywordRunUseCondition[] = [];
    const { keywords, runs, changeStreams, job } = assembleKeywords({
      ...{ database, bus, queue, access, budget, outbound, log: telemetry.log, telemetry },
      search: recognition.search,
      connectionsOf: projectId => connectionStore.summaries(projectId),
      connections: runConnections,
      modelsOf: projectId => projectModels.ofRun(projectId),
      hasModel: async projectId => (await projectModels.of(projectId)).hasUpstream,
      changeListeners,
      endListener: keywordRunWebhooks(webhooks.outbox, currencies),
    });
    const retention = new KeywordRunRetention(database, config.runResultTtlDays, useConditions);
    return {
      services: {
        changeListeners,
        useConditions,
        redrive: (viewer: Viewer, id: string) => runs.redrive(viewer, Number(id)),
      },
      resolvers: [
        new KeywordResolver(keywords),
        new KeywordRunResolver(runs, accounts.idempotentStarts, database, currencies),
        new KeywordRelativesResolver(database),
        new KeywordRunRelativesResolver(database),
        new ProjectKeywordsResolver(database),
      ],
      jobs: [job],
      scheduledTasks: [{ name: 'clearing keyword runs', cron: HOURLY, run: () => retention.run() }],
      streams: { keywordRunChanged: (viewer, args) => changeStreams.open(viewer, args.id as number) },
    };
  },
});
