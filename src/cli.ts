import 'reflect-metadata';
import { readVerb, UsageError } from './cli/arguments.js';
import { VERBS } from './cli/verbs.js';
import { DomainError } from './platform/errors/errors.js';

/** Administration from the command line: `npm run cli -- <verb>`. */
async function main(): Promise<void> {
  const { verb, options } = readVerb(VERBS, process.argv.slice(2));
  await verb.run(options, process.env);
}

// A reader such as `head` may have seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

// The exit code is set, not forced: what was printed into a pipe is written to its end.
main().catch((error: unknown) => {
  console.error(error instanceof Error ? messageOf(error) : String(error));
  process.exitCode = error instanceof UsageError ? 2 : 1;
});

function messageOf(error: Error): string {
  // A connection refused on several addresses at once has a code and no message.
  if (!(error instanceof DomainError)) return error.message || String((error as NodeJS.ErrnoException).code);
  const fields = Object.entries(error.extensions.fields ?? {}).map(([name, messages]) => `${name}: ${messages[0]}`);
  return fields.length > 0 ? fields.join('\n') : error.message;
}
