import { MIGRATIONS } from '../migrations/index.js';
import type { Options } from './arguments.js';
import { withDatabase } from './open-database.js';

export async function migrate(options: Options, env: NodeJS.ProcessEnv): Promise<void> {
  await withDatabase(env, async () => {}, { allowNewer: options['allow-newer'] === true });
  console.log(`The database is up to date: ${MIGRATIONS.at(-1)?.name}.`);
}
