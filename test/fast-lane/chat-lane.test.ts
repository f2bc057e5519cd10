import http, { type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestService, type TestService } from '../support/service.js';
import {
  type ChatUpstream,
  chunk,
  completion,
  events,
  json,
  startChatUpstream,
} from '../support/upstreams/chat-upstream.js';

const PATH = '/v1/chat/completions';
const REQUEST = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hello?' }] };

let service: TestService;
let upstream: ChatUpstream;
let agent: http.Agent;

beforeAll(async () => {
  upstream = await startChatUpstream();
  service = await startTestService({
    role: 'api',
    corsOrigins: ['https://app.example'],
    openai: { baseUrl: `${upstream.origin}/v1`, apiKey: 'sk-service-0123456789' },
  });
  agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
});
afterAll(async () => {
  agent?.destroy();
  await service?.stop();
  await upstream?.stop();
});
beforeEach(() => upstream.respondWith(json(completion())));

interface RequestOptions {
  headers?: Record<string, string>;
  body?: string;
  path?: string;
  method?: string;
}

/** One request on the one connection of `agent`. `isChunked`: without a length, which the fast lane passes on to Express. */
async function send(
  isChunked: boolean,
  { headers, body = JSON.stringify(REQUEST), path = PATH, method }: RequestOptions,
) {
  const request = http.request(`${service.url}${path}`, {
    agent,
    method: method ?? 'POST',
    headers: {
      Authorization: `Bearer ${service.key}`,
      'Content-Type': 'application/json',
      'X-Request-Id': 'of-the-test',
      ...(isChunked ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': Buffer.byteLength(body) }),
      ...headers,
    },
  });
  const [response] = await new Promise<[IncomingMessage]>((resolve, reject) => {
    request.on('response', answer => resolve([answer]));
    request.on('error', reject);
    request.end(body);
  });
  const stable = { ...response.headers };
  for (const name of ['date', 'ratelimit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
    if (stable[name] !== undefined) stable[name] = 'changes';
  }
  return { status: response.statusCode, headers: stable, body: await text(response) };
}

describe('the fast lane and Express', () => {
  it.each<[string, RequestOptions, number]>([
    ['a completion', {}, 200],
    ['a completion whose path has a query', { path: `${PATH}?a=1` }, 200],
    ['a stream', { body: JSON.stringify({ ...REQUEST, stream: true }) }, 200],
    ['the page of an allowed origin', { headers: { Origin: 'https://app.example' } }, 200],
    ['the page of another origin', { headers: { Origin: 'https://other.example' } }, 200],
    ['a body that is not JSON', { body: '{"model":' }, 400],
    ['an empty body', { body: '' }, 400],
    ['a request without messages', { body: '{"model":"gpt-4o-mini"}' }, 400],
    ['a wrong key', { headers: { Authorization: 'Bearer sk-wrong' } }, 401],
    ['a media type that is refused', { headers: { 'Content-Type': 'text/plain' } }, 415],
    ['a form', { headers: { 'Content-Type': 'multipart/form-data; boundary=x' } }, 415],
    ['a response type that is refused', { headers: { Accept: 'text/html' } }, 406],
    ['another method', { method: 'PUT' }, 405],
  ])('answer %s alike', async (_what, sent, status) => {
    if (sent.body?.includes('stream')) upstream.respondWith(events(chunk({ content: 'Hi' }), '[DONE]'));
    const lane = await send(false, sent);
    const express = await send(true, sent);
    expect(lane.status).toBe(status);
    expect(lane).toEqual(express);
  });
});

it('keeps one connection for requests of the fast lane and of Express', async () => {
  const sockets = new Set<unknown>();
  agent.on('free', socket => sockets.add(socket));
  for (const isChunked of [false, true, false, false, true]) expect((await send(isChunked, {})).status).toBe(200);
  const listed = await send(false, {
    ...{ path: '/api/v1/projects/', method: 'GET', body: '' },
    headers: { 'X-Api-Key': service.key },
  });
  expect(listed.status).toBe(200);
  expect(sockets.size).toBe(1);
});
