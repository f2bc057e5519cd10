import type { FormValues, InputField } from '@/shared/run-form/input-fields';
import { readStoredObject, storeObject } from './browser-storage';

const storageKey = (workflowId: number) => `scenarium:input:${workflowId}`;

export function loadRememberedValues(workflowId: number): FormValues {
  return readStoredObject(storageKey(workflowId)) as FormValues;
}

/** Keeps the values in this browser. Secrets are never kept. */
export function rememberValues(workflowId: number, fields: readonly InputField[], values: FormValues): void {
  const kept = fields.filter(({ element }) => element !== 'secret').map(({ key }) => [key, values[key]]);
  storeObject(storageKey(workflowId), Object.fromEntries(kept));
}
