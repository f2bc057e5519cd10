import type { Viewer } from '../../accounts/viewer.js';
import type { ConnectionKind, ConnectionPreset } from '../connection.type.js';
import { shownSettings } from '../connection-rows.js';
import { KEY_PRESETS } from './key-presets.js';
import { OAUTH_PRESETS } from './oauth-presets.js';
import type { Preset } from './preset.js';

const PRESETS: readonly Preset[] = [...KEY_PRESETS, ...OAUTH_PRESETS].sort((a, b) =>
  a.title.localeCompare(b.title, 'en'),
);
const byName = new Map(PRESETS.map(preset => [preset.name, preset]));

/** Returns a preset by its name. */
export function findPreset(name: string): Preset | undefined {
  return byName.get(name);
}

/** Returns all presets by title. Every user may list them. */
export function listPresets(_viewer: Viewer): ConnectionPreset[] {
  return PRESETS.map(({ name, title, kind, settings, missing, help }) => ({
    ...{ name, title, kind: kind as ConnectionKind, settings: shownSettings(settings), help },
    missing: [...(missing ?? [])],
  }));
}
