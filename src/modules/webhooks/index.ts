import { PROJECT_JOBS } from '../../durable/project-jobs.js';
import { DUE_TIME_QUEUE } from '../../durable/queue.js';
import { HOURLY } from '../../durable/scheduled-tasks.js';
import { accounts } from '../accounts/index.js';
import type { Viewer } from '../accounts/viewer.js';
import { defineModule } from '../module.js';
import { projects } from '../projects/index.js';
import { assembleWebhooks } from './assembly.js';
import { WebhookAttemptEntity } from './deliveries/webhook-attempt.entity.js';
import { WebhookDeliveryEntity } from './deliveries/webhook-delivery.entity.js';
import { WebhookDeliveryDataEntity } from './deliveries/webhook-delivery-data.entity.js';
import { WebhookResolver } from './webhook.resolver.js';
import { WEBHOOK_PROJECT_QUEUE, WEBHOOK_RETRY_QUEUE } from './webhook-outbox.js';
import { WebhookSecretEntity } from './webhook-secret.entity.js';

export const webhooks = defineModule({
  name: 'webhooks',
  needs: { accounts, projects },
  entities: [WebhookAttemptEntity, WebhookDeliveryDataEntity, WebhookDeliveryEntity, WebhookSecretEntity],
  resolvers: [WebhookResolver],
  queues: { [WEBHOOK_PROJECT_QUEUE]: PROJECT_JOBS, [WEBHOOK_RETRY_QUEUE]: DUE_TIME_QUEUE },
  create({ config, telemetry, database, bus, queue, vault, outbound, pageBytes }, { projects: { access } }) {
    const { outbox, service, deliveries, job, retention } = assembleWebhooks({
      ...{ database, bus, queue, vault, access, outbound, log: telemetry.log, metrics: telemetry.metrics, pageBytes },
      retrySeconds: config.webhookRetrySeconds,
      resultTtlDays: config.runResultTtlDays,
    });
    return {
      services: {
        outbox,
        redrive: async (viewer: Viewer, id: string) => (await service.redeliver(viewer, id)).id,
      },
      resolvers: [new WebhookResolver(service, deliveries)],
      jobs: [job],
      scheduledTasks: [{ name: 'deleting old webhook deliveries', cron: HOURLY, run: () => retention.run() }],
    };
  },
});
