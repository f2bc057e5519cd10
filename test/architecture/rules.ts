import { importsOf, type Sources, withoutComments } from './sources.js';

/** Says what breaks it, one line each. */
export type Rule = (sources: Sources) => string[];

/** Imports point down: a file may import its own floor and the ones below it. */
const FLOORS: [pattern: RegExp, floor: number][] = [
  [/^src\/base\//, 0],
  [/^src\/(engine|providers)\//, 1],
  [/^src\/resources\//, 2],
  [/^src\/(graphql|jobs)\//, 3],
  [/^src\/http\//, 4],
  [/^src\/app(\.ts$|\/)/, 5],
  [/^src\/(main|cli)\.ts$|^src\/(demo|cli)\//, 6],
  // They stand beside the house: whoever needs a table runs them, and they know nothing of what is above the database.
  [/^src\/migrations\//, 0],
];

/** The ladder of the resources from left to right; those of one rung stand beside each other and do not meet. */
const LADDER = [
  ['accounts'],
  ['categories', 'maintenance'],
  ['projects'],
  ['billing', 'webhooks', 'provider-keys'],
  ['documents', 'chat'],
  ['recognition'],
  ['keywords'],
  ['variables'],
  ['prompts'],
  ['messages'],
  ['scenarios'],
  ['scenario-runs'],
  ['workflows'],
  ['workflow-runs'],
  ['marketplace'],
  ['catalog'],
  ['activity'],
];

const ENGINE_PACKAGES = new Set(['zod', 'decimal.js', 're2js']);
const REST_PACKAGES = new Set(['busboy', 'graphql', 'graphql-jit']);
const MOST_LINES = 400;

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

const importToTheRight: Rule = sources =>
  importsOf(sources).flatMap(({ from, to }) => {
    const [here, there] = [resourceOf(from), resourceOf(to)];
    if (here === undefined || there === undefined || here === there) return [];
    const [rung, target] = [rungOf(here), rungOf(there)];
    if (rung < 0) return [`${from} stands on no rung of the ladder`];
    return target < rung && target >= 0 ? [] : [`${from} imports ${to}, which is not to its left`];
  });

/** The folder of a resource; files beside the folders, such as the list of entities, know them all. */
function resourceOf(file: string): string | undefined {
  return /^src\/resources\/([^/]+)\//.exec(file)?.[1];
}

function rungOf(resource: string): number {
  return LADDER.findIndex(rung => rung.includes(resource));
}

const listsAreForThoseAbove: Rule = sources =>
  importsOf(sources)
    .filter(({ from, to }) => resourceOf(from) !== undefined && /^src\/resources\/[^/]+\.ts$/.test(to))
    .map(({ from, to }) => `${from} imports ${to}, which knows every resource`);

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
  const inside = [...sources].filter(([file]) => !/^src\/(base\/outbound[./]|demo\/)/.test(file));
  return [
    ...importsOf(new Map(inside))
      .filter(({ to }) => to === 'undici')
      .map(({ from }) => `${from} imports undici; platform/outbound/outbound is the only way out`),
    ...linesWith(
      new Map(inside),
      /(?<![.\w#])fetch\(|\bglobalThis\.fetch\b/,
      'calls fetch; platform/outbound/outbound is the only way out',
    ),
  ];
};

/** On Windows a child process needs the system's own environment, so the launcher of PostgreSQL hands it on. */
const environmentElsewhere: Rule = sources =>
  linesWith(
    new Map(
      [...sources].filter(
        ([file]) => !/^src\/(main\.ts|cli\.ts|demo\/|base\/config\.ts|base\/embedded-postgres\/launch\.ts)/.test(file),
      ),
    ),
    /\bprocess\.env\b|\bimport\s*\{[^}]*\benv\b[^}]*\}\s*from 'node:process'/,
    'reads process.env; platform/config/config is where it is read',
  );

/** Two uses with one number would block each other. */
const lockKeyElsewhere: Rule = sources =>
  linesWith(
    // Functions of the database name theirs in migrations, which are never changed.
    new Map([...sources].filter(([file]) => !/^src\/(base\/advisory-locks\.ts|migrations\/)/.test(file))),
    /\b7_?266_?\d{3}\b|\bpg_(?:try_)?advisory_\w+\(\s*\d/,
    'names an advisory lock key; platform/sql/advisory-locks is where they are named',
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

export const rules = {
  'an upward import': upwardImport,
  'an import to the right on the ladder': importToTheRight,
  'a resource that imports the list of all': listsAreForThoseAbove,
  'an import circle': importCircle,
  'an engine that imports outside itself': impureEngine,
  'a rest-compat that imports the house': restThatKnowsTheHouse,
  'a migration that imports the house': migrationThatKnowsTheHouse,
  'a call to the outside past platform/outbound/outbound': egressElsewhere,
  'an environment read past platform/config/config': environmentElsewhere,
  'an advisory lock key past platform/sql/advisory-locks': lockKeyElsewhere,
  'a default export': defaultExport,
  'a name without a noun': nameWithoutANoun,
  'a file that is too long': longFile,
} satisfies Record<string, Rule>;

export type RuleName = keyof typeof rules;
