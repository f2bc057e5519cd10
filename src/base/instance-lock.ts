import pg from 'pg';

const INSTANCE_LOCK = 7_266_300;

/**
 * Makes this process the only one on an embedded database, for as long as it lives: a session lock that PostgreSQL
 * itself lets go when the process dies. Undefined when another process holds it.
 */
export async function takeInstanceLock(url: string): Promise<{ release(): Promise<void> } | undefined> {
  const client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    application_name: `scenarium ${process.pid}`,
  });
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [INSTANCE_LOCK]);
  if (rows[0].taken) return { release: () => client.end().catch(() => {}) };
  await client.end();
  return undefined;
}
