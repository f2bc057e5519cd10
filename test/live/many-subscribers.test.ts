import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { createWorkflow, echoGraph } from '../support/run-graphs.js';
import { startTestService, type TestService } from '../support/service.js';
import { type StubUpstream, startStubUpstream } from '../support/upstreams/stub-upstream.js';
import { RawSocket } from './raw-socket.js';

const CHANGES = `subscription ($id: UUID!, $after: Int) {
  workflowRunChanged(id: $id, afterSequence: $after) { sequence kind }
}`;
const ACTIVITY = `subscription ($project: Int!, $after: String) {
  projectActivity(projectId: $project, after: $after) { cursor id state }
}`;

let service: TestService;
let upstream: StubUpstream;
let workflow: number;
let project: number;
beforeAll(async () => {
  upstream = await startStubUpstream();
  service = await startTestService({ openai: { baseUrl: upstream.url, apiKey: 'k' } });
  workflow = await createWorkflow(service, echoGraph('gpt-4o-mini'));
  project = (await service.rest('GET', `/api/v1/workflows/${workflow}/`)).body.project;
});
afterAll(async () => {
  await service?.stop();
  await upstream?.stop();
});

async function startRun(): Promise<string> {
  const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { topic: 'cats' } });
  return body.data.id;
}

it('hundreds hear of one event, and leave nothing behind when they break off at once', async () => {
  const held = upstream.hold();
  const run = await startRun();
  await held.arrived;
  const sockets = await Promise.all(Array.from({ length: 100 }, () => RawSocket.open(service.url, service.key)));
  const ids = ['1', '2', '3', '4'];
  for (const socket of sockets) {
    for (const id of ids) socket.subscribe(id, CHANGES, { id: run });
    socket.subscribe('activity', ACTIVITY, { project });
  }
  const all = (kind: string) =>
    eventually(
      async () => sockets.flatMap(socket => ids.map(id => socket.of(id).at(-1))),
      last => last.every(message => message?.payload?.data.workflowRunChanged.kind === kind),
    );
  await all('SNAPSHOT');
  // One for each subscription to the run, and one for all to the project.
  expect(service.open()).toEqual({ sockets: 100, watchers: 401 });
  await service.sql(
    `with run as (update workflow_run set sequence = sequence + 1 where id = $1 returning id, created_at, sequence)
     insert into workflow_run_journal (run_id, run_created_at, first_sequence, last_sequence, events)
     select id, created_at, sequence, sequence, json_build_array(json_build_object(
       'type', 'node.retrying', 'node', 'llm', 'at', now(), 'sequence', sequence, 'error', json_build_object('code', 'x', 'message', 'x')))
       from run`,
    [run],
  );
  await service.sql(`select pg_notify('scenarium', 'run:' || $1)`, [run]);
  await all('NODE_RETRYING');
  for (const { socket } of sockets) socket.terminate();
  await eventually(
    async () => service.open(),
    ({ sockets: open, watchers }) => open + watchers === 0,
  );
  held.release();
});

describe('over restarts of the process that tells', () => {
  let isOver = false;
  afterAll(() => {
    isOver = true;
  });

  /** Comes back after its last sequence or cursor as often as the socket ends. */
  class Returning {
    readonly heard: any[] = [];

    constructor(
      private readonly urlOf: () => string,
      private readonly query: string,
      private readonly next: (last: any) => Record<string, unknown>,
    ) {}

    async follow(isLast: (heard: any[]) => boolean): Promise<any[]> {
      while (!isLast(this.heard) && !isOver) {
        const socket = await RawSocket.open(this.urlOf(), service.key).catch(() => null);
        if (!socket) {
          await new Promise(resolve => setTimeout(resolve, 50));
          continue;
        }
        socket.subscribe('1', this.query, this.next(this.heard.at(-1)));
        let taken = 0;
        const take = () => {
          for (const message of socket.of('1').slice(taken)) {
            taken++;
            // Without data it was refused, such as while the service stops.
            if (message.type === 'next' && message.payload.data)
              this.heard.push(Object.values(message.payload.data)[0]);
          }
          return isLast(this.heard);
        };
        const done = new Promise<void>(resolve => socket.socket.on('message', () => take() && resolve()));
        // Refused, such as while the service stops: asked again.
        const refused = socket.until(() => socket.of('1').some(({ type }) => type !== 'next')).catch(() => {});
        await Promise.race([socket.closed, done, refused]);
        socket.socket.terminate();
      }
      return this.heard;
    }
  }

  it('no change is missed or told twice, and no end is missed', async () => {
    const options = { role: 'api' as const, openai: { baseUrl: upstream.url, apiKey: 'k' } };
    let api = await startTestService(options, service.database);
    const held = upstream.hold();
    const runs = await Promise.all(Array.from({ length: 10 }, startRun));
    await held.arrived;
    const urlOf = () => api.url;
    const followers = runs.map(id =>
      new Returning(urlOf, CHANGES, last => ({ id, after: last?.sequence ?? 0 })).follow(
        heard => heard.at(-1)?.kind === 'RUN_SUCCEEDED',
      ),
    );
    const ends = new Set<string>();
    const activity = new Returning(urlOf, ACTIVITY, last => ({ project, after: last?.cursor }));
    const ended = activity.follow(heard => {
      for (const { id, state } of heard) if (state === 'SUCCEEDED') ends.add(id);
      return runs.every(id => ends.has(id));
    });
    await eventually(
      async () => [api.open().sockets, runs.filter(run => activity.heard.some(({ id }) => id === run)).length],
      ([sockets, heard]) => sockets === 11 && heard === 10,
    );
    // It goes while the runs stand still, and again while they end.
    await api.stop();
    api = await startTestService(options, service.database);
    held.release();
    await api.stop();
    api = await startTestService(options, service.database);
    for (const changes of await Promise.all(followers)) {
      expect(changes.map(({ sequence }) => sequence)).toEqual(changes.map((_, index) => index + 1));
      expect(changes.at(-1).kind).toBe('RUN_SUCCEEDED');
    }
    await ended;
    await api.stop();
  });
});
