import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cacheExchange } from '@urql/exchange-graphcache';
import { createClient as createEventsClient } from 'graphql-sse';
import { Client, type Exchange, fetchExchange, subscriptionExchange } from 'urql';
import {
  CHANGES,
  type Change,
  ClientFixture,
  isCountedFromOne,
  PROJECT,
  RENAME,
  sequencesOf,
  UPLOAD,
} from './client-fixture.js';

let fixture: ClientFixture;
/** The requests that the clients have sent. */
const sent: { method: string; accept: string | null }[] = [];
beforeAll(async () => {
  fixture = await ClientFixture.open();
});
afterAll(() => fixture?.close());

function clientOf(exchanges: Exchange[] = [], more: { fetchSubscriptions?: boolean } = {}): Client {
  return new Client({
    url: fixture.url,
    exchanges: [cacheExchange({}), ...exchanges, fetchExchange],
    fetchOptions: { headers: fixture.headers },
    preferGetMethod: true,
    fetch: (input, init) => {
      sent.push({ method: init?.method ?? 'GET', accept: new Headers(init?.headers).get('accept') });
      return fetch(input, init);
    },
    ...more,
  });
}

/** Reads the changes of a run to its end. */
function changesBy(client: Client, variables: { id: string; after: number }): Promise<Change[]> {
  const changes: Change[] = [];
  return new Promise((resolve, reject) => {
    client.subscription<Change>(CHANGES, variables).subscribe(({ data, error }) => {
      if (error) return reject(error);
      // The reader of event streams repeats the last result when the stream has ended.
      if (data && data.workflowRunChanged.sequence !== changes.at(-1)?.workflowRunChanged.sequence) changes.push(data);
      if (data?.workflowRunChanged.kind === 'RUN_SUCCEEDED') resolve(changes);
    });
  });
}

const overEvents = () => {
  const events = createEventsClient({ url: fixture.url, headers: fixture.headers });
  return subscriptionExchange({
    forwardSubscription: ({ query, variables }) => ({
      subscribe: sink => ({ unsubscribe: events.subscribe({ query: query ?? '', variables }, sink as never) }),
    }),
  });
};
const overSocket = () => {
  const socket = fixture.socketClient();
  return subscriptionExchange({
    forwardSubscription: ({ query, variables }) => ({
      subscribe: sink => ({ unsubscribe: socket.subscribe({ query: query ?? '', variables }, sink as never) }),
    }),
  });
};

describe('urql with graphcache', () => {
  it('renames a project by POST and queries the new name by GET', async () => {
    sent.length = 0;
    const client = clientOf();
    const renamed = await client.mutation(RENAME, { id: fixture.project, name: 'by urql' }).toPromise();
    expect(renamed.error).toBeUndefined();
    const { data, error } = await client.query(PROJECT, { id: fixture.project }).toPromise();
    expect({ data, error }).toEqual({
      data: { project: { __typename: 'Project', id: fixture.project, name: 'by urql' } },
      error: undefined,
    });
    expect(sent.map(({ method }) => method)).toEqual(['POST', 'GET']);
  });

  it('uploads files', async () => {
    const files = [new File(['a'], 'urql.txt')];
    const { error } = await clientOf().mutation(UPLOAD, { project: fixture.project, files }).toPromise();
    expect(error).toBeUndefined();
    expect(await fixture.documentNames()).toEqual(['urql.txt']);
  });

  it.each([
    ['graphql-ws', () => clientOf([overSocket()])],
    ['graphql-sse', () => clientOf([overEvents()])],
    ['its own reader of event streams', () => clientOf([], { fetchSubscriptions: true })],
  ])('subscribes by %s from any sequence to the end', async (_name, create) => {
    const id = await fixture.finishedRun();
    const all = sequencesOf(await changesBy(create(), { id, after: 0 }));
    expect(isCountedFromOne(all)).toBe(true);
    expect(sequencesOf(await changesBy(create(), { id, after: 2 }))).toEqual(all.slice(2));
  });
});
