import { oversizedFunction } from './function-rules.js';
import { importsOf, moduleOf, type Sources, withoutComments } from './sources.js';

/** Returns the violations, one line each. */
export type Rule = (sources: Sources) => string[];

/** Imports point down: a file may import its own layer and the layers below. */
const LAYERS: [pattern: RegExp, layer: number][] = [
  [/^src\/platform\//, 0],
  [/^src\/(engine|providers|durable)\//, 1],
  [/^src\/modules\//, 2],
  [/^src\/graphql\//, 3],
  [/^src\/(http|fast-lane)\//, 4],
  [/^src\/(app\.ts$|container\/)/, 5],
  [/^src\/(main|cli)\.ts$|^src\/(demo|cli)\//, 6],
  // Migrations are independent of the container. Any layer that uses a table may run them; they import only the
  // database.
  [/^src\/migrations\//, 0],
];

const ENGINE_PACKAGES = new Set(['zod', 'decimal.js', 're2js']);
const REST_PACKAGES = new Set(['busboy', 'graphql', 'graphql-jit']);
const MAX_LINES = 400;
const MAX_FILES = 20;

const upwardImport: Rule = sources =>
  importsOf(sources).flatMap(({ from, to }) => {
    if (!from.startsWith('src/')) return [];
    const layer = layerOf(from);
    if (layer === undefined) return [`${from} belongs to no layer`];
    const target = to.startsWith('src/') ? layerOf(to) : undefined;
    return target !== undefined && target > layer ? [`${from} imports ${to} from above`] : [];
  });

function layerOf(file: string): number | undefined {
  return LAYERS.find(([pattern]) => pattern.test(file))?.[1];
}

/** A module imports only modules that its definition lists in `needs`. */
const undeclaredModule: Rule = sources =>
  importsOf(sources).flatMap(({ from, to }) => {
    const [here, there] = [moduleOf(from), moduleOf(to)];
    if (here === undefined || there === undefined || here === there) return [];
    const needs = needsOf(sources, here);
    if (needs === undefined) return [`src/modules/${here}/index.ts defines no module`];
    return needs.has(there) ? [] : [`${from} imports ${to}, and the definition of ${here} does not need ${there}`];
  });

/** The folders of the modules that a definition needs. */
function needsOf(sources: Sources, module: string): Set<string> | undefined {
  const definition = /defineModule\(\{[\s\S]*?\bneeds: \{([^}]*)\}/.exec(
    sources.get(`src/modules/${module}/index.ts`) ?? '',
  );
  if (!definition) return undefined;
  const names = definition[1]!.split(',').map(name => name.trim());
  return new Set(names.map(name => name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)));
}

/** Files directly in src/modules list all modules, so only the container imports them; `module.ts` defines what a module is. */
const moduleListImport: Rule = sources =>
  importsOf(sources)
    .filter(({ from, to }) => moduleOf(from) !== undefined && /^src\/modules\/[^/]+\.ts$/.test(to))
    .filter(({ to }) => to !== 'src/modules/module.ts')
    .map(({ from, to }) => `${from} imports ${to}, which knows every module`);

const importCycle: Rule = sources => {
  const imports = Map.groupBy(importsOf(sources), ({ from }) => from);
  const finished = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, path: string[]): void => {
    const at = path.indexOf(file);
    if (at >= 0) cycles.push([...path.slice(at), file].join(' > '));
    if (at >= 0 || finished.has(file)) return;
    for (const { to } of imports.get(file) ?? []) if (sources.has(to)) visit(to, [...path, file]);
    finished.add(file);
  };
  for (const file of sources.keys()) visit(file, []);
  return cycles;
};

const impureEngine: Rule = sources =>
  importsOf(sources)
    .filter(
      ({ from, to }) => from.startsWith('src/engine/') && !to.startsWith('src/engine/') && !ENGINE_PACKAGES.has(to),
    )
    .map(({ from, to }) => `${from} imports ${to}; the engine imports itself, ${[...ENGINE_PACKAGES].join(' and ')}`);

const restImportsContainer: Rule = sources =>
  importsOf(sources)
    .filter(({ from }) => from.startsWith('rest-compat/'))
    .filter(({ to }) => !to.startsWith('rest-compat/') && !to.startsWith('node:') && !REST_PACKAGES.has(to))
    .map(({ from, to }) => `${from} imports ${to}; rest-compat imports itself, ${[...REST_PACKAGES].join(' and ')}`);

const migrationImportsContainer: Rule = sources =>
  importsOf(sources)
    .filter(
      ({ from, to }) =>
        from.startsWith('src/migrations/') && to.startsWith('src/') && !to.startsWith('src/migrations/'),
    )
    .map(({ from, to }) => `${from} imports ${to}; a migration must never change its meaning`);

/**
 * The demo is a client of the service and runs on the machine of its user, so no other user can redirect its
 * requests.
 */
const egressElsewhere: Rule = sources => {
  const inside = [...sources].filter(([file]) => !/^src\/(platform\/outbound\/|demo\/)/.test(file));
  return [
    ...importsOf(new Map(inside))
      .filter(({ to }) => to === 'undici')
      .map(({ from }) => `${from} imports undici; platform/outbound is the only way out`),
    ...linesWith(
      new Map(inside),
      /(?<![.\w#])fetch\(|\bglobalThis\.fetch\b/,
      'calls fetch; platform/outbound is the only way out',
    ),
  ];
};

/** On Windows a child process needs some variables of the system, so the launcher of PostgreSQL passes them on. */
const environmentElsewhere: Rule = sources =>
  linesWith(
    new Map(
      [...sources].filter(
        ([file]) =>
          !/^src\/(main\.ts|cli\.ts|demo\/|platform\/config\/config\.ts|platform\/embedded-postgres\/launch\.ts)/.test(
            file,
          ),
      ),
    ),
    /\bprocess\.env\b|\bimport\s*\{[^}]*\benv\b[^}]*\}\s*from 'node:process'/,
    'reads process.env; platform/config/config is where it is read',
  );

/** Two uses of one number would block each other. */
const lockKeyElsewhere: Rule = sources =>
  linesWith(
    // Database functions contain their lock numbers in migrations, which never change.
    new Map([...sources].filter(([file]) => !/^src\/(platform\/sql\/advisory-locks\.ts|migrations\/)/.test(file))),
    /\b7_?266_?\d{3}\b|\bpg_(?:try_)?advisory_\w+\(\s*\d/,
    'names an advisory lock key; platform/sql/advisory-locks is where they are named',
  );

const IN_FAST_LANE = /^src\/fast-lane\//;

/** The low-level tools of the fast lane do less than those of the platform. All other code uses the platform's. */
const fastLaneElsewhere: Rule = sources =>
  importsOf(sources)
    .filter(({ from, to }) => IN_FAST_LANE.test(to) && !IN_FAST_LANE.test(from) && !from.startsWith('src/container/'))
    .map(({ from, to }) => `${from} imports ${to}; only the container imports the fast lane`);

/** APIs that a Node release may change without notice. */
const nodeInternalElsewhere: Rule = sources =>
  linesWith(
    new Map([...sources].filter(([file]) => !IN_FAST_LANE.test(file))),
    /\b_(?:httpMessage|handle|readableState|writableState|implicitHeader)\b|\bsetFlagsFromString\b|\bextends (?:http\.)?(?:IncomingMessage|ServerResponse)\b/,
    'uses an internal of Node; only the fast lane and the launcher may',
  );

/** The driver of typed queries returns rows without their number. */
const countOfChangedRows: Rule = sources =>
  linesWith(
    sources,
    /\bnum(?:Affected|Updated|Deleted|Changed|InsertedOrUpdated)Rows\b/,
    'reads a count that is always 0',
  );

const defaultExport: Rule = sources => linesWith(sources, /^\s*export default\b|\bas default\b/, 'exports a default');

function linesWith(sources: Sources, pattern: RegExp, fault: string): string[] {
  return [...sources].flatMap(([file, text]) =>
    withoutComments(text)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1} ${fault}`] : [])),
  );
}

const nameWithoutANoun: Rule = sources =>
  [...sources.keys()]
    .filter(file => file.split('/').some(part => /(^|[-.])(utils?|helpers?)([-.]|$)|^common(\.|$)/.test(part)))
    .map(file => `${file} is named after nothing: put code where its noun lives`);

const longFile: Rule = sources =>
  [...sources]
    .filter(([file]) => !file.startsWith('rest-compat/generated/'))
    .map(([file, text]) => ({ file, lines: text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > MAX_LINES)
    .map(({ file, lines }) => `${file} has ${lines} lines, at most ${MAX_LINES} are allowed`);

/** Migrations are one sequence that grows with every release, so they are exempt. */
const crowdedFolder: Rule = sources => {
  const files = [...sources.keys()].filter(file => !file.startsWith('src/migrations/'));
  const folders = Map.groupBy(files, file => file.slice(0, file.lastIndexOf('/')));
  return [...folders]
    .filter(([, inside]) => inside.length > MAX_FILES)
    .map(([folder, inside]) => `${folder} has ${inside.length} files, at most ${MAX_FILES} are allowed`);
};

const loosePlatformFile: Rule = sources =>
  [...sources.keys()]
    .filter(file => /^src\/platform\/[^/]+$/.test(file))
    .map(file => `${file} belongs into a folder of platform`);

export const rules = {
  'an upward import': upwardImport,
  'an import of a module that is not needed': undeclaredModule,
  'a module that imports the list of all': moduleListImport,
  'an import cycle': importCycle,
  'an engine that imports outside itself': impureEngine,
  'a rest-compat that imports the container': restImportsContainer,
  'a migration that imports the container': migrationImportsContainer,
  'an outbound call outside platform/outbound': egressElsewhere,
  'an environment read outside platform/config': environmentElsewhere,
  'an advisory lock key outside platform/sql/advisory-locks': lockKeyElsewhere,
  'an import of the fast lane outside the container': fastLaneElsewhere,
  'an internal of Node outside the fast lane': nodeInternalElsewhere,
  'a count of changed rows, which is always 0': countOfChangedRows,
  'a default export': defaultExport,
  'a name without a noun': nameWithoutANoun,
  'a file that is too long': longFile,
  'a folder with too many files': crowdedFolder,
  'a function that is too long or too complex': oversizedFunction,
  'a file directly in the platform folder': loosePlatformFile,
} satisfies Record<string, Rule>;

export type RuleName = keyof typeof rules;
