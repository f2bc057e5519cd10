import { z } from 'zod';
import { type ConnectionProtocol, KINDS_OF_PROTOCOL } from '../../../connections/kinds.js';
import type { JsonObject } from '../../../json-value.js';
import { MAX_INTEGER } from '../../../max-integer.js';
import type { FieldForm } from '../../graph/node-form.js';
import type { KindFault, NodeReference } from '../../graph/node-kind.js';
import type { SettingMode } from '../../graph/settings.js';

/** Setting of the connection whose credentials a node uses. */
export const connectionSetting = (setting: SettingMode, protocol: ConnectionProtocol) =>
  setting
    .value(z.number().int().min(1).max(MAX_INTEGER))
    .nullish()
    .describe(
      `Id of a connection of the project, of the kind ${KINDS_OF_PROTOCOL[protocol].map(kind => `\`${kind}\``).join(', ')}. Its credentials are added when the request is sent. Default: none.`,
    );

/** Form of the setting. */
export const connectionField: FieldForm = {
  title: 'Connection',
  widget: 'connection',
  group: 'request',
  optionsFrom: 'connections',
};

/** Returns the reference to a connection, or none. */
export function connectionReferences(
  { connection_id: value }: JsonObject,
  protocol: ConnectionProtocol,
  prefix = '',
): NodeReference[] {
  if (value === undefined || value === null) return [];
  return [{ kind: 'connection', path: `${prefix}connection_id`, value, protocol }];
}

/** Returns a fault if an address needs a connection, but the node has none, or if there are two credentials. */
export function addressFaults(data: JsonObject, member: 'url' | 'endpoint_url', prefix = ''): KindFault[] {
  const address = data[member];
  const hasConnection = (data.connection_id ?? null) !== null;
  if (hasConnection && (data.auth ?? null) !== null)
    return [{ path: `${prefix}auth`, code: 'invalid_setting', message: 'must be empty if there is a connection_id' }];
  if (typeof address !== 'string' || hasConnection) return [];
  if (member === 'url' ? !isPath(address) : address !== '') return [];
  return [{ path: `${prefix}${member}`, code: 'invalid_setting', message: NO_ADDRESS }];
}

/** The fault of an address that is neither absolute nor completed by a connection. */
export const NO_ADDRESS = 'must be an http or https address';

/** Returns true for a path that the base URL of a connection completes. A second slash would begin a host. */
export function isPath(address: string): boolean {
  return /^\/(?![/\\])/.test(address);
}

/** Returns a fault unless the node names its server either by an address or by a connection. */
export function serverChoiceFaults({ connection, connection_id: id }: JsonObject): KindFault[] {
  const hasAddress = connection !== undefined && connection !== null && connection !== '';
  const hasId = id !== undefined && id !== null;
  if (hasAddress !== hasId) return [];
  const message = hasId ? 'must be empty if there is a connection_id' : 'required';
  return [{ path: 'connection', code: 'invalid_setting', message }];
}

/** Returns the reference to the host in the address of a server, unless a connection has it. */
export function addressReference({ connection, connection_id: id }: JsonObject): NodeReference[] {
  return id !== undefined && id !== null ? [] : [{ kind: 'host', path: 'connection', value: connection }];
}
