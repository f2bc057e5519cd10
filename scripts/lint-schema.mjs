import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';

// Runs graphql-schema-linter with all rules, and graphql-eslint with `schema-all` without the exceptions of its configuration.
// Both are installed into a folder of their own, because they have 300 packages, more than the whole service needs for `npm ci`.
const FOLDER = 'node_modules/.cache/schema-lint';
const PACKAGES = {
  '@graphql-eslint/eslint-plugin': '4.4.1',
  eslint: '9.39.5',
  graphql: '16.15.0',
  'graphql-schema-linter': '3.0.1',
};

mkdirSync(FOLDER, { recursive: true });
writeFileSync(
  `${FOLDER}/package.json`,
  JSON.stringify({ name: 'schema-lint', private: true, type: 'module', dependencies: PACKAGES }),
);
copyFileSync('schema.graphql', `${FOLDER}/schema.graphql`);
cpSync('scripts/schema-lint', FOLDER, { recursive: true });

function run(command, args) {
  return spawnSync(command, args, { cwd: FOLDER, stdio: 'inherit' }).status ?? 1;
}

if (!existsSync(`${FOLDER}/node_modules/.package-lock.json`)) {
  const status = run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts']);
  if (status !== 0) process.exit(status);
}
const statuses = [
  run('node_modules/.bin/graphql-schema-linter', ['schema.graphql']),
  run('node_modules/.bin/eslint', ['--max-warnings=0', 'schema.graphql']),
];
process.exitCode = Math.max(...statuses);
