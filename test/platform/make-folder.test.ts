import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeFolder } from '../../src/platform/config/make-folder.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'scenarium-folder-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('makeFolder', () => {
  it('creates what is missing, once or by several callers at the same time', async () => {
    const deep = path.join(folder, 'a', 'b', 'c');
    await Promise.all([makeFolder(deep), makeFolder(deep), makeFolder(deep)]);
    expect((await stat(deep)).isDirectory()).toBe(true);
    await makeFolder(deep);
  });

  it('refuses a path through a file, and one that is a file', async () => {
    const file = path.join(folder, 'file');
    await writeFile(file, '');
    await expect(makeFolder(file)).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(makeFolder(path.join(file, 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  it.each(['/proc/foo', '/proc/foo/bar'])('rejects instead of retrying where the kernel refuses %s', async refused => {
    await expect(makeFolder(refused)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
