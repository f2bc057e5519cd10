// The databases that a test file made go when it ends: hundreds of them take gigabytes.
const pg = require('pg');

const MADE = Symbol.for('scenarium.databases');

/** Drops what `createDatabase` of test/support named there. */
exports.dropDatabases = async () => {
  const names = globalThis[MADE]?.splice(0) ?? [];
  if (names.length === 0) return;
  const client = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL });
  await client.connect();
  for (const name of names) await client.query(`drop database if exists ${name} with (force)`);
  await client.end();
};
