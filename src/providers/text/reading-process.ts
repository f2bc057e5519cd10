import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { storable } from '../../engine/storable.js';
import { chunksOf } from '../../engine/text/chunk.js';
import { TextLimit } from '../../engine/text/text-limit.js';
import { UnreadableError } from '../../engine/text/unreadable.js';
import { tokensOf } from './count-tokens.js';
import type { ReaderMessage } from './protocol.js';
import { readPages } from './read-pages.js';

// A process that reads one document from standard input and writes its chunks to file descriptor 3, because libraries
// print to the standard streams. It has no environment variables and no access to the database. Arguments: the media
// type and the chunk size in tokens.

/** The share of the progress (0-1) that reading the pages accounts for. The rest is splitting them into chunks. */
const READING_SHARE = 0.7;
const PROGRESS_MS = 200;

const out = createWriteStream('', { fd: 3 });

async function sendMessage(message: ReaderMessage): Promise<void> {
  if (!out.write(`${JSON.stringify(message)}\n`)) await once(out, 'drain');
}

let lastSentAt = 0;
async function sendProgress(done: number): Promise<void> {
  if (Date.now() - lastSentAt < PROGRESS_MS) return;
  lastSentAt = Date.now();
  await sendMessage({ kind: 'progress', done });
}

async function read([contentType = '', chunkSize = '']: string[]): Promise<void> {
  const bytes = await buffer(process.stdin);
  const pages = await readPages(bytes, contentType, done => void sendProgress(READING_SHARE * done));
  const cleanPages = pages.map(({ page, text }) => ({ page, text: storable(text) }));
  const total = cleanPages.reduce((sum, { text }) => sum + text.length, 0);
  const limit = new TextLimit();
  for (const { text } of cleanPages) limit.addText(text);
  let characters = 0;
  let count = 0;
  for (const chunk of chunksOf(cleanPages, { size: Number(chunkSize), countTokens: tokensOf })) {
    await sendMessage({ kind: 'chunk', chunk });
    characters += chunk.text.length;
    count++;
    await sendProgress(READING_SHARE + (1 - READING_SHARE) * Math.min(1, characters / total));
  }
  if (count === 0) throw new UnreadableError('No text was found in the file.');
  await sendMessage({ kind: 'end' });
}

try {
  await read(process.argv.slice(2));
} catch (error) {
  const isKnown = error instanceof UnreadableError;
  await sendMessage({
    kind: 'unreadable',
    reason: isKnown ? error.message : 'The file is damaged or its content does not match its type.',
  });
  if (!isKnown) console.error(error);
}
out.end();
await once(out, 'finish');
process.exit(0);
