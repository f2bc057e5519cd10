import type { Table } from '../../platform/database/typed-queries.js';
import type { ProjectTables } from '../projects/project-tables.js';
import type { WebhookAttemptEntity } from './deliveries/webhook-attempt.entity.js';
import type { WebhookDeliveryEntity } from './deliveries/webhook-delivery.entity.js';
import type { WebhookSecretEntity } from './webhook-secret.entity.js';

export interface WebhookTables extends Pick<ProjectTables, 'project'> {
  webhook_attempt: Table<typeof WebhookAttemptEntity>;
  webhook_delivery: Table<typeof WebhookDeliveryEntity>;
  webhook_secret: Table<typeof WebhookSecretEntity>;
}
