// Prints the table of docs/documents.md: time and memory to read documents of each type. Run on Linux: `npx tsc -p
// tsconfig.test.json && node scripts/measure-reading.mjs`
import { readdirSync, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { TextReader } from '../build/src/providers/text/text-reader.js';
import { docx, odt, pdf, png, pptx, xlsx } from '../build/test/support/sample-documents.js';

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const WORDS = 'refunds are paid within two weeks after the goods have come back to our store in good order'.split(' ');
let seed = 1;
/** Returns pseudo-random words, identical at each run. A repeated sentence would compress like a decompression bomb. */
const words = count =>
  Array.from({ length: count }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return WORDS[seed % WORDS.length] + (seed % 97);
  }).join(' ');
const paragraphs = count => Array.from({ length: count }, () => `${words(90)}.`);
const pages = count => Array.from({ length: count }, () => `${words(300)}.`);
const rows = count => Array.from({ length: count }, (_, index) => [`Item ${index}`, index * 1.5, words(12)]);
const text = count => Buffer.from(paragraphs(count).join('\n\n'));

const DOCUMENTS = [
  ['pdf, 300 pages', 'application/pdf', pdf(pages(300))],
  ['pdf, 5,000 pages', 'application/pdf', pdf(pages(5_000))],
  ['docx, 5,000 paragraphs', `${OFFICE}.wordprocessingml.document`, docx(paragraphs(5_000))],
  ['xlsx, 20,000 rows', `${OFFICE}.spreadsheetml.sheet`, xlsx(rows(20_000))],
  ['pptx, 500 slides', `${OFFICE}.presentationml.presentation`, pptx(pages(500))],
  ['odt, 5,000 paragraphs', 'application/vnd.oasis.opendocument.text', odt(paragraphs(5_000))],
  [
    'html, 5,000 paragraphs',
    'text/html',
    Buffer.from(
      paragraphs(5_000)
        .map(one => `<p>${one}</p>`)
        .join('\n'),
    ),
  ],
  ['md', 'text/markdown', text(5_000)],
  ['txt', 'text/plain', text(5_000)],
  [
    'csv, 20,000 rows',
    'text/csv',
    Buffer.from(
      rows(20_000)
        .map(row => row.join(','))
        .join('\n'),
    ),
  ],
  ['json', 'application/json', Buffer.from(JSON.stringify(rows(20_000)))],
  ['png, one line', 'image/png', png('HELLO HELLO')],
];

/** Peak memory of any child of this process in MiB. */
function peakOfChildren() {
  const children = readdirSync(`/proc/${process.pid}/task`).flatMap(task =>
    readFileSync(`/proc/${process.pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean),
  );
  const peaks = children.map(child => {
    try {
      return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child}/status`, 'utf8'))?.[1] ?? 0) / 1024;
    } catch {
      return 0;
    }
  });
  return Math.max(0, ...peaks);
}

console.log('| Document | Size | Chunks | Time | Memory |\n| --- | --- | --- | --- | --- |');
for (const [name, contentType, content] of DOCUMENTS) {
  const began = performance.now();
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, peakOfChildren());
  }, 20);
  let chunks = 0;
  let fault = '';
  try {
    const events = new TextReader().read(
      Readable.from([content]),
      { contentType, chunkSize: 500 },
      new AbortController().signal,
    );
    for await (const { kind } of events) if (kind === 'chunk') chunks++;
  } catch (error) {
    fault = ` (${error.message})`;
  }
  clearInterval(watch);
  const seconds = (performance.now() - began) / 1000;
  const size = `${(content.length / 1024 / 1024).toFixed(2)} MiB`;
  console.log(`| ${name} | ${size} | ${chunks}${fault} | ${seconds.toFixed(1)} s | ${peak.toFixed(0)} MiB |`);
}
