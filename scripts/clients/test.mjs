// Installs the conformance suite of MCP in a cache, where it adds nothing to the dependencies, and runs the tests of clients.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from '../run.mjs';

const SUITE = '@modelcontextprotocol/conformance';
const VERSION = '0.1.16';
const folder = path.resolve('node_modules/.cache', `mcp-conformance-${VERSION}`);

/** Resolves with whether the suite is installed. Scripts of packages do not run. */
async function install() {
  if (existsSync(path.join(folder, 'node_modules', SUITE, 'dist/index.js'))) return true;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true }));
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--loglevel=error'];
  return (await run('npm', ['install', ...quiet, `${SUITE}@${VERSION}`], { cwd: folder })) === 0;
}

if (process.env.MCP_CONFORMANCE === undefined) {
  if (await install()) process.env.MCP_CONFORMANCE = folder;
  else console.error(`${SUITE} ${VERSION} cannot be installed: its tests are skipped.`);
}
const patterns = process.argv.slice(2);
process.exitCode = await run(process.execPath, [
  'scripts/test.mjs',
  ...(patterns.length > 0 ? patterns : ['test/clients']),
]);
