import { type Block, isThere, readPage } from './readme.js';

/**
 * How a test treats a block of commands. `npm`: its scripts must exist (they install, build, check or serve, and have
 * their own tests). `service`: a service is started with its variables. `tour`: it is executed.
 */
export type Rule = 'npm' | 'service' | 'tour';

const NPM = /^npm (ci|test|start|run [\w:-]+)( -- [\w ./-]+)?$/;
const SERVICE = /^((?:[A-Z_]+=\S+ )+)npm (start|run start:(?:api|worker))$/;

export function ruleOf(block: Block): Rule {
  const commands = commandsOf(block);
  if (commands.every(command => NPM.test(command))) return 'npm';
  if (commands.every(command => SERVICE.test(command))) return 'service';
  return 'tour';
}

function commandsOf({ text }: Block): string[] {
  return text
    .split(/\n|&&/)
    .map(command => command.trim())
    .filter(command => command !== '' && !command.startsWith('#'));
}

/** The variables that each command of a service block sets. */
export function variablesOf(block: Block): Record<string, string>[] {
  return commandsOf(block).map(command => {
    const [, assignments = ''] = SERVICE.exec(command) ?? [];
    const pairs = assignments.trim().split(' ');
    return Object.fromEntries(pairs.map(pair => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
  });
}

/** The source of a compiled file. The source of the bundle is the entry of the service. */
function sourceOf(file: string): string {
  if (file === 'dist/main.js') return 'src/main.ts';
  return file.startsWith('dist/') ? file.slice('dist/'.length).replace(/\.js$/, '.ts') : file;
}

/** Faults of the npm commands of a block: scripts that do not exist or that name missing files. */
export function npmFaults(block: Block): string[] {
  const { scripts } = JSON.parse(readPage('package.json')) as { scripts: Record<string, string> };
  return commandsOf(block).flatMap(command => {
    const words = command.slice(command.indexOf('npm ')).split(' ');
    const name = words[1] === 'run' ? words[2] : words[1];
    if (name === 'ci') return [];
    const script = scripts[name ?? ''];
    if (script === undefined) return [`package.json has no script "${name}"`];
    const files = script.match(/\b(dist|scripts)\/[\w./-]+\.m?js\b/g) ?? [];
    return files
      .map(sourceOf)
      .filter(file => !isThere(file))
      .map(file => `the script "${name}" runs ${file}, which is not there`);
  });
}
