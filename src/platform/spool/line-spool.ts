import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const SUFFIX = '.jsonl';
const REFUSED = 'refused-';
const BATCH = 500;
const OTHERS_AFTER_MS = 2_000;

/** What waits in a spool folder, files of all processes together. */
export interface SpoolStatus {
  bytes: number;
  /** Of the oldest file; 0: nothing waits. */
  oldestMs: number;
  /** Bytes of entries that were set aside. */
  refusedBytes: number;
}

/**
 * Entries on the local disk that could not be written elsewhere: files of JSON lines, mode 0600, flushed to the disk
 * before `append` resolves. Any number of processes may share the folder: each appends to a file of its own, and any of
 * them may replay the files of all. An entry may be replayed more than once, never less: it carries its own id, and its
 * reader ignores an id that it has.
 */
export class LineSpool {
  /** The file that this process appends to. */
  #own: string | undefined;
  #appending: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly folder: string,
    /** Begins the names of the files. No other spool in the folder begins with it. */
    private readonly prefix: string,
    /** Files of other processes are replayed when they are this old: those gain time to append. */
    private readonly othersAfterMs = OTHERS_AFTER_MS,
  ) {}

  /** Resolves when the entries are on the disk. Throws the error of the file system; then some of them may be there. */
  append(entries: readonly unknown[]): Promise<void> {
    const appended = this.#appending.then(() =>
      this.#append(`${entries.map(each => JSON.stringify(each)).join('\n')}\n`),
    );
    this.#appending = appended.catch(() => {});
    return appended;
  }

  /** Keeps an entry, with the reason, in a file that is not replayed: `refused-<prefix>-<date>.jsonl`. */
  async setAside(entry: unknown, reason: string): Promise<void> {
    const line = JSON.stringify({ at: new Date().toISOString(), reason, entry });
    await this.#writeTo(
      join(this.folder, `${REFUSED}${this.prefix}-${new Date().toISOString().slice(0, 10)}${SUFFIX}`),
      line,
    );
  }

  /**
   * Hands all entries to `write`, oldest file first, and removes each file when all of it was written. Stops at the first
   * error of `write` and throws it: what is left is handed over the next time. A line that is no JSON is handed to
   * `whenUnreadable`. Returns the number of entries.
   */
  async replay(
    write: (entries: unknown[]) => Promise<void>,
    whenUnreadable: (line: string) => Promise<void>,
  ): Promise<number> {
    let count = 0;
    for (const name of await this.#files()) {
      const isOwn = join(this.folder, name) === this.#own;
      if (!isOwn && Math.abs(Date.now() - createdAt(name)) < this.othersAfterMs) continue;
      const path = await this.#take(name);
      const file = path === undefined ? undefined : await open(path).catch(unlessMissing);
      if (path === undefined || file === undefined) continue;
      for await (const lines of batchesOf(file)) {
        const entries: unknown[] = [];
        for (const line of lines) {
          const entry = parsed(line);
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
        found => found.size,
        () => 0,
      );
    const sum = async (some: string[]) => (await Promise.all(some.map(size))).reduce((all, each) => all + each, 0);
    const files = await this.#files();
    const begun = files.map(createdAt).filter(ms => ms > 0);
    return {
      bytes: await sum(files),
      oldestMs: begun.length > 0 ? Math.max(0, now - Math.min(...begun)) : 0,
      refusedBytes: await sum(names.filter(name => name.startsWith(`${REFUSED}${this.prefix}-`))),
    };
  }

  /** A file that is replayed gets another name first: its appender notices and opens a new one. */
  #take(name: string): Promise<string | undefined> {
    // Not while this process appends.
    const taken = this.#appending.then(() => this.#rename(name));
    this.#appending = taken.catch(() => {});
    return taken;
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
      // It was taken for a replay in between, which may have read it before this was written.
      if (this.#own === path) this.#own = undefined;
    }
  }

  /** Returns whether the file still had its name after the text was on the disk. */
  async #writeTo(path: string, text: string): Promise<boolean> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const file = await open(path, 'a', 0o600);
    try {
      const isNew = (await file.stat()).size === 0;
      // Ends what an earlier append may have left of a line when the disk was full.
      await file.appendFile(`\n${text}`);
      await file.sync();
      if (isNew) await this.#syncFolder();
      const [written, named] = await Promise.all([file.stat(), stat(path).catch(() => undefined)]);
      return named?.ino === written.ino;
    } finally {
      await file.close();
    }
  }

  /** A new name is on the disk once its folder is. */
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

/** Milliseconds since 1970 of the first entry; 0 where the name does not say. */
function createdAt(name: string): number {
  return Number(/-(\d+)-[0-9a-f-]{36}\.jsonl$/.exec(name)?.[1] ?? 0);
}

async function* batchesOf(file: FileHandle): AsyncGenerator<string[]> {
  let batch: string[] = [];
  // Closes the file at its end, and when the loop is left.
  for await (const line of file.readLines()) {
    if (line === '') continue;
    batch.push(line);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Undefined where the line is no JSON: its end is missing. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Undefined for a file that another process has taken meanwhile. */
function unlessMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
