import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const SUFFIX = '.jsonl';
const REFUSED = 'refused-';
/** Maximum entries that one call of `write` gets. */
const BATCH_ENTRIES = 500;
const FOREIGN_FILE_AGE_MS = 2_000;

/** The state of a spool folder, with the files of all processes. */
export interface SpoolStatus {
  bytes: number;
  /** Age of the oldest file in milliseconds; 0 if the spool is empty. */
  oldestMs: number;
  /** Bytes of rejected entries. */
  refusedBytes: number;
}

/**
 * Stores entries on the local disk that could not be written elsewhere. The files contain JSON lines, have mode 0600,
 * and are flushed to disk before `append` resolves. Several processes may share the folder: each appends to its own
 * file, and each may replay all files. An entry is replayed at least once. It carries an id, by which its reader
 * ignores duplicates.
 */
export class LineSpool {
  /** The file to which this process appends. */
  #own: string | undefined;
  #appending: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly folder: string,
    /** Prefix of the file names. No other spool in the folder may use it. */
    private readonly prefix: string,
    /** Minimum age in milliseconds at which files of other processes are replayed, so that they can collect entries. */
    private readonly foreignFileAgeMs = FOREIGN_FILE_AGE_MS,
  ) {}

  /** Resolves when the entries are on disk. Throws the error of the file system; some entries may then be on disk. */
  append(entries: readonly unknown[]): Promise<void> {
    const appended = this.#appending.then(() =>
      this.#append(`${entries.map(each => JSON.stringify(each)).join('\n')}\n`),
    );
    this.#appending = appended.catch(() => {});
    return appended;
  }

  /** Stores an entry and the reason in a file that is not replayed: `refused-<prefix>-<date>.jsonl`. */
  async setAside(entry: unknown, reason: string): Promise<void> {
    const line = JSON.stringify({ at: new Date().toISOString(), reason, entry });
    await this.#writeTo(
      join(this.folder, `${REFUSED}${this.prefix}-${new Date().toISOString().slice(0, 10)}${SUFFIX}`),
      line,
    );
  }

  /**
   * Passes all entries to `write`, oldest file first, and removes each file after its last entry. Stops at the first
   * error of `write` and throws it; the next replay reads that file again. Passes invalid lines to `whenUnreadable`. Returns
   * the number of entries.
   */
  async replay(
    write: (entries: unknown[]) => Promise<void>,
    whenUnreadable: (line: string) => Promise<void>,
  ): Promise<number> {
    let count = 0;
    for (const name of await this.#files()) {
      const isOwn = join(this.folder, name) === this.#own;
      if (!isOwn && Math.abs(Date.now() - createdAt(name)) < this.foreignFileAgeMs) continue;
      const path = await this.#take(name);
      const file = path === undefined ? undefined : await open(path).catch(unlessMissing);
      if (path === undefined || file === undefined) continue;
      for await (const lines of batchesOf(file)) {
        const entries: unknown[] = [];
        for (const line of lines) {
          const entry = parseLine(line);
          if (entry === undefined) await whenUnreadable(line);
          else entries.push(entry);
        }
        if (entries.length > 0) await write(entries);
        count += entries.length;
      }
      await rm(path, { force: true });
    }
    return count;
  }

  async isEmpty(): Promise<boolean> {
    return (await this.#files()).length === 0;
  }

  async status(now = Date.now()): Promise<SpoolStatus> {
    const names = await this.#names();
    const size = (name: string) =>
      stat(join(this.folder, name)).then(
        entry => entry.size,
        () => 0,
      );
    const sum = async (paths: string[]) => (await Promise.all(paths.map(size))).reduce((all, each) => all + each, 0);
    const files = await this.#files();
    const startTimes = files.map(createdAt).filter(ms => ms > 0);
    return {
      bytes: await sum(files),
      oldestMs: startTimes.length > 0 ? Math.max(0, now - Math.min(...startTimes)) : 0,
      refusedBytes: await sum(names.filter(name => name.startsWith(`${REFUSED}${this.prefix}-`))),
    };
  }

  /** Renames a file before it is replayed. Its appender notices that and opens a new file. */
  #take(name: string): Promise<string | undefined> {
    // Waits until this process has finished appending.
    const newPath = this.#appending.then(() => this.#rename(name));
    this.#appending = newPath.catch(() => {});
    return newPath;
  }

  #rename(name: string): Promise<string | undefined> {
    const path = join(this.folder, `${this.prefix}-${createdAt(name)}-${randomUUID()}${SUFFIX}`);
    if (join(this.folder, name) === this.#own) this.#own = undefined;
    return rename(join(this.folder, name), path).then(() => path, unlessMissing);
  }

  async #append(text: string): Promise<void> {
    for (;;) {
      this.#own ??= join(this.folder, `${this.prefix}-${Date.now()}-${randomUUID()}${SUFFIX}`);
      const path = this.#own;
      if (await this.#writeTo(path, text)) return;
      // A replay renamed the file and may have read it before this text was written.
      if (this.#own === path) this.#own = undefined;
    }
  }

  /** Returns whether the file still had its name after the text was on disk. */
  async #writeTo(path: string, text: string): Promise<boolean> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const file = await open(path, 'a', 0o600);
    try {
      const isNew = (await file.stat()).size === 0;
      // Ends a partial line that an earlier append may have left when the disk was full.
      await file.appendFile(`\n${text}`);
      await file.sync();
      if (isNew) await this.#syncFolder();
      const [openFile, fileAtPath] = await Promise.all([file.stat(), stat(path).catch(() => undefined)]);
      return fileAtPath?.ino === openFile.ino;
    } finally {
      await file.close();
    }
  }

  /** A new file name is durable only after its folder is synced. */
  async #syncFolder(): Promise<void> {
    const folder = await open(this.folder, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  async #files(): Promise<string[]> {
    const own = (await this.#names()).filter(name => name.startsWith(`${this.prefix}-`) && name.endsWith(SUFFIX));
    return own.toSorted((a, b) => createdAt(a) - createdAt(b));
  }

  async #names(): Promise<string[]> {
    return (await readdir(this.folder).catch(unlessMissing)) ?? [];
  }
}

/** Unix time of the first entry in milliseconds; 0 if the name does not contain it. */
function createdAt(name: string): number {
  return Number(/-(\d+)-[0-9a-f-]{36}\.jsonl$/.exec(name)?.[1] ?? 0);
}

async function* batchesOf(file: FileHandle): AsyncGenerator<string[]> {
  let batch: string[] = [];
  // The stream closes the file at its end and when the loop is left.
  for await (const line of file.readLines()) {
    if (line === '') continue;
    batch.push(line);
    if (batch.length < BATCH_ENTRIES) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Returns undefined for an incomplete line. */
function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Returns undefined for a file that another process has already taken. */
function unlessMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
