// Writes console/src/icons.ts, the icons in use: node console/icons.mjs
//
// The shapes come from the package of Tabler Icons (MIT), which is not a dependency: `npm ci` would write its 18,000 files.
// An icon is in use when a file of the console imports it, or a kind of node names it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = '@tabler/icons@3.51.0';
const root = fileURLToPath(new URL('..', import.meta.url));

/** Texts of the sources in a folder. */
const sourcesIn = folder =>
  readdirSync(path.join(root, folder), { recursive: true })
    .filter(file => /\.tsx?$/.test(file))
    .map(file => readFileSync(path.join(root, folder, file), 'utf8'));

/** The console (canvas/node-icon.tsx) draws it for a name that icons.ts does not export. */
const FALLBACK = 'IconBox';

const toExport = name => `Icon${name.replaceAll(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase())}`;

/** The names of the exports: IconRouteAltLeft for 'route-alt-left'. */
function exportsInUse() {
  const imported = sourcesIn('console/src')
    .flatMap(text => [...text.matchAll(/import \{([^}]*)\} from '@\/icons'/g)])
    .flatMap(([, names]) => names.match(/\bIcon[A-Z]\w*/g) ?? []);
  const named = sourcesIn('src/engine/workflow/nodes')
    .flatMap(text => [...text.matchAll(/\bicon: '([\w-]+)'/g)])
    .map(([, name]) => toExport(name));
  return [...new Set([FALLBACK, ...imported, ...named])].sort();
}

/** The shapes of the package by export: ['outline' or 'filled', path data]. */
function readShapes() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'icons-'));
  try {
    const run = (command, ...parameters) => execFileSync(command, parameters, { cwd: folder, maxBuffer: 1e8 });
    const archive = `${run('npm', 'pack', '--silent', PACKAGE)}`.trim();
    const shapes = new Map();
    for (const style of ['outline', 'filled']) {
      const nodes = JSON.parse(run('tar', '-xzOf', archive, `package/tabler-nodes-${style}.json`));
      for (const [name, elements] of Object.entries(nodes)) {
        if (elements.some(([element]) => element !== 'path')) continue;
        const data = elements.map(([, { d }]) => d).join('');
        shapes.set(toExport(style === 'filled' ? `${name}-filled` : name), [style, data]);
      }
    }
    return shapes;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const shapes = readShapes();
const lines = exportsInUse().map(name => {
  const [style, data] = shapes.get(name) ?? [];
  if (data === undefined) throw new Error(`${name} is not an icon of ${PACKAGE}: see https://tabler.io/icons`);
  return `export const ${name} = ${style}('${data}');`;
});
writeFileSync(
  path.join(root, 'console/src/icons.ts'),
  `// Written by console/icons.mjs: add the import where you need an icon, then run it.
// Tabler Icons, https://tabler.io/icons, copyright (c) 2020-2026 Paweł Kuna, MIT License.
import { filled, outline } from '@/shared/icon';

${lines.join('\n')}
`,
);
