import { defineEntity, p } from '@mikro-orm/core';
import type { ModelProvider } from '../../platform/config/model-providers.js';
import { Project } from '../projects/project.js';

/** A sealed key of a model provider that belongs to a project. */
export const ProviderKeyEntity = defineEntity({
  name: 'ProviderKey',
  tableName: 'provider_key',
  properties: {
    id: p.integer().primary().autoincrement(),
    project: () => p.manyToOne(Project).deleteRule('cascade').foreignKeyName('provider_key_project_id_fkey'),
    provider: p.text().$type<ModelProvider>(),
    name: p.text(),
    baseUrl: p.text().nullable(),
    sealed: p.text(),
    last4: p.text(),
    createdAt: p.datetime(3).defaultRaw('now()'),
  },
  indexes: [{ name: 'provider_key_of_project', properties: ['project'] }],
});
