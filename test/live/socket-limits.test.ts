import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import { eventually } from '../support/eventually.js';
import { startTestService, type TestService } from '../support/service.js';
import { RawSocket } from './raw-socket.js';

const ACTIVITY = 'subscription ($project: Int!) { projectActivity(projectId: $project) { id: subjectId } }';

let service: TestService;
let project: number;
beforeAll(async () => {
  service = await startTestService({ socketLimits: { sockets: 4, perUser: 2, operations: 3 } });
  project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Live' } })).body.id;
});
afterAll(() => service?.stop());

const awaitNoSubscribers = () =>
  eventually(
    async () => service.countOpen(),
    ({ sockets, watchers }) => sockets + watchers === 0,
  );

describe('a socket', () => {
  it('has a limit of simultaneous operations, and accepts another when one is complete', async () => {
    const raw = await RawSocket.open(service.url, service.key);
    for (const id of ['a', 'b', 'c', 'd']) raw.subscribe(id, ACTIVITY, { project });
    await raw.until(() => raw.of('d').length > 0);
    expect(raw.of('d')).toEqual([
      {
        type: 'error',
        id: 'd',
        payload: [
          {
            message: 'A socket may have at most 3 operations at a time.',
            extensions: { code: 'RATE_LIMITED', retryAfter: 1 },
          },
        ],
      },
    ]);
    raw.send({ type: 'complete', id: 'a' });
    raw.subscribe('e', '{ me { id } }');
    await raw.until(() => raw.of('e').length === 2);
    expect(raw.of('e')).toMatchObject([{ type: 'next', payload: { data: { me: {} } } }, { type: 'complete' }]);
    // All subscriptions to a project share one watcher, which b and c still use.
    await eventually(
      async () => service.countOpen().watchers,
      watchers => watchers === 1,
    );
    raw.socket.terminate();
    await awaitNoSubscribers();
  });

  it('is closed when its user has too many; that of another user is not', async () => {
    const { key } = await service.createUser('other');
    const sockets = [await RawSocket.open(service.url, service.key), await RawSocket.open(service.url, service.key)];
    const third = new RawSocket(new WebSocket(`${service.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws'));
    await once(third.socket, 'open');
    third.send({ type: 'connection_init', payload: { 'X-Api-Key': service.key } });
    expect(await third.closed).toEqual({ code: 1013, reason: 'Too many sockets of one user' });
    sockets.push(await RawSocket.open(service.url, key));
    sockets[0]!.socket.close();
    await sockets[0]!.closed;
    await eventually(
      async () => service.countOpen().sockets,
      count => count === 2,
    );
    sockets.push(await RawSocket.open(service.url, service.key));
    for (const { socket } of sockets) socket.terminate();
    await awaitNoSubscribers();
  });

  it('is refused by 503 when the process has too many', async () => {
    const { key } = await service.createUser('third');
    const mine = [1, 2].map(() => RawSocket.open(service.url, service.key));
    const theirs = [1, 2].map(() => RawSocket.open(service.url, key));
    const sockets = await Promise.all([...mine, ...theirs]);
    const refused = new WebSocket(`${service.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    const [, response] = await once(refused, 'unexpected-response');
    expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '5']);
    refused.on('error', () => {});
    refused.terminate();
    for (const { socket } of sockets) socket.terminate();
    await awaitNoSubscribers();
  });
});
