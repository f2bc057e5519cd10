/**
 * The pages store the API key only in this browser, for their origin. GraphiQL and the REST reference share it. In a browser
 * that refuses storage, for example in a private window, the key is kept until the page is reloaded.
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
    // The page keeps the key in memory.
  }
}

/** Removes spaces and line ends of a pasted key, because `fetch` refuses them in a header. */
export function cleanApiKey(typed: string): string {
  return typed.replace(/[^\x21-\x7e]/g, '');
}
