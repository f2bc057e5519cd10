import { isObject, type JsonObject, textOf } from '../../json-value.js';
import { inputFieldsWithin, isSecretField, MAX_SECRETS_BYTES, secretBytes, secretSizeFault } from '../../secrets.js';
import { allowedHostsFault } from './secrets/secret-hosts.js';

const FLAGS = ['is_secret', 'input_requirements'] as const;

/**
 * Returns the faults of all input fields of a graph that prevent storing it. Flags must be booleans: a misread
 * `is_secret` would store a secret in plaintext. Secrets must not exceed their size limits.
 */
export function inputFieldFaults(data: unknown): string[] {
  const faults: string[] = [];
  let totalBytes = 0;
  for (const { field, node } of inputFieldsWithin(data)) {
    const where = `Node ${JSON.stringify(node)}, input field ${JSON.stringify(textOf(field.id ?? ''))}`;
    faults.push(...fieldFaults(field).map(fault => `${where}: ${fault}.`));
    if (isSecretField(field)) totalBytes += secretBytes(field.default_value);
  }
  // Correcting a field may bring the total below its limit, so the total is reported only without other faults.
  if (totalBytes > MAX_SECRETS_BYTES && faults.length === 0)
    faults.push('The default values of secret input fields must have at most 65,536 bytes in total.');
  return faults;
}

function fieldFaults(field: JsonObject): string[] {
  const faults: string[] = FLAGS.filter(flag => !isFlag(field[flag])).map(flag => `${flag} must be true or false`);
  const options = Array.isArray(field.options) ? field.options.filter(isObject) : [];
  if (!options.every(option => isFlag(option.is_default))) faults.push('is_default of an option must be true or false');
  const hosts = allowedHostsFault(field);
  if (hosts !== undefined) faults.push(hosts);
  const size = isSecretField(field) ? secretSizeFault(field.default_value) : undefined;
  if (size !== undefined) faults.push(`default_value is too long: ${size}`);
  return faults;
}

function isFlag(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'boolean';
}
