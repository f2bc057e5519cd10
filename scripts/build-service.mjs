// Bundles the compiled service: node scripts/build-service.mjs [folder, default dist]. Reads <folder>/src/main.js and
// writes <folder>/service.js with lazy parts in <folder>/chunks. <folder>/main.js checks the Node version and loads the
// service. See docs/adr/0024.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { decode, encode } from '@jridgewell/sourcemap-codec';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = path.resolve(process.argv[2] ?? path.join(root, 'dist'));

/** CommonJS libraries load Node's modules with `require`. */
const banner = `
const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);
const $folder = new URL(import.meta.url.endsWith('/service.js') ? '.' : '..', import.meta.url);`;

/**
 * Threads, child processes and pages are located relative to the file that names them, so its original address is kept.
 * Calls of `import.meta.resolve` need no change: from the bundle they find packages in the same `node_modules`. Classes
 * keep their names.
 */
const ownFiles = {
  name: 'own-files',
  setup(builder) {
    builder.onLoad({ filter: /\.js$/ }, async ({ path: file }) => {
      const own = path.relative(folder, file).split(path.sep).join('/');
      if (own.startsWith('..')) return undefined;
      const address = `new URL(${JSON.stringify(own)}, $folder).href`;
      const contents = (await readFile(file, 'utf8')).replaceAll(/\bimport\.meta\.url\b/g, address);
      return { contents: inAscii(withNames(contents)), loader: 'js' };
    });
  },
};

/**
 * Entities and types are identified by class names, which esbuild changes if several files use one. esbuild's
 * `keepNames` sets the name of each function whenever it is created. That takes a sixth of the processor time of a
 * proxied call.
 */
function withNames(contents) {
  const head = /^((?:export )?(?:\w+ )?(?:\w+ = )*class (\w+)(?: extends [^{]+?)? \{)$/gm;
  return contents.replaceAll(head, "$1 static { Object.defineProperty(this, 'name', { value: '$2' }); }");
}

/**
 * If a text contains a character beyond Latin 1, V8 stores two bytes per character: 5 MB in each process. esbuild escapes
 * such characters in strings, but not in regular expressions.
 */
function inAscii(contents) {
  return contents.replaceAll(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * For a dynamically imported CommonJS library esbuild exports only the default. This plugin adds the named exports that
 * Node detects.
 */
const namesOfCommonJs = {
  name: 'names-of-common-js',
  setup(builder) {
    builder.onResolve({ filter: /^[^./]/ }, async ({ kind, path: specifier, importer, resolveDir }) => {
      if (kind !== 'dynamic-import' || isBuiltin(specifier)) return undefined;
      const resolved = await builder.resolve(specifier, { kind: 'import-statement', importer, resolveDir });
      // A missing optional dependency is handled by the library.
      if (resolved.external || resolved.errors.length > 0) return undefined;
      const names = Object.keys(await import(pathToFileURL(resolved.path).href));
      return names.includes('module.exports')
        ? { path: resolved.path, namespace: 'common-js', pluginData: names }
        : resolved;
    });
    builder.onLoad({ filter: /.*/, namespace: 'common-js' }, ({ path: file, pluginData: names }) => {
      const named = names.filter(name => /^[\w$]+$/.test(name) && name !== 'default');
      const contents = `
        const all = require(${JSON.stringify(file)});
        export default all;
        export const { ${named.join(', ')} } = all;`;
      return { contents, resolveDir: path.dirname(file) };
    });
  },
};

/**
 * Data of the language detection. As a JavaScript object it takes 170 ms and 86 MB to load, as JSON 55 ms and 33 MB. A
 * regular expression of the library has a character beyond Latin 1.
 */
const languageData = {
  name: 'language-data',
  setup(builder) {
    builder.onLoad({ filter: /[\\/]eld[\\/]src[\\/]languageDetector\.js$/ }, async ({ path: file }) => ({
      contents: inAscii(await readFile(file, 'utf8')),
    }));
    builder.onLoad({ filter: /[\\/]eld[\\/]src[\\/]ngrams[\\/]\w+\.js$/ }, async ({ path: file }) => {
      const { ngramsData } = await import(pathToFileURL(file).href);
      return { contents: `export const ngramsData = JSON.parse(${JSON.stringify(JSON.stringify(ngramsData))});` };
    });
  },
};

/**
 * An import of a module of Node evaluates each of its exports. `node:http` and `node:crypto` load the web APIs for that, which takes a
 * twentieth of the start. This plugin reads only the exports that are used.
 */
const usedBuiltins = {
  name: 'used-builtins',
  setup(builder) {
    builder.onResolve({ filter: /^[\w:/]+$/ }, ({ kind, path: name }) =>
      kind === 'import-statement' && isBuiltin(name)
        ? { path: name, namespace: 'builtin', sideEffects: false }
        : undefined,
    );
    builder.onLoad({ filter: /.*/, namespace: 'builtin' }, async ({ path: name }) => {
      const names = Object.keys(await import(name)).filter(each => /^[\w$]+$/.test(each) && each !== 'default');
      const contents = `
        const $builtin = /* @__PURE__ */ process.getBuiltinModule(${JSON.stringify(name)});
        export default $builtin;
        ${names.map(each => `export const ${each} = /* @__PURE__ */ (() => $builtin.${each})();`).join('\n')}`;
      return { contents };
    });
  },
};

/**
 * Reduces a source map to the service's own sources and to line positions, a tenth of its size. It is read when an
 * error is logged. A mapping applies until the next one, also on later lines of the bundle, because Node's `findEntry`
 * returns the last one before a position. Code of a library ends the previous mapping. Returns null if there are no own
 * sources.
 */
function ownLines(text) {
  const { sources, mappings } = JSON.parse(text);
  const own = sources.filter(source => !source.includes('node_modules/'));
  if (own.length === 0) return null;
  const indexes = new Map(own.map((source, index) => [sources.indexOf(source), index]));
  let last = [];
  const startsNewLine = segment => {
    const [, source, line] = last;
    last = segment;
    return segment[1] !== source || segment[2] !== line;
  };
  const lines = decode(mappings).map(segments =>
    segments
      .map(([column, source, line]) => (indexes.has(source) ? [column, indexes.get(source), line, 0] : [column]))
      .filter(startsNewLine),
  );
  return JSON.stringify({ version: 3, sources: own, names: [], mappings: encode(lines) });
}

/** The first release with `crypto.argon2`. */
const MIN_NODE = [24, 7];

/**
 * Works in all Node releases with modules. In older ones the bundle itself would fail with a syntax error or a missing
 * export. Compiled code is kept in DATA_DIR for later starts: they need a tenth less time and memory. The folder is
 * private to the service, because Node runs what it finds there. It is created one level at a time: Node would create it
 * recursively and never return for a DATA_DIR in /proc, which the service refuses with a message.
 */
const entry = `import { mkdirSync } from 'node:fs';
import * as module from 'node:module';
const dataDir = process.env.DATA_DIR || '.data';
function makeFolder(folder) {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    return error.code === 'EEXIST';
  }
}
const [major, minor] = process.versions.node.split('.').map(Number);
if (major > ${MIN_NODE[0]} || (major === ${MIN_NODE[0]} && minor >= ${MIN_NODE[1]})) {
  if (makeFolder(dataDir) && makeFolder(dataDir + '/compiled')) module.enableCompileCache(dataDir + '/compiled');
  import('./service.js');
} else {
  console.error('Scenarium needs Node ${MIN_NODE.join('.')} or newer, and this is Node ' + process.versions.node + '. npm start uses the Node that npm ci installed.');
  process.exitCode = 1;
}
`;

const { outputFiles, warnings } = await build({
  absWorkingDir: root,
  entryPoints: [{ in: path.join(folder, 'src/main.js'), out: 'service' }],
  outdir: folder,
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  write: false,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: `node${MIN_NODE.join('.')}`,
  // Resolves packages as Node does, not with the conditions that esbuild adds for bundlers.
  conditions: [],
  banner: { js: banner },
  plugins: [ownFiles, usedBuiltins, namesOfCommonJs, languageData],
  minifyWhitespace: true,
  // Node prints the whole source line of an uncaught error.
  lineLimit: 200,
  legalComments: 'linked',
  sourcemap: 'external',
  sourcesContent: false,
  logLevel: 'warning',
});
if (warnings.length > 0) process.exitCode = 1;
await rm(path.join(folder, 'chunks'), { recursive: true, force: true });
await mkdir(path.join(folder, 'chunks'), { recursive: true });
await Promise.all(
  outputFiles.map(async ({ path: file, contents, text }) => {
    const written = file.endsWith('.map') ? ownLines(text) : contents;
    if (written !== null) await writeFile(file, written);
  }),
);
await writeFile(path.join(folder, 'main.js'), entry);
