// Builds the console: node console/build.mjs [output folder, default dist/public].
//
// The result is kept in node_modules/.cache/console under the hash of its sources, and only copied while no source changes. Tests and
// the build share it.
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { generate } from './generate.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const output = path.resolve(process.argv[2] ?? path.join(root, 'dist/public'));
const cache = path.join(root, 'node_modules/.cache/console');

/** A hash of the sources, the schema and the versions of the dependencies. */
async function hashSources() {
  const hash = createHash('sha256');
  const sources = (await readdir(path.join(root, 'console'), { recursive: true, withFileTypes: true }))
    .filter(entry => entry.isFile() && !entry.name.endsWith('.generated.ts'))
    .map(entry => path.join(entry.parentPath, entry.name));
  for (const file of [...sources.sort(), path.join(root, 'schema.graphql'), path.join(root, 'package-lock.json')])
    hash
      .update(path.relative(root, file))
      .update('\0')
      .update(await readFile(file))
      .update('\0');
  return hash.digest('hex').slice(0, 16);
}

/** src/http/console.ts sends the compressed copy to browsers that accept it. */
async function compressAssets(folder) {
  const files = (await readdir(folder)).filter(file => /\.(js|css|svg|json)$/.test(file));
  await Promise.all(
    files.map(async file => {
      const content = await readFile(path.join(folder, file));
      const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
      await writeFile(path.join(folder, `${file}.br`), await promisify(brotliCompress)(content, { params }));
      await writeFile(path.join(folder, `${file}.gz`), await promisify(gzip)(content, { level: 9 }));
    }),
  );
}

const safelist = await generate();
const built = path.join(cache, await hashSources());
const isBuilt = await readdir(built).then(
  () => true,
  () => false,
);
if (!isBuilt) {
  const { build } = await import('vite');
  const temporary = `${built}-${process.pid}`;
  const configFile = path.join(root, 'console/vite.config.mjs');
  await rm(temporary, { recursive: true, force: true });
  await build({ configFile, logLevel: 'warn', build: { outDir: temporary, emptyOutDir: true } });
  await rename(path.join(temporary, 'index.html'), path.join(temporary, 'console/index.html'));
  await compressAssets(path.join(temporary, 'console/assets'));
  await writeFile(path.join(temporary, 'console/operations.json'), `${JSON.stringify(safelist, null, 1)}\n`);
  // A folder with a hyphen is the unfinished build of a process.
  for (const old of await readdir(cache)) {
    if (!old.includes('-')) await rm(path.join(cache, old), { recursive: true, force: true });
  }
  await rename(temporary, built);
}
await mkdir(output, { recursive: true });
await rm(path.join(output, 'console'), { recursive: true, force: true });
await cp(path.join(built, 'console'), path.join(output, 'console'), { recursive: true });
