import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { zipSync } from 'fflate';
import type { TextChunk } from '../../src/engine/text/chunk.js';
import { TextReader } from '../../src/providers/text/text-reader.js';
import { faultPoints } from '../support/processes/fault-points.js';
import { docx, odt, pdf, png, pptx, presentation, xlsx } from '../support/sample-documents.js';

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const types = {
  pdf: 'application/pdf',
  docx: `${OFFICE}.wordprocessingml.document`,
  pptx: `${OFFICE}.presentationml.presentation`,
  xlsx: `${OFFICE}.spreadsheetml.sheet`,
  odt: 'application/vnd.oasis.opendocument.text',
  html: 'text/html',
  txt: 'text/plain',
  json: 'application/json',
  png: 'image/png',
};

async function read(
  content: Buffer | Readable,
  type: keyof typeof types,
  { chunkSize = 50, reader = new TextReader(), signal = new AbortController().signal } = {},
): Promise<TextChunk[]> {
  const chunks: TextChunk[] = [];
  const stream = Buffer.isBuffer(content) ? Readable.from([content]) : content;
  for await (const message of reader.read(stream, { contentType: types[type], chunkSize }, signal))
    if (message.kind === 'chunk') chunks.push(message.chunk);
  return chunks;
}
const textOf = async (content: Buffer, type: keyof typeof types) =>
  (await read(content, type, { chunkSize: 8000 })).map(chunk => chunk.text).join('\n');

/** Words that hardly shrink when they are compressed. */
function noise(length: number, seed: number): string {
  const words: string[] = [];
  for (let at = 0, state = seed + 1; at < length; at += 8) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    words.push(state.toString(36).padStart(7, 'x').slice(0, 7));
  }
  return words.join(' ');
}

describe('reading', () => {
  it('finds the text of each format', async () => {
    expect(await textOf(docx(['One &amp; two', 'Three']), 'docx')).toBe('One & two\n\nThree');
    expect(await textOf(odt(['Eins<text:tab/>zwei', 'Drei']), 'odt')).toBe('Eins\tzwei\n\nDrei');
    expect(await textOf(pptx(['First', 'Second']), 'pptx')).toBe('First\n\nSecond');
    expect(
      await textOf(
        xlsx([
          ['Item', 'Price'],
          ['Tea', 2.5],
        ]),
        'xlsx',
      ),
    ).toBe('Prices\nItem\tPrice\nTea\t2.5');
    expect(await textOf(xlsx([[{ shared: 1 }, { shared: 0 }, 7]], ['B &amp; b', 'A']), 'xlsx')).toBe(
      'Prices\nA\tB & b\t7',
    );
    expect(await textOf(pdf(['Refunds take two weeks.']), 'pdf')).toBe('Refunds take two weeks.');
    const html =
      '<html><head><title>x</title><script>evil()</script></head><body><h1>Title</h1><p>A &eacute;</p></body></html>';
    expect(await textOf(Buffer.from(html), 'html')).toMatch(/^Title\s+A é$/);
    expect(await textOf(Buffer.from('{"a": 1}'), 'json')).toBe('{"a": 1}');
  });

  it('finds the slides of a presentation in their order, each with its own notes', async () => {
    const chunks = await read(presentation(), 'pptx', { chunkSize: 8000 });
    expect(chunks.map(({ text }) => text).join('\n')).toBe('First\n\nSecond\n\nThird\n\nNotes of the third');
  });

  it('refuses a text that is too long before it is cut', async () => {
    const kinds = new Set<string>();
    const content = Readable.from([Buffer.alloc(20_000_001, 'word ')]);
    const message = new TextReader().read(
      content,
      { contentType: types.txt, chunkSize: 50 },
      new AbortController().signal,
    );
    const all = async () => {
      for await (const { kind } of message) kinds.add(kind);
    };
    await expect(all()).rejects.toThrow('more than 20,000,000 characters of text. Divide it into several documents.');
    expect([...kinds]).toEqual([]);
  });

  const archives = [
    ['a word document', docx, 'docx'],
    ['an OpenDocument text', odt, 'odt'],
    ['a presentation', pptx, 'pptx'],
  ] as const;
  it.each(faultPoints(archives))('refuses %s where its text passes the limit', async (_, make, type) => {
    const content = make(Array.from({ length: 21 }, (_, n) => noise(1_000_000, n)));
    await expect(read(content, type)).rejects.toThrow('more than 20,000,000 characters of text');
  });

  it('refuses a small spreadsheet that repeats a text without end before it is built', async () => {
    const rows = Array.from({ length: 30_000 }, () => [{ shared: 0 }]);
    const content = xlsx(rows, [noise(30_000, 1)]);
    // 900 MB of text: building it would need more memory than is available.
    await expect(read(content, 'xlsx')).rejects.toThrow('more than 20,000,000 characters of text');
  });

  it('reads texts in UTF-8, UTF-16 and Windows-1252', async () => {
    const text = 'Größe: 5 €, naïve';
    const bom = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
    const latin = Buffer.from('Gr\xf6\xdfe: 5 \x80, na\xefve', 'latin1');
    for (const bytes of [Buffer.from(text), bom, Buffer.from(text.replace('€', 'E'), 'utf16le'), latin])
      expect((await textOf(bytes, 'txt')).replace('5 E', '5 €')).toBe(text);
  });

  it('knows the page of each chunk', async () => {
    const words = (word: string) => `${word} `.repeat(40).trim();
    const chunks = await read(pdf([words('alpha'), words('beta'), words('gamma')]), 'pdf');
    expect(chunks.map(({ page, index }) => [index, page])).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
    ]);
    expect((await read(docx([words('one'), '\f', words('two')]), 'docx')).map(({ page }) => page)).toEqual([1, 2]);
  });

  it('recognizes letters in a picture without external calls', async () => {
    expect(await textOf(png('HELLO'), 'png')).toMatch(/HELLO/i);
  });

  it('treats <|endoftext|> as plain text', async () => {
    expect(await textOf(Buffer.from('a <|endoftext|> b'), 'txt')).toBe('a <|endoftext|> b');
  });
});

describe('a document that cannot be read is refused with a reason', () => {
  const bomb = (bytes: number) => zipSync({ 'word/document.xml': new Uint8Array(bytes) });

  it.each([
    ['that is damaged', Buffer.from('%PDF-1.4 nothing'), 'pdf', /damaged/],
    ['that is locked by a password', pdf(['Secret'], { isLocked: true }), 'pdf', /protected by a password/],
    ['that is a picture without text', png('  '), 'png', /No text/],
    ['without text', Buffer.from('  \n '), 'txt', /No text/],
    ['that is not an archive', Buffer.from('PK\x03\x04 nothing'), 'docx', /damaged/],
    ['that lacks its main part', Buffer.from(zipSync({ 'a.xml': new Uint8Array(3) })), 'docx', /missing/],
    ['with a document type definition', docx(['x'], '<!DOCTYPE x [<!ENTITY a "aaaa">]>'), 'docx', /type definition/],
    ['that unpacks to far more than itself', Buffer.from(bomb(20_000_000)), 'docx', /100 times/],
    ['that unpacks to more than 200 MB', Buffer.from(bomb(210_000_000)), 'docx', /200 MB/],
    ['with binary content', Buffer.from([0, 1, 2, 3, 0, 0, 9]), 'txt', /not text/],
  ] as const)('%s', async (_, content, type, reason) => {
    await expect(read(content, type)).rejects.toThrow(reason);
  });

  it('whose archive has wrong sizes', async () => {
    const archive = Buffer.from(bomb(5_000_000));
    const falseSize = Buffer.from(archive);
    // The size in the directory, which the limits check.
    falseSize.writeUInt32LE(1000, falseSize.lastIndexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02])) + 24);
    await expect(read(falseSize, 'docx')).rejects.toThrow(/damaged/);
  });

  it('with more than 10,000 entries', async () => {
    const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`${index}`, new Uint8Array(1)]));
    await expect(read(Buffer.from(zipSync(many, { level: 0 })), 'docx')).rejects.toThrow(/10,000 entries/);
  });

  it('that takes too long', async () => {
    const reader = new TextReader({ timeoutMs: 30 });
    await expect(read(Buffer.from('a'), 'txt', { reader })).rejects.toThrow(/longer than 0.03 seconds/);
  });

  it('that needs more memory than is available', async () => {
    const reader = new TextReader({ memoryMb: 100 });
    const large = Buffer.alloc(150 * 1024 * 1024, 'a b ');
    await expect(read(large, 'txt', { reader })).rejects.toThrow(/more memory/);
  });
});

it('fails with the reason of its caller, which no longer waits', async () => {
  const abort = new AbortController();
  const never = new Readable({ read() {} });
  const reading = read(never, 'txt', { signal: abort.signal });
  abort.abort(new Error('the worker stops'));
  await expect(reading).rejects.toThrow('the worker stops');
});

it('reports why a file could not be fetched', async () => {
  const broken = new Readable({
    read() {
      this.destroy(new Error('the storage is unavailable'));
    },
  });
  await expect(read(broken, 'txt')).rejects.toThrow('the storage is unavailable');
});
