import { open } from 'node:fs/promises';
import { OPERATOR } from '../modules/accounts/viewer.js';
import { AuditArchive } from '../modules/projects/audit/audit-archive.js';
import { type CliContext, type Options, UsageError } from './arguments.js';
import { withDatabase } from './open-database.js';

const COMMAND = 'audit export';

/**
 * Writes audit log entries up to a day to a new file. With `prune` it deletes the exported entries from the database.
 */
export async function exportAudit({ before, file, prune }: Options, { env, print }: CliContext): Promise<void> {
  const day = dayOf(String(before));
  const count = await withDatabase(env, async database => {
    const archive = new AuditArchive(database);
    const out = await open(String(file), 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
      throw new Error(`--file: ${error.code === 'EEXIST' ? 'the file exists; name a new one' : error.message}.`);
    });
    let exported = 0;
    try {
      for await (const entries of archive.pages(day)) {
        if (exported === 0 && prune) await archive.recordPrune(OPERATOR, day);
        await out.writeFile(entries.map(({ line }) => `${line}\n`).join(''));
        exported += entries.length;
        if (!prune) continue;
        // Entries are deleted from the database only after they are on disk.
        await out.sync();
        await archive.remove(entries);
      }
      await out.sync();
    } finally {
      await out.close();
    }
    return exported;
  });
  print(`${count} entries ${prune ? 'moved' : 'copied'} to the file.`);
}

/** Returns the start of a day in UTC. The day must have begun, so that no earlier entry can follow. */
function dayOf(text: string): Date {
  const day = new Date(`${text}T00:00:00Z`);
  const isDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) && text.length === 10;
  if (!isDay || day.getTime() > Date.now())
    throw new UsageError(`${COMMAND}: --before takes a day that has begun (UTC), as YYYY-MM-DD.`);
  return day;
}
