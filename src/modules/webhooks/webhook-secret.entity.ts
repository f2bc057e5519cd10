import { defineEntity, p } from '@mikro-orm/core';
import { Project } from '../projects/project.js';

/** A sealed secret that signs the webhooks of a project. The current one has no `expiresAt`. */
export const WebhookSecretEntity = defineEntity({
  name: 'WebhookSecret',
  tableName: 'webhook_secret',
  properties: {
    id: p.uuid().primary(),
    project: () => p.manyToOne(Project).deleteRule('cascade').foreignKeyName('webhook_secret_project_id_fkey'),
    sealed: p.text(),
    createdAt: p.datetime(3).defaultRaw('now()'),
    expiresAt: p.datetime(3).nullable(),
  },
  indexes: [{ name: 'webhook_secret_of_project', properties: ['project', 'expiresAt'] }],
  uniques: [{ name: 'webhook_secret_current', properties: ['project'], where: 'expires_at is null' }],
});
