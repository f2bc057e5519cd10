import { unwieldyFunction } from './function-rules.js';
import { importsOf, type Sources, withoutComments } from './sources.js';

/** Says what breaks it, one line each. */
export type Rule = (sources: Sources) => string[];

/** Imports point down: a file may import its own floor and the ones below it. */
const FLOORS: [pattern: RegExp, floor: number][] = [
  [/^src\/platform\//, 0],
  [/^src\/(engine|providers|durable)\//, 1],
  [/^src\/modules\//, 2],
  [/^src\/graphql\//, 3],
  [/^src\/(http|fast-lane)\//, 4],
  [/^src\/(app\.ts$|container\/)/, 5],
  [/^src\/(main|cli)\.ts$|^src\/(demo|cli)\//, 6],
  // They stand beside the house: whoever needs a table runs them, and they know nothing of what is above the database.
  [/^src\/migrations\//, 0],
];

const ENGINE_PACKAGES = new Set(['zod', 'decimal.js', 're2js']);
const REST_PACKAGES = new Set(['busboy', 'graphql', 'graphql-jit']);
const MOST_LINES = 400;
const MOST_FILES = 20;

const upwardImport: Rule = sources =>
  importsOf(sources).flatMap(({ from, to }) => {
    if (!from.startsWith('src/')) return [];
    const floor = floorOf(from);
    if (floor === undefined) return [`${from} stands on no floor`];
    const target = to.startsWith('src/') ? floorOf(to) : undefined;
    return target !== undefined && target > floor ? [`${from} imports ${to} from above`] : [];
  });

function floorOf(file: string): number | undefined {
  return FLOORS.find(([pattern]) => pattern.test(file))?.[1];
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

/** The name of the folder below src/modules; undefined for files beside the folders. */
function moduleOf(file: string): string | undefined {
  return /^src\/modules\/([^/]+)\//.exec(file)?.[1];
}

/** The folders of the modules that a definition needs. */
function needsOf(sources: Sources, module: string): Set<string> | undefined {
  const definition = /defineModule\(\{[\s\S]*?\bneeds: \{([^}]*)\}/.exec(
    sources.get(`src/modules/${module}/index.ts`) ?? '',
  );
  if (!definition) return undefined;
  const names = definition[1]!.split(',').map(name => name.trim());
  return new Set(names.map(name => name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)));
}

const listsAreForThoseAbove: Rule = sources =>
  importsOf(sources)
    .filter(({ from, to }) => moduleOf(from) !== undefined && /^src\/modules\/[^/]+\.ts$/.test(to))
    .filter(({ to }) => to !== 'src/modules/module.ts')
    .map(({ from, to }) => `${from} imports ${to}, which knows every module`);

const importCircle: Rule = sources => {
  const imports = Map.groupBy(importsOf(sources), ({ from }) => from);
  const finished = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: string[]): void => {
    const at = path.indexOf(file);
    if (at >= 0) circles.push([...path.slice(at), file].join(' > '));
    if (at >= 0 || finished.has(file)) return;
    for (const { to } of imports.get(file) ?? []) if (sources.has(to)) visit(to, [...path, file]);
    finished.add(file);
  };
  for (const file of sources.keys()) visit(file, []);
  return circles;
};

const impureEngine: Rule = sources =>
  importsOf(sources)
    .filter(
      ({ from, to }) => from.startsWith('src/engine/') && !to.startsWith('src/engine/') && !ENGINE_PACKAGES.has(to),
    )
    .map(({ from, to }) => `${from} imports ${to}; the engine imports itself, ${[...ENGINE_PACKAGES].join(' and ')}`);

const restThatKnowsTheHouse: Rule = sources =>
  importsOf(sources)
    .filter(({ from }) => from.startsWith('rest-compat/'))
    .filter(({ to }) => !to.startsWith('rest-compat/') && !to.startsWith('node:') && !REST_PACKAGES.has(to))
    .map(({ from, to }) => `${from} imports ${to}; rest-compat imports itself, ${[...REST_PACKAGES].join(' and ')}`);

const migrationThatKnowsTheHouse: Rule = sources =>
  importsOf(sources)
    .filter(
      ({ from, to }) =>
        from.startsWith('src/migrations/') && to.startsWith('src/') && !to.startsWith('src/migrations/'),
    )
    .map(({ from, to }) => `${from} imports ${to}; a migration must mean the same for ever`);

/** The demo is a client of the service, on its user's own machine: nobody can send it elsewhere. */
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

/** On Windows a child process needs the system's own environment, so the launcher of PostgreSQL hands it on. */
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

/** Two uses with one number would block each other. */
const lockKeyElsewhere: Rule = sources =>
  linesWith(
    // Functions of the database name theirs in migrations, which are never changed.
    new Map([...sources].filter(([file]) => !/^src\/(platform\/sql\/advisory-locks\.ts|migrations\/)/.test(file))),
    /\b7_?266_?\d{3}\b|\bpg_(?:try_)?advisory_\w+\(\s*\d/,
    'names an advisory lock key; platform/sql/advisory-locks is where they are named',
  );

const IN_FAST_LANE = /^src\/fast-lane\//;

/** Its tools do less than the platform's own: everything else receives them from the container, or uses the platform's. */
const fastLaneElsewhere: Rule = sources =>
  importsOf(sources)
    .filter(({ from, to }) => IN_FAST_LANE.test(to) && !IN_FAST_LANE.test(from) && !from.startsWith('src/container/'))
    .map(({ from, to }) => `${from} imports ${to}; only the container imports the fast lane`);

/** What a release of Node may change without notice. */
const nodeInternalElsewhere: Rule = sources =>
  linesWith(
    new Map([...sources].filter(([file]) => !IN_FAST_LANE.test(file))),
    /\b_(?:httpMessage|handle|readableState|writableState|implicitHeader)\b|\bsetFlagsFromString\b|\bextends (?:http\.)?(?:IncomingMessage|ServerResponse)\b/,
    'uses an internal of Node; only the fast lane and the launcher may',
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
    .filter(({ lines }) => lines > MOST_LINES)
    .map(({ file, lines }) => `${file} has ${lines} lines, at most ${MOST_LINES} are allowed`);

/** Migrations are one sequence, which grows with every release. */
const crowdedFolder: Rule = sources => {
  const files = [...sources.keys()].filter(file => !file.startsWith('src/migrations/'));
  const folders = Map.groupBy(files, file => file.slice(0, file.lastIndexOf('/')));
  return [...folders]
    .filter(([, inside]) => inside.length > MOST_FILES)
    .map(([folder, inside]) => `${folder} has ${inside.length} files, at most ${MOST_FILES} are allowed`);
};

const loosePlatformFile: Rule = sources =>
  [...sources.keys()]
    .filter(file => /^src\/platform\/[^/]+$/.test(file))
    .map(file => `${file} belongs into a folder of platform`);

export const rules = {
  'an upward import': upwardImport,
  'an import of a module that is not needed': undeclaredModule,
  'a module that imports the list of all': listsAreForThoseAbove,
  'an import circle': importCircle,
  'an engine that imports outside itself': impureEngine,
  'a rest-compat that imports the house': restThatKnowsTheHouse,
  'a migration that imports the house': migrationThatKnowsTheHouse,
  'an outbound call outside platform/outbound': egressElsewhere,
  'an environment read outside platform/config': environmentElsewhere,
  'an advisory lock key outside platform/sql/advisory-locks': lockKeyElsewhere,
  'an import of the fast lane outside the container': fastLaneElsewhere,
  'an internal of Node outside the fast lane': nodeInternalElsewhere,
  'a default export': defaultExport,
  'a name without a noun': nameWithoutANoun,
  'a file that is too long': longFile,
  'a folder with too many files': crowdedFolder,
  'a function that is too long or too complex': unwieldyFunction,
  'a file beside the folders of platform': loosePlatformFile,
} satisfies Record<string, Rule>;

export type RuleName = keyof typeof rules;
