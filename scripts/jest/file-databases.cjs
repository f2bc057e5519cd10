// Drops the databases of a test file when it ends, because hundreds of them take gigabytes.
const pg = require('pg');

const MADE = Symbol.for('scenarium.databases');

/** Drops the databases that `createDatabase` of test/support recorded. */
exports.dropDatabases = async () => {
  const names = globalThis[MADE]?.splice(0) ?? [];
  if (names.length === 0) return;
  const client = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL });
  await client.connect();
  for (const name of names) await client.query(`drop database if exists ${name} with (force)`);
  await client.end();
};
