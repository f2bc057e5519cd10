import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { FileTypeParser } from 'file-type';
import { detectContentType } from '../../src/providers/storage/content-type.js';
import { png } from '../support/sample-documents.js';

const MODULE = new URL('../../src/providers/storage/content-type.js', import.meta.url).href;
/** A detection that takes longer hangs. */
const HANGS_MS = 60_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'content-type-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Detects the type in a worker thread, so that a detection that hangs can be terminated. */
async function typeOf(content: string, filename = 'page'): Promise<string> {
  const file = path.join(folder, 'upload');
  await writeFile(file, content);
  const program = `
    const { parentPort, workerData } = require('node:worker_threads');
    import(workerData.module)
      .then(({ detectContentType }) => detectContentType(workerData.file, workerData.filename))
      .then(({ type }) => parentPort.postMessage(type));`;
  const worker = new Worker(program, { eval: true, workerData: { module: MODULE, file, filename } });
  const timer = setTimeout(() => void worker.terminate(), HANGS_MS);
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('The content type was not found in time.')));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

describe('the type of an upload', () => {
  it.each([
    ['comments that could end anywhere', `${'<!---->'.repeat(31)}x`],
    ['comments without an end', '<!--'.repeat(2000)],
    ['spaces', `${' '.repeat(8000)}x`],
    ['a declaration and spaces', `<?xml ${'>'.repeat(4000)}${' '.repeat(4000)}x`],
    ['brackets', `[${']'.repeat(8000)} x`],
  ])('is detected in time for %s', async (_what, content) => {
    expect(await typeOf(content)).toBe('text/plain');
  });

  it.each([
    ['<html>'],
    [' \n<!DOCTYPE  html>'],
    ['<?xml version="1.0"?>\n<!-- a -->\n<!-- <b> --> <HTML lang="en">'],
    ['<!----><body>'],
    ['<head>'],
  ])('is HTML for %s', async content => {
    expect(await typeOf(content, 'x.txt')).toBe('text/html');
  });

  it.each([['<!-- <html>'], ['x <html>'], ['<htmls>'], ['<!-- a --> text'], ['<!doctypehtml>']])(
    'is plain text for %s',
    async content => {
      expect(await typeOf(content)).toBe('text/plain');
    },
  );

  it('is that of other content if the format cannot be parsed', async () => {
    const parser = jest.spyOn(FileTypeParser.prototype, 'fromBlob').mockRejectedValue(new RangeError('offset'));
    const file = path.join(folder, 'truncated');
    await writeFile(file, 'ID3');
    expect(await detectContentType(file, 'a.csv')).toEqual({ type: 'text/csv', extension: 'csv' });
    await writeFile(file, png('A').subarray(0, 8));
    expect(await detectContentType(file, 'a.csv')).toEqual({ type: 'application/octet-stream', extension: '' });
    await expect(detectContentType(path.join(folder, 'missing'), 'a.csv')).rejects.toThrow();
    expect(parser).toHaveBeenCalledTimes(2);
    parser.mockRestore();
  });
});
