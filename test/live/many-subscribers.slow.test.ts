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
  projectActivity(projectId: $project, after: $after) { cursor id: subjectId state }
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

it('hundreds of subscribers receive one event, and leave nothing behind when they disconnect at once', async () => {
  const held = upstream.hold();
  const run = await startRun();
  await held.arrived;
  // The worker watches the signals of the run.
  const { watchers: ofWorker } = service.countOpen();
  const sockets = await Promise.all(Array.from({ length: 100 }, () => RawSocket.open(service.url, service.key)));
  const ids = ['1', '2', '3', '4'];
  for (const socket of sockets) {
    for (const id of ids) socket.subscribe(id, CHANGES, { id: run });
    socket.subscribe('activity', ACTIVITY, { project });
  }
  const awaitLastOfAll = (kind: string) =>
    eventually(
      async () => sockets.flatMap(socket => ids.map(id => socket.of(id).at(-1))),
      last => last.every(message => message?.payload?.data.workflowRunChanged.kind === kind),
    );
  await awaitLastOfAll('SNAPSHOT');
  // One for each subscription to the run, and one for all to the project.
  expect(service.countOpen()).toEqual({ sockets: 100, streams: 0, watchers: 401 + ofWorker });
  await service.sql(
    `with run as (update workflow_run set sequence = sequence + 1 where id = $1 returning id, created_at, sequence)
     insert into workflow_run_journal (run_id, run_created_at, first_sequence, last_sequence, events)
     select id, created_at, sequence, sequence, json_build_array(json_build_object(
       'type', 'node.retrying', 'node', 'llm', 'at', now(), 'sequence', sequence, 'error', json_build_object('code', 'x', 'message', 'x')))
       from run`,
    [run],
  );
  await service.sql(`select pg_notify('scenarium', 'run:' || $1)`, [run]);
  await awaitLastOfAll('NODE_RETRYING');
  for (const { socket } of sockets) socket.terminate();
  await eventually(
    async () => service.countOpen(),
    ({ sockets: open, watchers }) => open === 0 && watchers === ofWorker,
  );
  held.release();
});

describe('across restarts of the notifying process', () => {
  let isOver = false;
  afterAll(() => {
    isOver = true;
  });

  /** Reconnects from its last sequence or cursor whenever the socket closes. */
  class ReconnectingSubscriber {
    readonly received: any[] = [];

    constructor(
      private readonly urlOf: () => string,
      private readonly query: string,
      private readonly next: (last: any) => Record<string, unknown>,
    ) {}

    async follow(isLast: (received: any[]) => boolean): Promise<any[]> {
      while (!isLast(this.received) && !isOver) {
        const socket = await RawSocket.open(this.urlOf(), service.key).catch(() => null);
        if (!socket) {
          await new Promise(resolve => setTimeout(resolve, 50));
          continue;
        }
        socket.subscribe('1', this.query, this.next(this.received.at(-1)));
        let taken = 0;
        const take = () => {
          for (const message of socket.of('1').slice(taken)) {
            taken++;
            // Refused without data, for example while the service stops.
            if (message.type === 'next' && message.payload.data)
              this.received.push(Object.values(message.payload.data)[0]);
          }
          return isLast(this.received);
        };
        const done = new Promise<void>(resolve => socket.socket.on('message', () => take() && resolve()));
        // Retried when it was refused, for example while the service stops.
        const refused = socket.until(() => socket.of('1').some(({ type }) => type !== 'next')).catch(() => {});
        await Promise.race([socket.closed, done, refused]);
        socket.socket.terminate();
      }
      return this.received;
    }
  }

  it('no change is missed or repeated, and no end is missed', async () => {
    const options = { role: 'api' as const, openai: { baseUrl: upstream.url, apiKey: 'k' } };
    let api = await startTestService(options, service.database);
    const held = upstream.hold();
    const runs = await Promise.all(Array.from({ length: 10 }, startRun));
    await held.arrived;
    const urlOf = () => api.url;
    const followers = runs.map(id =>
      new ReconnectingSubscriber(urlOf, CHANGES, last => ({ id, after: last?.sequence ?? 0 })).follow(
        received => received.at(-1)?.kind === 'RUN_SUCCEEDED',
      ),
    );
    const ends = new Set<string>();
    const activity = new ReconnectingSubscriber(urlOf, ACTIVITY, last => ({ project, after: last?.cursor }));
    const ended = activity.follow(received => {
      for (const { id, state } of received) if (state === 'SUCCEEDED') ends.add(id);
      return runs.every(id => ends.has(id));
    });
    await eventually(
      async () => [api.countOpen().sockets, runs.filter(run => activity.received.some(({ id }) => id === run)).length],
      ([sockets, received]) => sockets === 11 && received === 10,
    );
    // The process stops while the runs are blocked, and again while they end.
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
