import pg from 'pg';
import { databaseUrl } from '../../support/config.js';

/** Every row of every table, as text: values of `bytea` as hexadecimal digits. */
export async function dumpOf(database: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl(database) });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const rows: string[] = [];
  for (const { name } of tables) {
    const { rows: found } = await client.query<{ row: string }>(`select to_json(t)::text as row from ${name} t`);
    rows.push(...found.map(({ row }) => `${name} ${row}`));
  }
  await client.end();
  return rows.join('\n');
}

/** A canary in clear and in the encodings that do not encrypt it. */
function formsOf(canary: string): string[] {
  // An encoded single character occurs by chance.
  if (canary.length < 6) return [canary];
  const bytes = Buffer.from(canary);
  // The Base64 of a text inside another one depends on its offset, except for the middle.
  const within = [0, 1, 2].map(offset => bytes.subarray(offset, offset + 18).toString('base64'));
  const excerpts = canary.length < 1000 ? [] : [0, 0.3, 0.6, 0.9].map(part => excerptOf(canary, part * canary.length));
  return [
    ...excerpts,
    canary,
    encodeURIComponent(canary),
    bytes.toString('hex'),
    ...within,
    [...canary].reverse().join(''),
  ];
}

function excerptOf(canary: string, at: number): string {
  return canary.slice(Math.floor(at), Math.floor(at) + 100);
}

/** Places where canaries occur in clear, with some of the surrounding text. */
export function occurrences(canaries: Record<string, string>, places: Record<string, string>): string[] {
  return Object.entries(canaries).flatMap(([name, canary]) =>
    Object.entries(places).flatMap(([place, text]) =>
      formsOf(canary).flatMap(form => {
        const at = text.indexOf(form);
        return at < 0 ? [] : [`${name} in ${place}: …${text.slice(Math.max(0, at - 200), at + 60)}…`];
      }),
    ),
  );
}
