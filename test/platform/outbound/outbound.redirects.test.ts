import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { codeOf, createClient, get, startServer } from './outbound-client.js';

describe('redirects', () => {
  const redirectTo =
    (location: string, status = 302) =>
    (_request: IncomingMessage, response: ServerResponse) => {
      response.writeHead(status, { location }).end();
    };

  test.each(['http://169.254.169.254/latest/', 'http://localhost:1/', '//[::1]:1/', 'http://2130706433:1/'])(
    'are refused when they lead to %s',
    async location => {
      const { url, port } = await startServer(redirectTo(location));
      const outbound = createClient({ allow: [`127.0.0.1:${port}`] });
      expect(await codeOf(outbound.request(get(url, { followRedirects: true })))).toBe('address_refused');
      expect(await codeOf(outbound.fetch(url))).toBe('address_refused');
    },
  );

  test.each(['ftp://a.example/', 'http://user:pass@a.example/', 'http://'])(
    'are refused to the URL %s',
    async location => {
      const { url } = await startServer(redirectTo(location));
      expect(await codeOf(createClient({ trusted: true }).request(get(url, { followRedirects: true })))).toBe(
        'bad_url',
      );
    },
  );

  test('are followed at most five times', async () => {
    const listener: RequestListener = (request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('there');
      else response.writeHead(307, { location: `/${left - 1}` }).end();
    };
    const { url } = await startServer(listener);
    const outbound = createClient({ trusted: true });
    const answer = await outbound.request(get(`${url}/5`, { followRedirects: true }));
    expect(answer).toMatchObject({ status: 200, url: `${url}/0` });
    expect(await codeOf(outbound.request(get(`${url}/6`, { followRedirects: true })))).toBe('too_many_redirects');
    expect((await outbound.request(get(`${url}/1`))).status).toBe(307);
  });

  test('are followed by many calls at once', async () => {
    const { url } = await startServer((request, response) => {
      if (request.url === '/there') response.end('there');
      else redirectTo('/there')(request, response);
    });
    const outbound = createClient({ trusted: true });
    const burst = () =>
      Promise.all(Array.from({ length: 100 }, () => outbound.request(get(url, { followRedirects: true }))));
    // The first round opens the connections; the answers of the second arrive together.
    for (const answers of [await burst(), await burst()])
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('send no credential of any name to another origin, and all of them within the same', async () => {
    const show: RequestListener = (request, response) => response.end(JSON.stringify(request.headers));
    const other = await startServer(show);
    const first = await startServer((request, response) => {
      if (request.url === '/away') redirectTo(other.url)(request, response);
      else if (request.url === '/near') redirectTo('/shown')(request, response);
      else show(request, response);
    });
    const credentials = {
      Authorization: 'Bearer a',
      Cookie: 'b=c',
      'X-Api-Key': 'd',
      'X-Goog-Api-Key': 'e',
      'My-Token': 'f',
    };
    const request = { headers: { ...credentials, Accept: 'text/plain' }, followRedirects: true };
    const outbound = createClient({ trusted: true });
    const seen = async (path: string) =>
      JSON.parse((await outbound.request(get(first.url + path, request))).body.toString()) as Record<string, string>;
    const names = Object.keys(credentials).map(name => name.toLowerCase());
    expect(Object.keys(await seen('/near'))).toEqual(expect.arrayContaining([...names, 'accept']));
    const away = await seen('/away');
    expect(Object.keys(away).filter(name => names.includes(name))).toEqual([]);
    expect(away.accept).toBe('text/plain');
  });

  test.each([
    [302, 'GET', ''],
    [303, 'GET', ''],
    [307, 'POST', 'body'],
    [308, 'POST', 'body'],
  ])('answer a POST with %i by a %s', async (status, method, body) => {
    const { url } = await startServer((request, response) => {
      if (request.url === '/') redirectTo('/next', status)(request, response);
      else void text(request).then(got => response.end(`${request.method} ${request.headers['content-type']} ${got}`));
    });
    const headers = { 'content-type': 'text/plain' };
    const answer = await createClient({ trusted: true }).request(
      get(url, { method: 'POST', headers, body: 'body', followRedirects: true }),
    );
    expect(answer.body.toString()).toBe(`${method} ${body ? 'text/plain' : 'undefined'} ${body}`);
  });
});
