import { ApolloClient, type ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import UploadHttpLink from 'apollo-upload-client/UploadHttpLink.mjs';
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
beforeAll(async () => {
  fixture = await ClientFixture.open();
});
afterAll(() => fixture?.close());

const clientOf = (link: ApolloLink) => new ApolloClient({ link, cache: new InMemoryCache() });
const http = (more: { useGETForQueries?: boolean } = {}) =>
  new HttpLink({ uri: fixture.url, headers: fixture.headers, ...more });

function changesBy(link: ApolloLink, variables: { id: string; after?: number }): Promise<Change[]> {
  const changes: Change[] = [];
  return new Promise((resolve, reject) => {
    clientOf(link)
      .subscribe<Change>({ query: gql(CHANGES), variables })
      .subscribe({
        next: ({ data, error }) => (error || !data ? reject(error) : changes.push(data)),
        error: reject,
        complete: () => resolve(changes),
      });
  });
}

describe('@apollo/client', () => {
  it.each([[{}], [{ useGETForQueries: true }]])('renames a project and queries the new name (%j)', async options => {
    const client = clientOf(http(options));
    const name = `by Apollo ${JSON.stringify(options)}`;
    await client.mutate({ mutation: gql(RENAME), variables: { id: fixture.project, name } });
    const { data } = await client.query({ query: gql(PROJECT), variables: { id: fixture.project } });
    expect(data).toEqual({ project: { __typename: 'Project', id: fixture.project, name } });
  });

  it('reports the code of an invalid operation', async () => {
    const query = clientOf(http()).query({ query: gql('{ nonsense }') });
    await expect(query).rejects.toMatchObject({ errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] });
  });

  it('uploads files with apollo-upload-client', async () => {
    const link = new UploadHttpLink({ uri: fixture.url, headers: fixture.headers });
    const files = [new File(['a'], 'apollo-1.txt'), new File(['b'], 'apollo-2.txt')];
    await clientOf(link).mutate({ mutation: gql(UPLOAD), variables: { project: fixture.project, files } });
    expect(await fixture.documentNames()).toEqual(['apollo-1.txt', 'apollo-2.txt']);
  });

  it.each([
    ['multipart HTTP', http],
    ['graphql-ws', () => new GraphQLWsLink(fixture.socketClient())],
  ])('subscribes over %s from any sequence to the end', async (_name, link) => {
    const id = await fixture.finishedRun();
    const all = sequencesOf(await changesBy(link(), { id, after: 0 }));
    expect(isCountedFromOne(all)).toBe(true);
    expect(sequencesOf(await changesBy(link(), { id, after: 2 }))).toEqual(all.slice(2));
  });

  it('receives the reason why a subscription is refused', async () => {
    const id = '01a1fccb-0000-7000-8000-000000000000';
    for (const link of [http(), new GraphQLWsLink(fixture.socketClient())])
      await expect(changesBy(link, { id })).rejects.toMatchObject({
        errors: [{ extensions: { code: 'NOT_FOUND' } }],
      });
  });
});
