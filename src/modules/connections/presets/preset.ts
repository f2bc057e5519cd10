import type { ConnectionKind } from '../../../engine/connections/kinds.js';
import type { StoredSettings } from '../connection-settings.js';

/** Defaults of the connections to a service. */
export interface Preset {
  name: string;
  title: string;
  kind: ConnectionKind;
  settings: StoredSettings;
  /** Members of the settings that depend on the account of the user. Absent: none. */
  missing?: readonly (keyof StoredSettings)[];
  /** Where the secret is created. */
  help: string;
}
