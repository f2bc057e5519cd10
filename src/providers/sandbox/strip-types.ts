import { stripTypeScriptTypes } from 'node:module';

const MAX_MESSAGE = 300;

/** Replaces the types of TypeScript by spaces, so that lines stay the same. Returns a short fault for other source texts. */
export function stripTypes(source: string): { code: string } | { fault: string } {
  try {
    return { code: stripTypeScriptTypes(source) };
  } catch (error) {
    const message = error instanceof Error ? error.message.trim().split('\n')[0] : undefined;
    return { fault: (message || 'the TypeScript cannot be read').slice(0, MAX_MESSAGE) };
  }
}
