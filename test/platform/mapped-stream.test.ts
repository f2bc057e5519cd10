import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { type ChunkMapper, MappedStream } from '../../src/platform/streams/mapped-stream.js';

const upperCase: ChunkMapper = {
  map: chunk => Buffer.from(chunk.toString().toUpperCase()),
  end: () => Buffer.from('!'),
};

/** A source without an end. */
const openSource = () => new Readable({ read: () => {} });

describe('a mapped stream', () => {
  it('passes on mapped chunks and what is left at the end', async () => {
    const mapped = new MappedStream(Readable.from([Buffer.from('a'), Buffer.from('b')]), upperCase);
    expect(Buffer.concat(await mapped.toArray()).toString()).toBe('AB!');
  });

  it('passes a chunk on in the turn in which it arrives', async () => {
    const source = openSource();
    const received: string[] = [];
    const mapped = new MappedStream(source, upperCase).on('data', chunk => received.push(String(chunk)));
    await new Promise(setImmediate);
    source.push('a');
    expect(received).toEqual(['A']);
    mapped.destroy();
  });

  it('pauses the source while it is not read', async () => {
    let reads = 0;
    const source = new Readable({
      read() {
        reads++;
        this.push(Buffer.alloc(16 * 1024));
      },
    });
    const mapped = new MappedStream(source, upperCase);
    mapped.read(0);
    await new Promise(setImmediate);
    const before = reads;
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    expect(reads - before).toBeLessThan(3);
    expect(source.isPaused()).toBe(true);
    mapped.destroy();
    expect(source.destroyed).toBe(true);
  });

  it.each([
    ['fails', (source: Readable) => source.destroy(new Error('lost')), 'lost'],
    ['is closed early', (source: Readable) => source.destroy(), 'closed before its end'],
  ])('ends with an error if the source %s', async (_, end, message) => {
    const source = openSource();
    const mapped = new MappedStream(source, upperCase);
    end(source);
    await expect(mapped.toArray()).rejects.toThrow(message);
  });
});
