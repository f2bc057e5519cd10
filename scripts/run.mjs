import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';

/** Runs a command in this terminal. Resolves with its exit code. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(signal ? 1 : (code ?? 1)));
  });
}

/** Runs jest on the compiled tests. Tests start hundreds of processes, which share a compile cache. */
export function jest(args) {
  const env = { ...process.env, NODE_COMPILE_CACHE: path.resolve('node_modules/.cache/compile') };
  const node = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', '--enable-source-maps'];
  return run(process.execPath, [...node, 'node_modules/jest/bin/jest.js', ...args], { env });
}

async function compileSources() {
  return (
    (await run('tsc', ['-p', 'tsconfig.test.json'])) || run(process.execPath, ['scripts/build-service.mjs', 'build'])
  );
}

async function bundlePages() {
  return (
    (await run(process.execPath, ['scripts/build-pages.mjs', 'build/public'])) ||
    run(process.execPath, ['console/build.mjs', 'build/public'])
  );
}

/** Compiles sources, tests, pages, the console and the service to build/. */
export async function compileTests() {
  rmSync('build', { recursive: true, force: true });
  const codes = await Promise.all([compileSources(), bundlePages()]);
  return Math.max(...codes);
}

/** Generates the types of clients/typescript, which git ignores, and compiles it to its dist/. */
async function typescriptClient() {
  return (
    (await run(process.execPath, ['scripts/generate-typescript-client.mjs'])) ||
    run('tsc', ['-p', 'clients/typescript'])
  );
}

/** Checks that need nothing compiled. */
const OF_SOURCES = [
  ['format and lint', () => run('biome', ['ci', '--log-level=warn', '.'])],
  [
    'the lists of modules and providers are up to date',
    () => run(process.execPath, ['scripts/generate-lists.mjs', '--check']),
  ],
  ['types of the pages', () => run('tsc', ['-p', 'pages/tsconfig.json'])],
];

const OF_BUILD = [
  ['types of the console', () => run('tsc', ['-p', 'console'])],
  ['types of clients/typescript', typescriptClient],
  ['types of the examples', () => run('tsc', ['-p', 'examples'])],
  ['schema.graphql is up to date', () => run(process.execPath, ['build/src/graphql/emit.js', '--check'])],
  [
    'docs/configuration.md is up to date',
    () => run(process.execPath, ['build/src/platform/config/configuration-page.js', '--check']),
  ],
  [
    'docs/expressions.md is up to date',
    () => run(process.execPath, ['build/src/modules/expressions/expressions-page.js', '--check']),
  ],
  [
    'docs/nodes.md is up to date',
    () => run(process.execPath, ['build/src/modules/workflows/node-kinds/nodes-page.js', '--check']),
  ],
  ['rest-compat/generated is up to date', () => run(process.execPath, ['build/src/http/generate-rest.js', '--check'])],
  ['clients/python is up to date', () => run(process.execPath, ['scripts/generate-python-client.mjs', '--check'])],
  ['examples are up to date', () => run(process.execPath, ['scripts/generate-examples.mjs', '--check'])],
];

/** Runs steps in order. Resolves with whether all passed. */
async function pass(steps) {
  for (const [name, step] of steps) {
    const started = Date.now();
    const code = await step();
    console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
    if (code !== 0) return false;
  }
  return true;
}

/** Runs the checks that need neither a database nor jest. Resolves with whether they passed. Leaves build/ compiled. */
export async function checkSources() {
  const results = await Promise.all([pass(OF_SOURCES), pass([['types', compileTests]])]);
  return results.every(Boolean) && pass(OF_BUILD);
}

/** Runs all checks of a commit that need no database. Resolves with whether they passed. Leaves build/ compiled. */
export async function check() {
  const tests = () => jest(['--config', 'jest.architecture.config.mjs', '--silent']);
  return (await checkSources()) && pass([['architecture', tests]]);
}
