import { parseArgs } from 'node:util';

/** Options of a command by name: texts, or true for a flag. */
export type Options = Record<string, string | boolean | undefined>;

/** The environment and output of a command. */
export interface CliContext {
  env: NodeJS.ProcessEnv;
  /** Prints one or more lines to standard output. */
  print(text: string): void;
}

export interface Verb {
  summary: string;
  /** Options by name. `value` is the placeholder of the option's value; a flag has none. */
  options: Record<string, { value?: string; required?: true }>;
  run(options: Options, context: CliContext): Promise<void>;
}

/** The command line is invalid. Nothing has been executed. */
export class UsageError extends Error {}

/**
 * Parses a verb (one or two words) and its options. Throws a UsageError that lists the allowed words and never repeats
 * the input, which may contain secrets.
 */
export function readVerb(verbs: Record<string, Verb>, words: string[]): { verb: Verb; options: Options } {
  const count = words.findIndex(word => word.startsWith('-'));
  const verbName = words.slice(0, count < 0 ? undefined : count).join(' ');
  const name = verbName === '' ? 'help' : verbName;
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (!verb) throw new UsageError(`Unknown verb. The verbs are: ${Object.keys(verbs).join(', ')}.`);
  const rest = words.slice(verbName === '' ? 0 : verbName.split(' ').length);
  if (verbName === '' && rest.length > 0) {
    throw new UsageError(`The command line must start with a verb. The verbs are: ${Object.keys(verbs).join(', ')}.`);
  }
  return { verb, options: verbName === '' ? {} : readOptions(name, verb, rest) };
}

function readOptions(name: string, verb: Verb, words: string[]): Options {
  const entries = Object.entries(verb.options);
  const options = Object.fromEntries(
    entries.map(([option, { value }]) => [option, { type: value ? ('string' as const) : ('boolean' as const) }]),
  );
  const fault = (why: string) => new UsageError(`${name}: ${why}. Usage: ${usageOf(name, verb)}`);
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
  ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL: 'unexpected word after the verb',
  ERR_PARSE_ARGS_INVALID_OPTION_VALUE: 'an option has no value, or a flag has one',
};

/**
 * Returns the help that `--help` or `-h` requests: for one verb, for all verbs with the same first words, or for all
 * verbs. Undefined if no help is requested.
 */
export function requestedHelp(verbs: Record<string, Verb>, words: string[]): string | undefined {
  if (!words.some(word => word === '--help' || word === '-h')) return undefined;
  const option = words.findIndex(word => word.startsWith('-'));
  const start = words.slice(0, option).join(' ');
  const matching = Object.entries(verbs).filter(([name]) => name === start || name.startsWith(`${start} `));
  return helpOf(matching.length > 0 ? Object.fromEntries(matching) : verbs);
}

/** Returns usage and summary of all verbs. */
export function helpOf(verbs: Record<string, Verb>): string {
  const lines = Object.entries(verbs).map(([name, verb]) => `  ${usageOf(name, verb)}\n      ${verb.summary}`);
  return `npm run cli -- <verb> [options]\n\n${lines.join('\n')}\n\nVerbs use the database of the service: DATABASE_URL, otherwise the embedded one in DATA_DIR. Add --help to a verb for its usage.`;
}

/** Returns one line such as `user create --email <address> [--admin]`. */
export function usageOf(name: string, { options }: Verb): string {
  const texts = Object.entries(options).map(([option, { value, required }]) => {
    const text = value ? `--${option} <${value}>` : `--${option}`;
    return required ? text : `[${text}]`;
  });
  return [name, ...texts].join(' ');
}
