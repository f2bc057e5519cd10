import { MIGRATIONS } from '../migrations/index.js';
import { withDatabase } from './open-database.js';

export async function migrate(env: NodeJS.ProcessEnv): Promise<void> {
  await withDatabase(env, async () => {});
  console.log(`The database is up to date: ${MIGRATIONS.at(-1)?.name}.`);
}
