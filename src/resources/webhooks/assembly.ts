import type { Bus } from '../../base/bus.js';
import type { Vault } from '../../base/crypto.js';
import type { Database } from '../../base/database.js';
import type { Log } from '../../base/log.js';
import type { Metrics } from '../../base/metrics.js';
import type { Outbound } from '../../base/outbound.js';
import type { PageBytes } from '../../base/page-bytes.js';
import type { Queue } from '../../base/queue.js';
import type { ProjectAccess } from '../projects/access.js';
import { RetrySchedule } from './retry-schedule.js';
import { WebhookService } from './webhook.service.js';
import { WebhookClaims } from './webhook-claims.js';
import { WebhookDeliveryJob } from './webhook-delivery.job.js';
import { WebhookLog } from './webhook-log.js';
import { WebhookOutbox } from './webhook-outbox.js';
import { WebhookRetention } from './webhook-retention.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookSender } from './webhook-sender.js';

export interface WebhooksParts {
  database: Database;
  queue: Queue;
  bus: Bus;
  vault: Vault;
  access: ProjectAccess;
  outbound: Outbound;
  /** Seconds from each failed attempt to the next one. */
  retrySeconds: number[];
  /** Bodies hold results: they are kept no longer than those. */
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

/** Builds what keeps, sends and lists webhooks. */
export function assembleWebhooks({ database, queue, vault, access, ...parts }: WebhooksParts): WebhooksAssembly {
  const outbox = new WebhookOutbox(queue);
  const secrets = new WebhookSecrets(database, vault);
  const deliveries = new WebhookLog(database, parts.pageBytes);
  const claims = new WebhookClaims(database, outbox, new RetrySchedule(parts.retrySeconds));
  const sender = new WebhookSender(parts.outbound, secrets);
  return {
    outbox,
    service: new WebhookService(database, access, secrets, outbox, deliveries),
    deliveries,
    job: new WebhookDeliveryJob(queue, parts.bus, claims, sender, parts.log, parts.metrics),
    retention: new WebhookRetention(database, parts.resultTtlDays),
  };
}
