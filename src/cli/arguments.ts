import { parseArgs } from 'node:util';

/** Options of a command by name: texts, or true for a flag. */
export type Options = Record<string, string | boolean | undefined>;

/** The environment and output of a command. */
export interface CliContext {
  env: NodeJS.ProcessEnv;
  /** Prints one or more lines to standard output. */
  print(text: string): void;
}

export interface Command {
  summary: string;
  /** Options by name. `value` is the placeholder of the option's value; a flag has none. */
  options: Record<string, { value?: string; required?: true }>;
  run(options: Options, context: CliContext): Promise<void>;
}

/** The command line is invalid. Nothing has been executed. */
export class UsageError extends Error {}

/**
 * Parses a command (one or two words) and its options. Throws a UsageError that lists the allowed words and never repeats
 * the input, which may contain secrets.
 */
export function parseCommand(
  commands: Record<string, Command>,
  words: string[],
): { command: Command; options: Options } {
  const count = words.findIndex(word => word.startsWith('-'));
  const commandName = words.slice(0, count < 0 ? undefined : count).join(' ');
  const name = commandName === '' ? 'help' : commandName;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(`Unknown command. The commands are: ${Object.keys(commands).join(', ')}.`);
  const rest = words.slice(commandName === '' ? 0 : commandName.split(' ').length);
  if (commandName === '' && rest.length > 0) {
    throw new UsageError(
      `The command line must start with a command. The commands are: ${Object.keys(commands).join(', ')}.`,
    );
  }
  return { command, options: commandName === '' ? {} : readOptions(name, command, rest) };
}

function readOptions(name: string, command: Command, words: string[]): Options {
  const entries = Object.entries(command.options);
  const options = Object.fromEntries(
    entries.map(([option, { value }]) => [option, { type: value ? ('string' as const) : ('boolean' as const) }]),
  );
  const fault = (why: string) => new UsageError(`${name}: ${why}. Usage: ${usageOf(name, command)}`);
  let values: Options;
  try {
    values = parseArgs({ args: words, options, allowPositionals: false }).values as Options;
  } catch (error) {
    throw fault(REASONS[(error as { code: string }).code] ?? 'the options are invalid');
  }
  for (const [option, { required }] of entries) {
    if (required && !values[option]) throw fault(`--${option} is required`);
  }
  return values;
}

const REASONS: Record<string, string> = {
  ERR_PARSE_ARGS_UNKNOWN_OPTION: 'an option is unknown',
  ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL: 'unexpected word after the command',
  ERR_PARSE_ARGS_INVALID_OPTION_VALUE: 'an option has no value, or a flag has one',
};

/**
 * Returns the help that `--help` or `-h` requests: for one command, for all commands with the same first words, or for all
 * commands. Undefined if no help is requested.
 */
export function requestedHelp(commands: Record<string, Command>, words: string[]): string | undefined {
  if (!words.some(word => word === '--help' || word === '-h')) return undefined;
  const option = words.findIndex(word => word.startsWith('-'));
  const start = words.slice(0, option).join(' ');
  const matching = Object.entries(commands).filter(([name]) => name === start || name.startsWith(`${start} `));
  return helpOf(matching.length > 0 ? Object.fromEntries(matching) : commands);
}

/** Returns usage and summary of all commands. */
export function helpOf(commands: Record<string, Command>): string {
  const lines = Object.entries(commands).map(
    ([name, command]) => `  ${usageOf(name, command)}\n      ${command.summary}`,
  );
  return `npm run cli -- <command> [options]\n\n${lines.join('\n')}\n\nCommands use the database of the service: DATABASE_URL, otherwise the embedded one in DATA_DIR. Add --help to a command for its usage.`;
}

/** Returns one line such as `user create --email <address> [--admin]`. */
export function usageOf(name: string, { options }: Command): string {
  const texts = Object.entries(options).map(([option, { value, required }]) => {
    const text = value ? `--${option} <${value}>` : `--${option}`;
    return required ? text : `[${text}]`;
  });
  return [name, ...texts].join(' ');
}
