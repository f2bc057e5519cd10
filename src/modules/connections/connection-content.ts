import type { ConnectionKind } from '../../engine/connections/kinds.js';
import { MASK, secretSizeFault } from '../../engine/secrets.js';
import { isNarrower } from '../../engine/workflow/graph/secrets/secret-hosts.js';
import { InvalidInputError } from '../../platform/errors/errors.js';
import { Faults } from '../../platform/errors/fields.js';
import type { ConnectionCreateInput, ConnectionSettingsInput, ConnectionUpdateInput } from './connection.inputs.js';
import {
  defaultHosts,
  hostFaults,
  KIND_RULES,
  type StoredSettings,
  serverIdentity,
  settingsFaults,
  tokenIdentity,
} from './connection-settings.js';
import { findPreset } from './presets/presets.js';

/** The content of a connection. */
export interface ConnectionContent {
  name: string;
  kind: ConnectionKind;
  preset: string | null;
  settings: StoredSettings;
  /** Plaintext. Null: none. Undefined: the stored one. */
  secret: string | null | undefined;
  allowedHosts: string[];
  /** Whether stored tokens stay valid. */
  keepsTokens: boolean;
}

/** The part of a connection for which tokens are issued. */
type TokenScope = Pick<ConnectionContent, 'kind' | 'settings'> & { allowedHosts: readonly string[] };

/** The stored content that an update changes. */
export type EarlierContent = Omit<ConnectionContent, 'secret' | 'keepsTokens'> & { hasSecret: boolean };

/** Returns the content of a new connection. Throws InvalidInputError. */
export function newContent(input: ConnectionCreateInput): ConnectionContent {
  const { name, secret } = input;
  const preset = input.preset ? findPreset(input.preset) : undefined;
  if (input.preset && !preset)
    throw new InvalidInputError({ preset: ['No preset has this name. See connectionPresets.'] });
  const kind = input.kind ?? preset?.kind;
  if (!kind) throw new InvalidInputError({ kind: ['Required without a preset.'] });
  if (preset && kind !== preset.kind)
    throw new InvalidInputError({ kind: [`The preset ${preset.name} has the kind ${preset.kind}.`] });
  const settings = mergedSettings(preset?.settings ?? {}, input.settings);
  const content = {
    ...{ name: name.trim(), kind, preset: preset?.name ?? null, settings, secret: secret || null },
    allowedHosts: input.allowedHosts?.length ? input.allowedHosts : defaultHosts(settings),
    keepsTokens: false,
  };
  assertValid(content);
  return content;
}

/** Applies the changes. A kept secret must not reach other servers. Throws InvalidInputError. */
export function changedContent(before: EarlierContent, input: ConnectionUpdateInput): ConnectionContent {
  const { kind, preset } = before;
  const settings = mergedSettings(before.settings, input.settings);
  const keepsSecret = input.secret == null || input.secret === MASK;
  const content = {
    ...{ name: (input.name ?? before.name).trim(), kind, preset, settings },
    secret: keepsSecret ? undefined : input.secret || null,
    allowedHosts: input.allowedHosts ?? before.allowedHosts,
  };
  const changed = { ...content, keepsTokens: keepsTokens(before, content) };
  assertValid(changed);
  if (!keepsSecret || !before.hasSecret) return changed;
  if (!isNarrower(content.allowedHosts, before.allowedHosts))
    throw new InvalidInputError({ secret: ['Enter the secret again: allowedHosts permits more hosts than before.'] });
  if (serverIdentity(settings) !== serverIdentity(before.settings))
    throw new InvalidInputError({ secret: ['Enter the secret again: the settings send it to another server.'] });
  return changed;
}

/** Whether tokens stay valid: they must not reach other hosts or servers than those for which they were issued. */
export function keepsTokens(before: TokenScope, after: TokenScope): boolean {
  return (
    isNarrower(after.allowedHosts, before.allowedHosts) &&
    tokenIdentity(after.kind, after.settings) === tokenIdentity(before.kind, before.settings)
  );
}

/** Applies members: absent stays, null and the empty text remove. */
function mergedSettings(before: StoredSettings, input: ConnectionSettingsInput | null | undefined): StoredSettings {
  const entries = Object.entries({ ...before, ...definedMembers(input ?? {}) });
  return Object.fromEntries(entries.filter(([, value]) => value !== null && value !== '')) as StoredSettings;
}

function definedMembers(input: object): object {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

function assertValid({ name, kind, settings, secret, allowedHosts }: ConnectionContent): void {
  const faults = new Faults();
  faults.text('name', name, { min: 1, max: 255 });
  faults.addWithin('settings', settingsFaults(kind, settings));
  if (secret !== undefined) checkSecret(kind, secret, faults);
  hostFaults(kind, allowedHosts, faults);
  faults.throwIfAny();
}

/** Checks a new secret. */
export function checkSecret(kind: ConnectionKind, secret: string | null, faults: Faults): void {
  const { secret: need, minSecret } = KIND_RULES[kind];
  if (secret === null) {
    if (need === 'required') faults.add('secret', `Required for the kind ${kind}.`);
    return;
  }
  faults.text('secret', secret, { max: Number.MAX_SAFE_INTEGER });
  if (secretSizeFault(secret) !== undefined) faults.add('secret', 'Ensure this field has no more than 16384 bytes.');
  if (secret === MASK) faults.add('secret', 'Enter the secret itself instead of the mask.');
  else if (secret.trim().length < minSecret)
    faults.add('secret', `A secret has at least ${minSecret} characters, so that it can be masked.`);
  else if (/[\r\n]/.test(secret)) faults.add('secret', 'Line breaks are not allowed.');
}
