import { describe, expect, it } from '@jest/globals';
import { SlotGauge } from '../../src/platform/metrics/slot-gauge.js';
import { Clusterer } from '../../src/providers/text/clusterer.js';
import { KeywordReader } from '../../src/providers/text/keyword-reader.js';

const TASK = { count: 5, stopwords: [], topic: '' };
const never = new AbortController().signal;
const html = (body: string) => Buffer.from(`<html><body>${body}</body></html>`);

const patient = (limits = {}) => new KeywordReader({ timeoutMs: 120_000, ...limits });

describe('a page', () => {
  it('is decoded by its bytes, in UTF-8, Latin-1 and UTF-16', async () => {
    const text = 'Grüner Tee ist Tee. Grüner Tee wird aus den Blättern der Pflanze gemacht.';
    for (const bytes of [Buffer.from(text), Buffer.from(text, 'latin1'), Buffer.from(`\ufeff${text}`, 'utf16le')])
      expect(await patient().read(bytes, TASK, never)).toContain('Grüner Tee');
  });

  it('that exceeds the limits of its process fails only its own reading', async () => {
    const page = html('<p>green tea</p>'.repeat(200_000));
    await expect(new KeywordReader({ timeoutMs: 30 }).read(page, TASK, never)).rejects.toThrow(/took longer than 0.03/);
    await expect(patient({ memoryMb: 100 }).read(page, TASK, never)).rejects.toThrow(/more memory/);
    expect(await patient().read(html('<p>Green tea.</p>'), TASK, never)).toContain('Green tea');
  });

  it('is stopped when its caller no longer waits', async () => {
    const abort = new AbortController();
    const reading = new KeywordReader().read(html('green tea'), TASK, abort.signal);
    abort.abort(new Error('the caller has gone'));
    await expect(reading).rejects.toThrow('the caller has gone');
  });

  it('of unclosed tags, tags without an end and long words is read within the time limit', async () => {
    for (const body of ['<a '.repeat(500_000), '<p>tea'.repeat(50_000), 'x'.repeat(2_000_000), '<'.repeat(1_000_000)])
      await new KeywordReader({ timeoutMs: 120_000 }).read(html(body), TASK, never).catch(error => {
        expect(error.message).toBe('No text was found on the page.');
      });
  });
});

it('keywords are clustered outside of the event loop, also by concurrent calls', async () => {
  const keywords = Array.from({ length: 1000 }, (_, at) => ({ name: `keyword ${at % 50} number ${at}`, strength: 0 }));
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  const gauge = new SlotGauge('clustering');
  const clusterer = new Clusterer(gauge);
  const calls = [clusterer.clusters(1, keywords, never), clusterer.clusters(2, keywords, never)];
  expect([gauge.inUse, [...gauge.queues].map(({ waiting }) => waiting)]).toEqual([1, [1]]);
  const [first = [], second] = await Promise.all(calls);
  clearInterval(timer);
  expect(first).toEqual(second);
  expect(first.flatMap(({ members }) => members)).toHaveLength(1000);
  // Clustering on the event loop would block it during each call.
  expect(turns).toBeGreaterThan(10);
  expect(await clusterer.clusters(1, [], never)).toEqual([]);
});
