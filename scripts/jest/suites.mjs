// The test files that some commands run in addition to their own folder: parts of paths below test/.
import { globSync } from 'node:fs';

/** Files of `npm run test:faults` outside of test/faults, of which `npm test` runs only a part. */
export const FAULTS = [
  'platform/embedded-postgres/',
  'platform/database/silent-connections',
  'cli/start-',
  'demo/demo',
  'durable/kept-answers',
  'providers/text-reader',
  'modules/triggers/schedule-simulation',
  'rest/chat/chat.spool',
];

/** Files of `npm run test:security` outside of test/security. */
export const SECURITY = [
  ...['durable/fair-', 'platform/fair-queue', 'providers/sandbox', 'providers/llm/model-slots'],
  ...['modules/marketplace/', 'rest/marketplace'],
  ...['modules/billing/', 'rest/chat/chat.key-budget'],
  ...['modules/accounts/', 'modules/access', 'modules/rights', 'rest/api-keys', 'rest/invitations', 'rest/members'],
  ...[
    'http/address-limits',
    'http/client-address',
    'http/console-session',
    'http/cors',
    'http/hosts',
    'http/rate-limit',
  ],
];

/** Returns the parts of paths to which no test file belongs. */
export function unmatched(parts) {
  const files = globSync('test/**/*.test.ts');
  return parts.filter(part => !files.some(file => file.startsWith(`test/${part}`)));
}

/** Returns the patterns of a suite for jest. Throws if a part of a path has no test file, for example after a rename. */
export function patternsOf(folder, others) {
  const parts = [folder, ...others];
  const missing = unmatched(parts);
  if (missing.length > 0) throw new Error(`scripts/jest/suites.mjs: no test file begins with ${missing.join(', ')}`);
  return parts.map(part => `build/test/${part}`);
}
