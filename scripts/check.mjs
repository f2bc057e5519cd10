// Everything that is true of a good commit and needs no database: format and lint, types, fresh generated files,
// and the floors of the house.
import { compileTests, jest, run } from './run.mjs';

const steps = [
  ['format and lint', () => run('biome', ['ci', '--log-level=warn', '.'])],
  ['types', () => compileTests({ fresh: true })],
  ['schema.graphql is fresh', () => run(process.execPath, ['build/src/graphql/emit.js', '--check'])],
  ['rest-compat/generated is fresh', () => run(process.execPath, ['build/rest-compat/generate.js', '--check'])],
  ['architecture', () => jest(['--config', 'jest.architecture.config.mjs', '--silent'])],
];

for (const [name, step] of steps) {
  const started = Date.now();
  const code = await step();
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  if (code !== 0) process.exit(code);
}
