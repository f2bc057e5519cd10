import { ProjectJobs } from '../../durable/project-jobs.js';
import type { Queue } from '../../durable/queue.js';
import type { Vault } from '../../platform/crypto/crypto.js';
import type { Database } from '../../platform/database/database.js';
import type { PageBytes } from '../../platform/lists/page-bytes.js';
import type { Log } from '../../platform/logging/log.js';
import type { Bus } from '../../platform/messaging/bus.js';
import type { Metrics } from '../../platform/metrics/metrics.js';
import type { Outbound } from '../../platform/outbound/outbound.js';
import { ADVISORY_LOCKS } from '../../platform/sql/advisory-locks.js';
import type { ProjectAccess } from '../projects/access.js';
import { RetrySchedule } from './deliveries/retry-schedule.js';
import { findProjectsWithDueDeliveries, WebhookClaims } from './deliveries/webhook-claims.js';
import { WebhookDeliveryJob } from './deliveries/webhook-delivery.job.js';
import { WebhookSender } from './deliveries/webhook-sender.js';
import { WebhookService } from './webhook.service.js';
import { WebhookLog } from './webhook-log.js';
import { WEBHOOK_CHANNEL, WEBHOOK_PROJECT_QUEUE, WebhookOutbox } from './webhook-outbox.js';
import { WebhookRetention } from './webhook-retention.js';
import { WebhookSecrets } from './webhook-secrets.js';

export interface WebhooksParts {
  database: Database;
  queue: Queue;
  bus: Bus;
  vault: Vault;
  access: ProjectAccess;
  outbound: Outbound;
  /** Seconds from each failed attempt to the next one. */
  retrySeconds: number[];
  /** Days that run results are kept. Webhook bodies contain results, so deliveries are deleted at the same age. */
  resultTtlDays: number;
  pageBytes: PageBytes;
  log: Log;
  metrics: Metrics;
}

export interface WebhooksAssembly {
  outbox: WebhookOutbox;
  service: WebhookService;
  deliveries: WebhookLog;
  job: WebhookDeliveryJob;
  retention: WebhookRetention;
}

/** Builds the services, the delivery job and the retention task of webhooks. */
export function assembleWebhooks({ database, queue, vault, access, ...parts }: WebhooksParts): WebhooksAssembly {
  const projects = createWebhookProjectJobs(queue, database);
  const outbox = new WebhookOutbox(queue, projects);
  const secrets = new WebhookSecrets(database, vault);
  const deliveries = new WebhookLog(database, parts.pageBytes);
  const claims = new WebhookClaims(database, queue, outbox, new RetrySchedule(parts.retrySeconds));
  const sender = new WebhookSender(parts.outbound, secrets);
  return {
    outbox,
    service: new WebhookService(database, queue, access, secrets, outbox, deliveries),
    deliveries,
    job: new WebhookDeliveryJob({ ...parts, database, queue, projects, outbox, claims, sender }),
    retention: new WebhookRetention(database, parts.resultTtlDays),
  };
}

/** The queue of projects with due deliveries: one job per project. */
export function createWebhookProjectJobs(queue: Queue, database: Database): ProjectJobs {
  return new ProjectJobs(queue, database, {
    ...{ queueName: WEBHOOK_PROJECT_QUEUE, channel: WEBHOOK_CHANNEL, lock: ADVISORY_LOCKS.webhookJob },
    withDueWork: findProjectsWithDueDeliveries,
  });
}
