/** The folders whose expressions are checked. */
export const CHECKED = ['src', 'rest-compat', 'pages'];

/**
 * Patterns that may take more than linear time, each with the reason. Every other pattern must be linear in the length
 * of the text.
 */
export const ALLOWED = new Map([
  [
    String(/^\s+at .*?(file:\S+\.js):(\d+):(\d+)\)?$/),
    'platform/logging/source-lines.ts reads frames of at most 1,000 characters',
  ],
  [String(/(\b[a-z][a-z0-9+.-]{0,20}:\/\/)([^\s/?#@{}]{1,500})@/gi), 'bounded: at most 522 steps for each character'],
]);
