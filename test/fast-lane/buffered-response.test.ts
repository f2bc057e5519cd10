import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { BufferedResponse } from '../../src/fast-lane/buffered-response.js';

let server: http.Server | undefined;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

/** The status and the headers that a client receives, without those that Node adds. */
async function headersOf(answer: (response: BufferedResponse) => void): Promise<Record<string, string>> {
  server = http.createServer({ ServerResponse: BufferedResponse }, (_request, response) => {
    response.setHeader('cache-control', 'no-store');
    response.setHeader('x-request-id', 'one');
    answer(response);
  });
  await new Promise<void>(resolve => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/`);
  await response.arrayBuffer();
  const { date: _, connection: __, 'keep-alive': ___, ...rest } = Object.fromEntries(response.headers);
  return { status: String(response.status), ...rest };
}

describe('BufferedResponse', () => {
  const buffered = { 'cache-control': 'no-store', 'x-request-id': 'one' };

  it.each<[string, (response: BufferedResponse) => void, Record<string, string>]>([
    [
      'with a flat head',
      response => response.writeHead(201, ['content-length', '2']).end('ok'),
      { ...buffered, status: '201', 'content-length': '2' },
    ],
    ['without a head of its own', response => response.end(), { ...buffered, status: '200', 'content-length': '0' }],
    [
      'with a head as an object',
      response => response.writeHead(404, { Allow: 'GET', 'content-length': 0 }).end(),
      { ...buffered, status: '404', allow: 'GET', 'content-length': '0' },
    ],
    [
      'with a reason',
      response => response.writeHead(404, 'Nothing', { 'content-length': 0 }).end(),
      { ...buffered, status: '404', 'content-length': '0' },
    ],
    [
      'whose head says otherwise',
      response => response.writeHead(200, ['cache-control', 'no-cache', 'content-length', '0']).end(),
      { ...buffered, status: '200', 'cache-control': 'no-cache', 'content-length': '0' },
    ],
    [
      'with headers set one by one',
      response => {
        response.setHeader('Vary', 'Origin');
        response.setHeader('Cache-Control', 'public, max-age=60');
        response.writeHead(200, ['content-length', '0']).end();
      },
      { ...buffered, status: '200', vary: 'Origin', 'cache-control': 'public, max-age=60', 'content-length': '0' },
    ],
    [
      'with a header that has several values',
      response => {
        response.setHeader('Vary', 'Origin');
        response.appendHeader('Vary', 'Accept');
        response.setHeader('X-Request-Id', 'two');
        response.writeHead(200, ['content-length', '0']).end();
      },
      { ...buffered, 'x-request-id': 'two', status: '200', vary: 'Origin, Accept', 'content-length': '0' },
    ],
    [
      'that Express takes over',
      response => {
        response.stopBuffering();
        response.removeHeader('cache-control');
        response.end();
      },
      { status: '200', 'x-request-id': 'one', 'content-length': '0' },
    ],
  ])('sends every header of a response %s', async (_, answer, expected) => {
    expect(await headersOf(answer)).toEqual(expected);
  });

  it('returns its headers before they are sent', async () => {
    const known: unknown[] = [];
    await headersOf(response => {
      response.setHeader('Vary', 'Origin');
      known.push(response.getHeader('X-Request-Id'), response.getHeader('vary'), response.getHeader('etag'));
      response.end();
    });
    expect(known).toEqual(['one', 'Origin', undefined]);
  });
});
