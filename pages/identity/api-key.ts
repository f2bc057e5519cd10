/**
 * Where the pages keep the API key: in this browser, on this origin, and nowhere else. GraphiQL and the REST reference
 * share it, so a key is typed once. A browser that refuses storage (private windows may) still works until the reload.
 */
const STORAGE_KEY = 'scenarium:api-key';

export function storedApiKey(): string {
  try {
    return localStorage.getItem(STORAGE_KEY) ?? '';
  } catch {
    return '';
  }
}

export function storeApiKey(apiKey: string): void {
  try {
    if (apiKey === '') localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, apiKey);
  } catch {
    // Nothing to do: the key then lasts as long as the page does.
  }
}

/** Pasted keys come with line ends and blanks; a header value with those is refused by `fetch`. */
export function cleanApiKey(typed: string): string {
  return typed.replace(/[^\x21-\x7e]/g, '');
}
