import { MIGRATIONS } from '../migrations/index.js';
import type { CliContext, Options } from './arguments.js';
import { withDatabase } from './open-database.js';

export async function migrate(options: Options, { env, print }: CliContext): Promise<void> {
  await withDatabase(env, async () => {}, {
    allowNewer: options['allow-newer'] === true,
    creates: true,
  });
  print(`The database is up to date: ${MIGRATIONS.at(-1)?.name}.`);
}
