import { mkdtempSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import express from 'express';
import { defaultPublicDir, mountPages } from '../../src/http/pages.js';
import { serveHttp } from '../support/upstreams/loopback-server.js';
import { openapi as document, type OpenApiDocument } from './openapi.js';

async function serve(publicDir: string, openapi: () => Promise<OpenApiDocument> = async () => document) {
  const app = express();
  mountPages(app, { publicDir, openapi });
  return serveHttp(app);
}

describe('The pages over HTTP', () => {
  let service: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    service = await serve(defaultPublicDir);
  });
  afterAll(() => service.close());

  const get = (address: string, init?: RequestInit) =>
    fetch(new URL(address, service.url), { redirect: 'manual', ...init });

  /** `fetch` asks for a fresh copy whenever it is given a condition, so conditions go by node:http. */
  const statusWith = (address: string, headers: http.OutgoingHttpHeaders) =>
    new Promise<number | undefined>((resolve, reject) => {
      http
        .get(new URL(address, service.url), { headers, agent: false }, response => {
          response.resume();
          resolve(response.statusCode);
        })
        .on('error', reject);
    });

  test.each(['/', '/graphiql', '/graphiql/', '/docs', '/docs/'])(
    '%s is HTML that is asked for again each time',
    async address => {
      const response = await get(address);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(await statusWith(address, { 'If-None-Match': response.headers.get('etag') ?? '' })).toBe(304);
    },
  );

  test.each(['/', '/graphiql', '/docs'])(
    '%s may only load from this host, run no inline script, and not be framed',
    async address => {
      const policy = (await get(address)).headers.get('content-security-policy') ?? '';
      const directives = new Map(policy.split('; ').map(line => [line.split(' ')[0], line.split(' ').slice(1)]));
      expect(directives.get('default-src')).toEqual(["'none'"]);
      expect(directives.get('frame-ancestors')).toEqual(["'none'"]);
      expect(directives.get('script-src') ?? []).not.toContain("'unsafe-inline'");
      const sources = new Set([...directives.values()].flat());
      sources.delete("'unsafe-inline'");
      expect([...sources].filter(source => !["'none'", "'self'", 'data:'].includes(source))).toEqual([]);
    },
  );

  test.each(['/', '/graphiql', '/docs'])(
    '%s names only assets that exist and may be cached for a year',
    async address => {
      const html = await (await get(address)).text();
      const assets = [...html.matchAll(/(?:src|href)="([^"]+\/assets\/[^"]+)"/g)].map(match => match[1] ?? '');
      expect(assets.length).toBeGreaterThan(0);
      for (const asset of assets) {
        const response = await get(asset);
        expect(response.status).toBe(200);
        expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
        expect(response.headers.get('x-content-type-options')).toBe('nosniff');
        await response.body?.cancel();
      }
    },
  );

  test('sends an asset compressed to clients that accept it', async () => {
    const html = await (await get('/graphiql')).text();
    const script = /src="([^"]+\.js)"/.exec(html)?.[1] ?? '';
    const packed = await get(script, { headers: { 'Accept-Encoding': 'gzip' } });
    const plain = await get(script, { headers: { 'Accept-Encoding': 'identity' } });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(plain.headers.get('content-encoding')).toBeNull();
    for (const response of [packed, plain]) {
      expect(response.headers.get('vary')).toContain('Accept-Encoding');
      expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    }
    expect(await packed.text()).toBe(await plain.text());
  });

  test('serves the OpenAPI document as it was given', async () => {
    const response = await get('/openapi.json');
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    await expect(response.json()).resolves.toEqual(document);
  });

  test('loads the OpenAPI document once, at the first requests, and again after a failure', async () => {
    let loads = 0;
    const own = await serve(defaultPublicDir, async () => {
      loads++;
      if (loads === 1) throw new Error('of the test');
      return document;
    });
    const statuses = async () => {
      const answers = await Promise.all([1, 2].map(() => fetch(`${own.url}/openapi.json`)));
      return Promise.all(answers.map(async answer => [answer.status, (await answer.text()).length > 1_000]));
    };
    expect(loads).toBe(0);
    expect((await fetch(`${own.url}/openapi.json`)).status).toBe(500);
    for (let repetition = 0; repetition < 2; repetition++)
      expect(await statuses()).toEqual([
        [200, true],
        [200, true],
      ]);
    expect(loads).toBe(2);
    await own.close();
  });

  test.each(['/favicon.svg', '/favicon.ico'])('%s is our icon', async address => {
    const response = await get(address);
    expect(response.headers.get('content-type')).toContain('image/svg+xml');
    await expect(response.text()).resolves.toContain('<svg');
  });

  test.each([
    '/graphiql/assets/none.js',
    '/graphiql/assets/../index.html',
    '/docs/assets/%2e%2e/%2e%2e/landing/index.html',
  ])('%s is not found', async address => {
    expect((await get(address)).status).toBe(404);
  });

  test('reports what to do when the pages were not built', async () => {
    const bare = await serve(mkdtempSync(path.join(tmpdir(), 'no-pages-')));
    const response = await fetch(`${bare.url}/graphiql`);
    expect(response.status).toBe(503);
    await expect(response.json()).resolves.toEqual({
      detail: expect.stringContaining('npm run build'),
      code: 'page_not_built',
    });
    await bare.close();
  });
});
