import { isObject, type JsonObject, parseJson } from '@/shared/json/json-value';

/** Reads an object from the storage of this browser. Empty if there is none. */
export function readStoredObject(key: string): JsonObject {
  const value = parseJson(localStorage.getItem(key) ?? '');
  return isObject(value) ? value : {};
}

/** Keeps an object in the storage of this browser. A full or blocked storage keeps nothing: the values are a convenience. */
export function storeObject(key: string, value: object): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The values last until the screen is closed.
  }
}
