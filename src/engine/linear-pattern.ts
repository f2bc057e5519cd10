import { RE2JS, RE2JSException } from 're2js';

/**
 * A regular expression in RE2's syntax whose matching takes time linear in the text, whoever wrote it: there are no
 * look-arounds and no back references. Null for what does not compile.
 */
export function compilePattern(pattern: string): RE2JS | null {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (error instanceof RE2JSException) return null;
    throw error;
  }
}
