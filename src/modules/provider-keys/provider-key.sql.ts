import type { Sql } from '../../platform/database/database.js';
import type { ProviderKey } from './provider-key.type.js';

const OF_PROJECTS = `
  select id, project_id as "projectId", provider, name, last4, base_url as "baseUrl", created_at as "createdAt"
    from provider_key where project_id = any($1::int[]) order by id desc`;

/** The keys of projects, the newest first. By key: every list of projects that shows them asks for it. */
export function readKeysOfProjects(
  sql: Sql,
  projectIds: readonly number[],
): Promise<(ProviderKey & { projectId: number })[]> {
  return sql.byKey('provider-keys', OF_PROJECTS, [projectIds]);
}
