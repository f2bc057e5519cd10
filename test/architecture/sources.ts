import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Source texts by their path from the root of the repository. */
export type Sources = ReadonlyMap<string, string>;

export interface Import {
  from: string;
  /** A path in the repository, or the name of a package. */
  to: string;
}

export function readSources(folders: readonly string[], extension = /\.ts$/): Sources {
  const root = repositoryRoot();
  const files = folders.flatMap(folder =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(file => extension.test(file) && !file.includes('node_modules'))
      .map(file => path.posix.join(folder, file.split(path.sep).join('/'))),
  );
  return new Map(files.map(file => [file, readFileSync(path.join(root, file), 'utf8')]));
}

/** Tests run compiled in a build folder. The sources are in the folder of package.json. */
function repositoryRoot(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(folder, 'package.json'))) folder = path.dirname(folder);
  return folder;
}

/** Removes comments that start a line, and `//` comments after a space, so that 'https://…' stays. Line numbers stay the same. */
export function withoutComments(text: string): string {
  return text
    .replace(/^[^\S\n]*\/\*[\s\S]*?\*\//gm, comment => comment.replace(/[^\n]/g, ''))
    .replace(/(^|\s)\/\/.*$/gm, '$1');
}

const IMPORTS = [
  /^\s*(?:import|export)\b[^;'"]*?\bfrom\s*['"]([^'"]+)['"]/gm,
  /^\s*import\s*['"]([^'"]+)['"]/gm,
  /\bimport\(\s*['"]([^'"]+)['"]/g,
];

/** The imports of every file, including type imports: a type of a higher layer is a dependency on that layer. */
export function importsOf(sources: Sources): Import[] {
  return [...sources].flatMap(([from, text]) => {
    const code = withoutComments(text);
    return IMPORTS.flatMap(pattern => [...code.matchAll(pattern)]).map(([, to = '']) => ({
      from,
      to: resolved(from, to),
    }));
  });
}

/** The name of the folder below src/modules; undefined for files elsewhere and directly in src/modules. */
export function moduleOf(file: string): string | undefined {
  return /^src\/modules\/([^/]+)\//.exec(file)?.[1];
}

function resolved(from: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier;
  return path.posix.join(path.posix.dirname(from), specifier).replace(/\.js$/, '.ts');
}
