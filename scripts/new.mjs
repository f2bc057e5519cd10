// Creates the files of a new part from templates/: npm run new -- <kind> <name> [plural]. Also works as
// node scripts/new.mjs with Node 20 or newer. Names are in kebab case. Prints created (+) and changed (~) files, folders
// with too many files (!) and the remaining steps. docs/contributing/ describes each kind.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const TEMPLATES = fileURLToPath(new URL('../templates/', import.meta.url));
const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
/** The limit of source files in a folder (test/architecture/rules.ts). Migrations are exempt. */
const MAX_FILES = 20;

/** Per kind: changes of existing files, and the steps that remain for a person. */
const KINDS = {
  module: { changes: moduleChanges, next: 'docs/contributing/module.md' },
  node: { changes: nodeChanges, next: 'docs/contributing/node.md' },
  route: { changes: routeChanges, next: 'docs/contributing/route.md' },
  provider: { changes: providerChanges, next: 'docs/contributing/provider.md' },
};

const [kind, name = '', plural = `${name}s`] = process.argv.slice(2);
if (!Object.hasOwn(KINDS, kind ?? '') || !NAME.test(name) || !NAME.test(plural)) {
  console.error(
    `npm run new -- <${Object.keys(KINDS).join('|')}> <name> [plural]. Names are in kebab case, such as price-list.`,
  );
  process.exit(kind === '--help' ? 0 : 2);
}
if (kind === 'node' && name.endsWith('-node')) {
  console.error(`Use ${name.slice(0, -'-node'.length)}: the type of the node ends in -node automatically.`);
  process.exit(2);
}

const capitalized = word => word[0].toUpperCase() + word.slice(1);
const pascal = kebab => kebab.split('-').map(capitalized).join('');
const camel = kebab => pascal(kebab)[0].toLowerCase() + pascal(kebab).slice(1);
const snake = kebab => kebab.replaceAll('-', '_');
const prose = kebab => kebab.replaceAll('-', ' ');

/** The spellings of a name. The plural is replaced first because it contains the singular. */
const FORMS = [
  kebab => kebab,
  camel,
  pascal,
  snake,
  kebab => snake(kebab).toUpperCase(),
  prose,
  kebab => capitalized(prose(kebab)),
];
const replacements = [
  ...FORMS.map(form => [form('sample-items'), form(plural)]),
  ...FORMS.map(form => [form('sample-item'), form(name)]),
];

const migration = String(migrationCount() + 1).padStart(4, '0');
const filled = text =>
  [...replacements, ['m0000', `m${migration}`], ['M0000', `M${migration}`]].reduce(
    (result, [from, to]) => result.replaceAll(from, to),
    text,
  );

const folder = path.join(TEMPLATES, kind);
const created = readdirSync(folder, { recursive: true })
  .filter(file => statSync(path.join(folder, file)).isFile())
  .map(file => [filled(file), filled(readFileSync(path.join(folder, file), 'utf8'))])
  .sort(([one], [other]) => (one < other ? -1 : 1));
const existing = created.filter(([file]) => existsSync(file));
if (existing.length > 0) {
  console.error(`${existing.map(([file]) => file).join(', ')}: these files exist. Choose another name.`);
  process.exit(1);
}
const changed = KINDS[kind].changes();
for (const [file, text] of created) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(`+ ${file}`);
}
for (const [file, text] of changed) {
  writeFileSync(file, text);
  console.log(`~ ${file}`);
}
for (const each of new Set(created.map(([file]) => path.dirname(file)))) {
  const count = readdirSync(each).filter(file => file.endsWith('.ts')).length;
  if (count > MAX_FILES && each !== 'src/migrations')
    console.log(`! ${each} has ${count} files, at most ${MAX_FILES} are allowed: move some to a folder in it.`);
}
console.log(`Next: ${KINDS[kind].next}`);

function migrationCount() {
  return readdirSync('src/migrations').filter(file => /^m.*\.ts$/.test(file)).length;
}

/** Returns the text of a file with insertions: each has a pattern and the text to write before or after its match. */
function edited(file, ...insertions) {
  let text = readFileSync(file, 'utf8');
  for (const { before, after, insert } of insertions) {
    const match = [...text.matchAll(new RegExp(before ?? after, 'gm'))].at(-1);
    if (!match) throw new Error(`${file}: nothing matches ${before ?? after}`);
    const at = match.index + (after ? match[0].length : 0);
    text = text.slice(0, at) + filled(insert) + text.slice(at);
  }
  return [file, text];
}

function moduleChanges() {
  const rows = kindOfRows => ({
    import: `import { ${kindOfRows}_SAMPLE_ITEM_ROWS } from './sample-item-rows.js';\n`,
    entry: `  ...${kindOfRows}_SAMPLE_ITEM_ROWS,\n`,
  });
  const sweep = (file, { import: line, entry }) =>
    edited(file, { after: /^import .* from '\.\/rows\.js';\n/, insert: line }, { before: /^\];\n/, insert: entry });
  return [
    edited(
      'src/migrations/index.ts',
      { after: /^import .*\n/, insert: `import { M0000SampleItems } from './m0000-sample-items.js';\n` },
      { before: /^\]\.map/, insert: '  M0000SampleItems,\n' },
    ),
    edited('src/modules/projects/rights.ts', {
      before: /^\} as const satisfies/,
      insert: `  'sample-item.create': 'editor',\n`,
    }),
    edited('test/modules/rights.test.ts', {
      before: /^\};\n/,
      insert: `  'sample-item.create': 'no yes yes yes',\n`,
    }),
    sweep('test/security/sweep/graphql-rows.ts', rows('GRAPHQL')),
    sweep('test/security/sweep/rest-rows.ts', rows('REST')),
    edited('docs/operations.md', {
      before: /^\| `pgboss\.\*` /,
      insert: '| `sample_item` | 0 | Until its project is deleted. |\n',
    }),
  ];
}

function nodeChanges() {
  return [
    edited(
      'src/engine/workflow/nodes/index.ts',
      { after: /^import \{ .*\n/, insert: `import { sampleItem } from './data/sample-item.js';\n` },
      { before: /^ {2}output,\n/, insert: '  sampleItem,\n' },
    ),
    edited(
      'docs/nodes.md',
      { before: /, \[output-node\]/, insert: ', [sample-item-node](#sample-item-node)' },
      {
        before: /^## output-node\n/,
        insert: `## sample-item-node

<!-- generated -->
<!-- end of the generated part -->

\`\`\`json
{ "id": "shout", "type": "sample-item-node", "data": { "text": "Dear {{ input.name }},", "next_nodes": ["end"] } }
\`\`\`

`,
      },
    ),
    edited(
      'test/engine/nodes/nodes.test.ts',
      { before: /^ {6}\['output-node', 'OutputNode'\],\n/, insert: `      ['sample-item-node', 'SampleItemNode'],\n` },
      { before: /^ {6}'output-node': \{\},\n/, insert: `      'sample-item-node': { text: 'x' },\n` },
    ),
    edited(
      'test/engine/flow/random-graphs.ts',
      { before: /^\] as const;\n/, insert: `  'sampleItem',\n` },
      {
        before: /^ {6}note: .*\n/,
        insert: `      sampleItem: () => nodeOf('sample-item-node', { text: id }),\n`,
      },
    ),
    edited('test/corpus/graphs/data.ts', {
      before: /^\];\n/,
      insert: `  sequence('sample item: a text', [node('sample-item-node', { text: 'a' })], 'A'),\n`,
    }),
    withOneMoreGraph('test/corpus/corpus.test.ts'),
  ];
}

/** Returns the text of a file whose constant `COUNT` is the number of graphs, for one graph more. */
function withOneMoreGraph(file) {
  const increment = (_, start, count) => `${start}${Number(count) + 1}`;
  return [file, readFileSync(file, 'utf8').replace(/^(const COUNT = )(\d+)/m, increment)];
}

function routeChanges() {
  return [
    edited('test/security/sweep/rest-rows.ts', {
      before: /^\];\n/,
      insert: `  row('GET /api/v1/sample-item/', 'user'),\n`,
    }),
  ];
}

function providerChanges() {
  return [
    edited('src/platform/config/model-providers.ts', {
      before: /\] as const;/,
      insert: `, 'sample-item'`,
    }),
  ];
}
