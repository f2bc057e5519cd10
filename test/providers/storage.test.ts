import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parseStorageUrl, type StorageLocation } from '../../src/platform/config/storage-url.js';
import { openStorage } from '../../src/providers/storage/open-storage.js';
import { Spool } from '../../src/providers/storage/spool.js';
import { StoredFileMissingError } from '../../src/providers/storage/storage.js';
import { S3_KEYS, type S3Server, startS3Server } from './s3-server.js';

const KEY = `${'0123456789abcdef'.repeat(2)}.txt`;

let folder: string;
let s3: S3Server;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'storage-'));
  s3 = await startS3Server('my-bucket');
});
afterEach(async () => {
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

const open = (location: StorageLocation | null, aws = S3_KEYS) =>
  openStorage({ location, dataDir: folder, aws, maxUploadBytes: 1024 * 1024 });
const s3Location = () => parseStorageUrl(`s3://my-bucket/some prefix/?endpoint=${s3.endpoint}&region=eu-central-1`);

describe.each([
  ['a folder', () => open(null)],
  ['S3', () => open(s3Location())],
])('in %s', (_, openIt) => {
  it('a file is read as it was stored, and is removed from the spool', async () => {
    const { storage, spool } = await openIt();
    const content = Buffer.alloc(300_000, 'some bytes ');
    const file = await spool.receive(Readable.from([content]), 'a.txt');
    await storage.put(KEY, file);
    expect(await buffer(await storage.open(KEY))).toEqual(content);
    await file.discard();
    expect(await readdir(path.join(folder, 'files', '.incoming'))).toEqual([]);
  });

  it('an empty file can be stored', async () => {
    const { storage, spool } = await openIt();
    await storage.put(KEY, await spool.receive(Readable.from([]), 'empty'));
    expect(await buffer(await storage.open(KEY))).toHaveLength(0);
  });

  it('a file that does not exist is missing, and can be removed all the same', async () => {
    const { storage, spool } = await openIt();
    await expect(storage.open(KEY)).rejects.toThrow(StoredFileMissingError);
    await storage.remove(KEY);
    await storage.put(KEY, await spool.receive(Readable.from([Buffer.from('x')]), 'x'));
    await storage.remove(KEY);
    await expect(storage.open(KEY)).rejects.toThrow(StoredFileMissingError);
  });

  it('no key leads out of the folder', async () => {
    const { storage } = await openIt();
    for (const key of ['../../etc/passwd', `${'a'.repeat(32)}/../x`, '', 'A'.repeat(32)]) {
      await expect(storage.open(key)).rejects.toThrow('32 hexadecimal digits');
      await expect(storage.remove(key)).rejects.toThrow('32 hexadecimal digits');
    }
  });
});

it('a folder removes the rest of a copy that failed with its file', async () => {
  const { storage, spool } = await open(null);
  await storage.put(KEY, await spool.receive(Readable.from([Buffer.from('x')]), 'x'));
  const subfolder = path.join(folder, 'files', KEY.slice(0, 2));
  await writeFile(path.join(subfolder, `${KEY}.partial`), 'x');
  await storage.remove(KEY);
  expect(await readdir(subfolder)).toEqual([]);
});

describe('S3', () => {
  it('receives each file under the prefix in the bucket, by one request of known length', async () => {
    const { storage, spool } = await open(s3Location());
    await storage.put(KEY, await spool.receive(Readable.from([Buffer.from('x')]), 'x'));
    expect(s3.requests).toEqual([`PUT /my-bucket/some%20prefix/${KEY} 200`]);
  });

  it('that refuses the keys or fails is reported, without signed values', async () => {
    const { storage, spool } = await open(s3Location(), { ...S3_KEYS, secretAccessKey: 'wrong' });
    const file = await spool.receive(Readable.from([Buffer.from('x')]), 'x');
    await expect(storage.put(KEY, file)).rejects.toThrow(new Error('the S3 storage answered PUT with status 403'));
    await expect(storage.open(KEY)).rejects.toThrow(new Error('the S3 storage answered GET with status 403'));
    s3.failures.push(500);
    await expect(storage.remove(KEY)).rejects.toThrow(new Error('the S3 storage answered DELETE with status 500'));
  });
});

describe('the spool', () => {
  it('makes files readable only by their owner and counts their bytes', async () => {
    const { spool } = await open(null);
    const file = await spool.receive(Readable.from([Buffer.from('ab'), Buffer.from('c')]), 'x.md');
    expect(file).toMatchObject({ size: 3, contentType: 'text/markdown', extension: 'md', filename: 'x.md' });
    expect((await stat(file.path)).mode & 0o777).toBe(0o600);
    expect(await readFile(file.path, 'utf8')).toBe('abc');
  });

  it('deletes a file that is too large or incomplete', async () => {
    const { spool } = await open(null);
    const large = Readable.from([Buffer.alloc(1024 * 1024), Buffer.alloc(1)]);
    await expect(spool.receive(large, 'x')).rejects.toMatchObject({ extensions: { code: 'PAYLOAD_TOO_LARGE' } });
    const broken = new Readable({
      read() {
        this.destroy(new Error('gone'));
      },
    });
    await expect(spool.receive(broken, 'x')).rejects.toThrow('gone');
    expect(await readdir(path.join(folder, 'files', '.incoming'))).toEqual([]);
  });

  it('deletes files that an earlier process left a day ago', async () => {
    const [old, fresh] = [path.join(folder, 'old'), path.join(folder, 'fresh')];
    await Promise.all([writeFile(old, 'x'), writeFile(fresh, 'x')]);
    await utimes(old, 0, 0);
    await Spool.open(folder, 1);
    expect(await readdir(folder)).toEqual(['fresh']);
  });

  it('rejects content that fails before it is read, and leaves no file', async () => {
    const spool = await Spool.open(folder, 1);
    const content = new Readable({ read() {} });
    const received = spool.receive(content, 'a.txt');
    // The multipart parser does this when a file exceeds its limit while the target is being opened.
    content.destroy(new Error('too large'));
    await expect(received).rejects.toThrow('too large');
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('STORAGE_URL', () => {
  it('names a folder or a bucket', () => {
    expect(parseStorageUrl('file:/var/files')).toEqual({ kind: 'file', folder: '/var/files' });
    expect(parseStorageUrl('file:///var/files')).toEqual({ kind: 'file', folder: '/var/files' });
    expect(parseStorageUrl('s3://bucket')).toEqual({
      kind: 's3',
      bucket: 'bucket',
      prefix: '',
      region: 'us-east-1',
      endpoint: 'https://s3.us-east-1.amazonaws.com',
    });
  });

  it.each([
    '',
    'file:',
    '/var/files',
    's3:',
    's3://UPPER',
    's3://key:secret@bucket',
    's3://b/?endpoint=ftp://x',
    'https://x',
  ])('is not %j', text => expect(parseStorageUrl(text)).toBeNull());
});
