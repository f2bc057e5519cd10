import { DomainError } from '../platform/errors/errors.js';
import { type CliContext, parseCommand, requestedHelp, UsageError } from './arguments.js';
import { COMMANDS } from './commands.js';

export interface CliProcess extends CliContext {
  /** Prints a line to standard error. */
  printError(text: string): void;
}

/** Runs one command line. Returns the exit code: 0, 1 for a failure, 2 for an invalid command line. */
export async function runCli(words: string[], context: CliProcess): Promise<number> {
  try {
    const help = requestedHelp(COMMANDS, words);
    if (help !== undefined) {
      context.print(help);
      return 0;
    }
    const { command, options } = parseCommand(COMMANDS, words);
    await command.run(options, context);
    return 0;
  } catch (error) {
    context.printError(error instanceof Error ? messageOf(error) : String(error));
    return error instanceof UsageError ? 2 : 1;
  }
}

function messageOf(error: Error): string {
  // A connection that is refused on several addresses has a code but no message.
  if (!(error instanceof DomainError)) return error.message || String((error as NodeJS.ErrnoException).code);
  const fields = Object.entries(error.extensions.fields ?? {}).map(([name, messages]) => `${name}: ${messages[0]}`);
  return fields.length > 0 ? fields.join('\n') : error.message;
}
