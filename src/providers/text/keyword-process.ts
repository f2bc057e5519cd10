import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { storable } from '../../engine/storable.js';
import { keywordsOf } from '../../engine/text/keywords.js';
import { Stopwords, selectStopwords } from '../../engine/text/stopwords.js';
import { preferOnTopic } from '../../engine/text/topic.js';
import { UnreadableError } from '../../engine/text/unreadable.js';
import { extractPageText } from './page-text.js';
import type { KeywordMessage, KeywordTask } from './protocol.js';
import { stoplists } from './stoplists.js';

// A process that reads one page from standard input and writes its keywords to file descriptor 3, because libraries
// print to the standard streams.

/** Further characters of the page are ignored. */
const MAX_CHARACTERS = 300_000;
/** Characters by which the language of the page is detected. */
const SAMPLE = 20_000;
const NEWLINE = 0x0a;

async function read(): Promise<string[]> {
  const bytes = await buffer(process.stdin);
  const head = bytes.indexOf(NEWLINE);
  const { count, stopwords, topic } = JSON.parse(bytes.subarray(0, head).toString()) as KeywordTask;
  const text = storable(await extractPageText(bytes.subarray(head + 1))).slice(0, MAX_CHARACTERS);
  if (text.trim() === '') throw new UnreadableError('No text was found on the page.');
  const unwanted = new Stopwords(stopwords);
  return preferOnTopic(topic, count, max =>
    keywordsOf(text.toWellFormed(), {
      count: max,
      stopwords: selectStopwords(text.slice(0, SAMPLE), stoplists()),
      isRefused: keyword => unwanted.matches(keyword),
    }),
  );
}

const out = createWriteStream('', { fd: 3 });
const send = (message: KeywordMessage) => out.write(`${JSON.stringify(message)}\n`);
try {
  send({ kind: 'keywords', keywords: await read() });
  send({ kind: 'end' });
} catch (error) {
  const isKnown = error instanceof UnreadableError;
  send({
    kind: 'unreadable',
    reason: isKnown ? error.message : 'The page is damaged or its content does not match its type.',
  });
  if (!isKnown) console.error(error);
}
out.end();
await once(out, 'finish');
process.exit(0);
