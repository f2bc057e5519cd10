import { appendFile, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { LineSpool } from '../../src/platform/spool/line-spool.js';

let folder: string;
beforeEach(async () => {
  folder = path.join(await mkdtemp(path.join(tmpdir(), 'line-spool-')), 'spool');
});
afterEach(() => rm(path.dirname(folder), { recursive: true, force: true }));

/** Replays files of other spools that are at least `othersAfterMs` old. */
const spoolOf = (othersAfterMs = 0) => new LineSpool(folder, 'chat', othersAfterMs);
const files = () => readdir(folder);

/** Replays everything. Returns the ids in their order, and lines that are not JSON. */
async function replayAll(spool = spoolOf()) {
  const ids: unknown[] = [];
  const unreadable: string[] = [];
  await spool.replay(
    async entries => void ids.push(...entries.map(entry => (entry as { id: unknown }).id)),
    async line => void unreadable.push(line),
  );
  return { ids, unreadable };
}

it('replays what another process has appended, and removes it', async () => {
  await spoolOf().append([{ id: 1 }, { id: 2 }]);
  const second = spoolOf();
  await second.append([{ id: 3 }]);
  await second.append([{ id: 4 }]);
  expect(await files()).toHaveLength(2);
  for (const name of await files()) expect((await stat(path.join(folder, name))).mode & 0o777).toBe(0o600);
  expect((await spoolOf().status()).bytes).toBeGreaterThan(0);
  const { ids } = await replayAll();
  expect(ids.toSorted()).toEqual([1, 2, 3, 4]);
  expect(await files()).toEqual([]);
  expect(await spoolOf().status()).toEqual({ bytes: 0, oldestMs: 0, refusedBytes: 0 });
});

it('keeps everything when writing fails, and replays it again', async () => {
  const spool = spoolOf();
  await spool.append([{ id: 1 }]);
  await expect(
    spool.replay(
      () => Promise.reject(new Error('away')),
      async () => {},
    ),
  ).rejects.toThrow('away');
  await spool.append([{ id: 2 }]);
  expect((await replayAll()).ids.toSorted()).toEqual([1, 2]);
});

it('appends to a new file when another process has taken its own', async () => {
  const spool = spoolOf();
  await spool.append([{ id: 1 }]);
  const [name] = await files();
  await rename(path.join(folder, name!), path.join(folder, 'elsewhere'));
  await spool.append([{ id: 2 }]);
  expect(await replayAll()).toEqual({ ids: [2], unreadable: [] });
});

it('loses nothing to replays by others while it appends', async () => {
  const spool = spoolOf();
  const seen = new Set<unknown>();
  let isDone = false;
  // Long enough for an append to a new file: it starts again if the file is taken before it ends.
  const replaying = (async () => {
    while (!isDone) for (const id of (await replayAll(spoolOf(100))).ids) seen.add(id);
  })();
  let count = 0;
  // Appends until others have taken two files.
  for (let taken = 0; taken < 2; count++) {
    const before = seen.size;
    await spool.append([{ id: count }]);
    if (seen.size > before) taken++;
  }
  isDone = true;
  await replaying;
  for (const id of (await replayAll()).ids) seen.add(id);
  expect(seen.size).toBe(count);
});

it('continues after a line that a crash has cut off', async () => {
  const spool = spoolOf();
  await spool.append([{ id: 1 }]);
  const [name] = await files();
  await appendFile(path.join(folder, name!), '\n{"id": 2, "amo');
  await spool.append([{ id: 3 }]);
  expect(await replayAll()).toEqual({ ids: [1, 3], unreadable: ['{"id": 2, "amo'] });
});

it('does not replay what was set aside', async () => {
  const spool = spoolOf();
  await spool.setAside({ id: 1 }, 'out of range');
  expect((await replayAll()).ids).toEqual([]);
  const [name] = await files();
  expect(name).toMatch(/^refused-chat-\d{4}-\d\d-\d\d\.jsonl$/);
  expect(JSON.parse((await readFile(path.join(folder, name!), 'utf8')).trim())).toMatchObject({
    entry: { id: 1 },
    reason: 'out of range',
  });
  expect((await spool.status()).refusedBytes).toBeGreaterThan(0);
});

it('throws the error of the file system', async () => {
  await writeFile(folder, '');
  await expect(spoolOf().append([{ id: 1 }])).rejects.toThrow(folder);
});
