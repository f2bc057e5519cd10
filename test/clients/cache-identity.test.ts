import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { cacheExchange } from '@urql/exchange-graphcache';
import type { GraphQLObjectType } from 'graphql';
import { createOperationDescriptor, Environment, Network, RecordSource, Store } from 'relay-runtime';
import { Client, fetchExchange } from 'urql';
import { ROOT_FIELDS, SCHEMA } from '../fuzz/graphql-fields.js';
import { ClientFixture } from './client-fixture.js';
import { relayRequestOf } from './relay-operation.js';

/** All fields of a run, its nodes and their related objects. */
const RUN = ROOT_FIELDS.find(({ name }) => name === 'workflowRun')!.document;

type Data = Record<string, unknown>;
interface Cache {
  /** Asks the service and stores the result. */
  load(variables: Data): Promise<unknown>;
  /** Reads the stored result. */
  read(variables: Data): Promise<unknown>;
}

let fixture: ClientFixture;
/** Two runs of one workflow, so that their nodes have the same ids. */
let runs: { variables: { id: string }; data: unknown }[];
beforeAll(async () => {
  fixture = await ClientFixture.open();
  const ids = [await fixture.finishedRun('cats'), await fixture.finishedRun('dogs')];
  runs = await Promise.all(
    ids.map(async id => ({ variables: { id }, data: (await fixture.service.graphql(RUN, { id })).data })),
  );
});
afterAll(() => fixture?.close());

function apollo(): Cache {
  const link = new HttpLink({ uri: fixture.url, headers: fixture.headers });
  const client = new ApolloClient({ link, cache: new InMemoryCache() });
  const query = gql(RUN);
  return {
    load: variables => client.query({ query, variables }),
    read: async variables => client.readQuery({ query, variables }),
  };
}

function graphcache(): Cache {
  const client = new Client({
    url: fixture.url,
    // Without this logger, embedded objects without a key cause warnings.
    exchanges: [cacheExchange({ logger: () => {} }), fetchExchange],
    fetchOptions: { headers: fixture.headers },
    preferGetMethod: false,
  });
  return {
    load: variables => client.query(RUN, variables).toPromise(),
    read: async variables => client.readQuery(RUN, variables, { requestPolicy: 'cache-only' })?.data,
  };
}

/** An id is unique within its type, so the keys of Relay contain both. */
const dataIdOf = ({ id }: Data, type: string) => (id === undefined ? null : `${type}:${id}`);

function relay(): Cache {
  const fetchOf = async ({ text }: { text: string }, variables: Data) => fixture.service.graphql(text, variables);
  const environment = new Environment({
    network: Network.create(fetchOf),
    store: new Store(new RecordSource(), { getDataID: dataIdOf }),
    getDataID: dataIdOf,
  });
  const operationOf = (variables: Data) => createOperationDescriptor(relayRequestOf(RUN, 'Run'), variables);
  return {
    async load(variables) {
      const operation = operationOf(variables);
      environment.retain(operation);
      await environment.execute({ operation }).toPromise();
    },
    read: async variables => environment.lookup(operationOf(variables).fragment).data,
  };
}

// The caches identify an object by its type and `id`. An `id` of a node is unique only within its run, so with such a field they would mix
// the nodes of two runs.
const hasNoNodeId = !('id' in (SCHEMA.getType('WorkflowRunNode') as GraphQLObjectType).getFields());

(hasNoNodeId ? it : it.failing).each([
  ['Apollo', apollo],
  ['graphcache', graphcache],
  ['Relay', relay],
])('%s stores two runs without mixing their nodes', async (_name, create) => {
  const cache = create();
  for (const { variables } of runs) await cache.load(variables);
  for (const { variables, data } of runs) expect(withoutTypes(await cache.read(variables))).toEqual(data);
});

/** Clients add `__typename` to each object. */
function withoutTypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTypes);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => name !== '__typename');
  return Object.fromEntries(members.map(([name, member]) => [name, withoutTypes(member)]));
}
