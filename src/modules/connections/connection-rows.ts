import { expression } from '../../platform/database/typed-queries.js';
import type { ConnectionSettings } from './connection.type.js';
import type { StoredSettings } from './connection-settings.js';

/** The columns of the type `ConnectedService`. */
export const CONNECTION_COLUMNS = [
  ...(['id', 'project_id as projectId', 'name', 'kind', 'preset', 'settings'] as const),
  ...(['secret_changed_at as secretChangedAt', 'created_at as createdAt', 'updated_at as updatedAt'] as const),
  'allowed_hosts as allowedHosts' as const,
  expression<boolean>`sealed is not null`.as('hasSecret'),
  expression<boolean>`tokens is not null or kind not in ('oauth2_code', 'mcp_oauth')`.as('isAuthorized'),
  'refresh_at as refreshAt' as const,
] as const;

/** Returns the settings with every member of the type. */
export function shownSettings(settings: StoredSettings): ConnectionSettings {
  const ofHttp = ['baseUrl', 'testPath', 'placement', 'keyName', 'keyPrefix', 'username'] as const;
  const ofOAuth = ['authorizationUrl', 'tokenUrl', 'clientId', 'clientAuthentication', 'scopes'] as const;
  const all = [...ofHttp, ...ofOAuth, 'host', 'port', 'database', 'tls'] as const;
  return Object.fromEntries(all.map(name => [name, settings[name] ?? null])) as unknown as ConnectionSettings;
}
