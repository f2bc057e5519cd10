import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApolloServer } from '@apollo/server';
import { expressMiddleware } from '@as-integrations/express5';
import { Repeater } from '@repeaterjs/repeater';
import express from 'express';
import { buildSchema, GraphQLError } from 'graphql';
import { useServer as serveOperations } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import { defaultPublicDir, mountPages } from '../../src/http/pages.js';
import { openapi } from './openapi.js';

export interface RunningService {
  url: string;
  apiKey: string;
  stop: () => Promise<void>;
}

const API_KEY = 'sk-pages-test-key';

interface Run {
  id: string;
  state: string;
  sequence: number;
  listeners: Set<() => void>;
}

/** The schema of the repository over a handful of arrays: enough of a service for a page to be used in earnest. */
export async function startService(): Promise<RunningService> {
  const schema = buildSchema(readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'));
  const rootValue = resolvers();
  const mayEnter = (apiKey: unknown) => {
    if (apiKey !== API_KEY)
      throw new GraphQLError('No key.', { extensions: { code: 'UNAUTHENTICATED', http: { status: 401 } } });
  };

  const app = express();
  mountPages(app, { publicDir: defaultPublicDir, openapi });
  const apollo = new ApolloServer<{ apiKey: unknown }>({
    schema,
    rootValue: () => rootValue,
    introspection: true,
    plugins: [
      {
        requestDidStart: async () => ({
          didResolveOperation: async ({ contextValue }) => mayEnter(contextValue.apiKey),
        }),
      },
    ],
  });
  await apollo.start();
  app.use(
    '/graphql',
    express.json(),
    expressMiddleware(apollo, { context: async ({ req }) => ({ apiKey: req.get('X-Api-Key') }) }),
  );
  app.get('/api/v1/projects/', (request, response) => {
    if (request.get('X-Api-Key') !== API_KEY) {
      response.status(401).json({ detail: 'Authentication credentials were not provided.', code: 'unauthenticated' });
      return;
    }
    const page = rootValue.projects();
    response.json({ page: page.page, size: page.size, total: page.total, items: page.items });
  });

  const server = http.createServer(app);
  const sockets = new WebSocketServer({ server, path: '/graphql' });
  const live = serveOperations(
    {
      schema,
      roots: { subscription: rootValue },
      onSubscribe: ({ connectionParams }) => mayEnterSocket(connectionParams),
    },
    sockets,
  );
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey: API_KEY,
    stop: async () => {
      await live.dispose();
      await apollo.stop();
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

function mayEnterSocket(connectionParams: Record<string, unknown> | undefined): undefined | GraphQLError[] {
  return connectionParams?.['X-Api-Key'] === API_KEY ? undefined : [new GraphQLError('No key.')];
}

function resolvers() {
  const projects: object[] = [];
  const workflows: object[] = [];
  const runs = new Map<string, Run>();
  const pageOf = (items: object[]) => ({ page: 1, size: 10, total: items.length, items });
  const money = { usd: '0', sr: '0' };
  const present = (run: Run) => ({
    sequence: run.sequence,
    kind: run.sequence === 1 ? 'SNAPSHOT' : run.state === 'SUCCEEDED' ? 'RUN_SUCCEEDED' : 'NODE_STARTED',
    at: new Date().toISOString(),
    status: run.state === 'SUCCEEDED' ? 'succeed' : 'in progress',
    run: { id: run.id, state: run.state, cost: money, duration: null, result: null },
    node: null,
    nodes: [],
  });
  const runOf = (id: string): Run => {
    const run = runs.get(id);
    if (run === undefined) throw new GraphQLError('Run not found.', { extensions: { code: 'NOT_FOUND' } });
    return run;
  };
  const receipt = (run: Run) => ({
    status: 201,
    data: { id: run.id, status: 'in queue', data: null, error: null },
    run: { id: run.id, state: run.state, createdAt: new Date().toISOString() },
  });
  const move = (run: Run, state: string) => {
    run.state = state;
    run.sequence += 1;
    for (const tell of run.listeners) tell();
  };

  return {
    projects: () => pageOf(projects),
    workflows: () => pageOf(workflows),
    projectCreate: ({ input }: { input: { name: string } }) => {
      const project = { id: projects.length + 1, canEdit: true, totalSpent: money, createdAt: new Date(), ...input };
      projects.push(project);
      return project;
    },
    workflowCreate: ({ input }: { input: { project: number; title: string } }) => {
      const workflow = { id: workflows.length + 1, projectId: input.project, title: input.title, inputFields: [] };
      workflows.push(workflow);
      return workflow;
    },
    workflowRunStart: ({ draft }: { draft: boolean }) => {
      const run: Run = { id: randomUUID(), state: draft ? 'DRAFT' : 'SUCCEEDED', sequence: 1, listeners: new Set() };
      runs.set(run.id, run);
      return receipt(run);
    },
    workflowRunRelease: ({ id }: { id: string }) => {
      const run = runOf(id);
      for (const state of ['QUEUED', 'RUNNING', 'SUCCEEDED']) move(run, state);
      return receipt(run);
    },
    workflowRunChanged: ({ id }: { id: string }) => {
      const run = runOf(id);
      return new Repeater<object>(async (push, stop) => {
        const tell = () => {
          void push({ workflowRunChanged: present(run) });
          if (run.state === 'SUCCEEDED') stop();
        };
        run.listeners.add(tell);
        tell();
        await stop;
        run.listeners.delete(tell);
      });
    },
  };
}
