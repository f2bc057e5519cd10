import type { Vault } from '../../platform/crypto/crypto.js';

/** The context for which the value of a secret is sealed. */
export function sealContextOf(id: number): string {
  return `project_variable:sealed:${id}`;
}

/** The context for which the value of a secret in an environment is sealed. */
export function valueContextOf(variableId: number, environmentId: number): string {
  return `project_variable_value:sealed:${variableId}:${environmentId}`;
}

/** The columns of a value. `value` is that of a plain variable, `sealed` that of a secret. */
interface StoredValue {
  value: string | null;
  sealed: string | null;
}

/** The columns that hold a value: sealed for `context` if it is secret. */
export function toStoredValue(vault: Vault, value: string, isSecret: boolean, context: string): StoredValue {
  return isSecret ? { value: null, sealed: vault.seal(value, context) } : { value, sealed: null };
}

/** Reads what `toStoredValue` returned. */
export function openValue(vault: Vault, { value, sealed }: StoredValue, context: string): string {
  return sealed === null ? (value ?? '') : vault.open(sealed, context);
}
