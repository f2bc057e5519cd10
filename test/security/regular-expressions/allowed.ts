/** The folders whose expressions are checked. */
export const CHECKED_FOLDERS = ['src', 'rest-compat', 'pages'];

/**
 * Patterns that may take more than linear time, each with the reason. Every other pattern must be linear in the length
 * of the text.
 */
export const ALLOWED_PATTERNS = new Map([
  [
    String(/^\s+at .*?(file:\S+\.js):(\d+):(\d+)\)?$/),
    'platform/logging/source-lines.ts reads frames of at most 1,000 characters',
  ],
  [
    String(/(\b[a-z][a-z0-9+.-]{0,20}:\/\/)([^\s/?#@{}]{1,500})@/gi),
    'engine/workflow/graph/secrets/credentials.ts: bounded repetitions, so at most about 500 steps per start position',
  ],
]);
