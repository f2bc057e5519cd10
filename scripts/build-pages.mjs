// Bundles the browser pages: node scripts/build-pages.mjs [output folder, default dist/public].
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import registerScalar from '@scalar/fastify-api-reference';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = path.join(root, 'pages');
const output = path.resolve(process.argv[2] ?? path.join(root, 'dist/public'));

const common = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  legalComments: 'eof',
  logLevel: 'warning',
  target: ['es2022'],
  define: { 'process.env.NODE_ENV': '"production"' },
};

/** `import url from 'worker:x'` bundles x as a module worker. `url` is the address of the hashed file. */
const workers = {
  name: 'workers',
  setup(builder) {
    builder.onResolve({ filter: /^worker:/ }, async args => {
      const entry = await builder.resolve(args.path.slice('worker:'.length), {
        kind: 'import-statement',
        resolveDir: args.resolveDir,
      });
      return entry.errors.length > 0 ? entry : { path: entry.path, namespace: 'worker' };
    });
    builder.onLoad({ filter: /.*/, namespace: 'worker' }, async args => {
      const result = await build({ ...common, entryPoints: [args.path], format: 'esm', write: false });
      return { contents: result.outputFiles[0].contents, loader: 'file' };
    });
  },
};

/** graphiql/style.css contains the editor's rules and icon font. Monaco's own copies would be duplicates. */
const monacoStyles = {
  name: 'monaco-styles',
  setup(builder) {
    builder.onLoad({ filter: /[\\/]monaco-editor[\\/].*\.css$/ }, () => ({ contents: '', loader: 'empty' }));
  },
};

/**
 * Builds one page from its folder: index.html, page.css and often a script. %STYLE%, %SCRIPT% and others stand for
 * their addresses.
 */
async function buildPage(name, { script, addresses = {} } = {}) {
  const sources = [`pages/${name}/page.css`, ...(script === undefined ? [] : [`pages/${name}/${script}`])];
  const result = await build({
    ...common,
    entryPoints: sources,
    outdir: path.join(output, name, 'assets'),
    publicPath: `/${name}/assets`,
    format: 'esm',
    splitting: true,
    metafile: true,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.ttf': 'file' },
    plugins: [workers, monacoStyles],
  });
  const addressOf = source => {
    const [file] = Object.entries(result.metafile.outputs).find(([, entry]) => entry.entryPoint === source) ?? [];
    if (file === undefined) throw new Error(`esbuild produced no output for ${source}`);
    return `/${name}/assets/${path.basename(file)}`;
  };
  const [style, main] = sources.map(addressOf);
  const values = { STYLE: style, SCRIPT: main, ...addresses };
  const template = await readFile(path.join(pages, name, 'index.html'), 'utf8');
  const html = template.replaceAll(/%([A-Z]+)%/g, (mark, key) => {
    if (values[key] === undefined)
      throw new Error(`pages/${name}/index.html contains ${mark}, which the build does not define`);
    return values[key];
  });
  await writeFile(path.join(output, name, 'index.html'), html);
}

/**
 * Returns Scalar's browser bundle (4 MB). The package @scalar/api-reference brings 290 MB of dependencies. Its Fastify
 * plugin contains the same bundle in 30 MB and serves it from a route. The plugin is registered on a stub that records
 * routes, and the route is called.
 */
function scalarBundle() {
  const routes = [];
  const fastify = { route: route => routes.push(route), initialConfig: {}, hasPlugin: () => false };
  registerScalar(fastify, { routePrefix: '/docs', configuration: { url: '/openapi.json' } }, () => {});
  const serve = routes.find(route => route.url.endsWith('.js'));
  const reply = { header: () => reply, send: body => body };
  const bundle = serve?.handler({}, reply);
  if (typeof bundle !== 'string' || !bundle.includes('createApiReference')) {
    throw new Error('@scalar/fastify-api-reference does not serve its bundle as scripts/build-pages.mjs expects');
  }
  return bundle;
}

async function writeHashed(folder, name, text) {
  const hash = createHash('sha256').update(text).digest('base64url').replace(/[-_]/g, '').slice(0, 8).toUpperCase();
  const file = `${name}-${hash}.js`;
  await mkdir(path.join(output, folder, 'assets'), { recursive: true });
  await writeFile(path.join(output, folder, 'assets', file), text);
  return `/${folder}/assets/${file}`;
}

/** Compresses the assets. src/http/pages.ts sends the compressed file to browsers that accept it. */
async function packAssets() {
  const files = await readdir(output, { recursive: true });
  const compressible = files.filter(file => /\.(js|css)$/.test(file));
  await Promise.all(
    compressible.map(async file => {
      const packed = await promisify(gzip)(await readFile(path.join(output, file)), { level: 9 });
      await writeFile(path.join(output, `${file}.gz`), packed);
    }),
  );
}

// The console has its own folder and build (console/build.mjs).
for (const folder of ['graphiql', 'docs', 'chat'])
  await rm(path.join(output, folder), { recursive: true, force: true });
await mkdir(output, { recursive: true });
await copyFile(path.join(pages, 'favicon.svg'), path.join(output, 'favicon.svg'));
await buildPage('graphiql', { script: 'main.tsx' });
await buildPage('docs', {
  script: 'main.ts',
  addresses: { SCALAR: await writeHashed('docs', 'scalar', scalarBundle()) },
});
await buildPage('chat', { script: 'chat.ts' });
// Other sites load it by the address of a chat, so its name does not change.
await build({
  ...common,
  entryPoints: ['pages/chat/embed.ts'],
  outfile: path.join(output, 'chat/embed.js'),
  format: 'iife',
});
await packAssets();
