import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chain, field, node, output, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let workflow: number;
let waiting: number;
beforeAll(async () => {
  service = await startTestService();
  const project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Events' } })).body.id;
  const save = async (data: unknown) =>
    (await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } })).body.id;
  workflow = await save(chain(trigger(field('who')), output('Hello {{ input.who }}')));
  waiting = await save(chain(trigger(), node('delay-node', { seconds: 3_600 }), output('late')));
});
afterAll(() => service?.stop());

const start = async (id: number, input = {}) =>
  (await service.rest('POST', `/api/v1/workflows/${id}/run/`, { body: input })).body.data.id as string;
const open = (run: string, headers: Record<string, string> = {}, signal?: AbortSignal) =>
  fetch(`${service.url}/api/v1/workflows/history-events/${run}`, {
    headers: { 'X-API-Key': service.key, ...headers },
    ...(signal ? { signal } : {}),
  });

interface ServerEvent {
  id: number;
  event: string;
  data: any;
}

/** Reads events until `isEnough`, or to the end of the stream. */
async function eventsOf(response: Response, isEnough = (_events: ServerEvent[]) => false): Promise<ServerEvent[]> {
  const events: ServerEvent[] = [];
  let text = '';
  for await (const bytes of response.body!) {
    text += Buffer.from(bytes).toString();
    const parts = text.split('\n\n');
    text = parts.pop()!;
    for (const part of parts) {
      const lines = new Map(part.split('\n').map(line => line.split(/: (.*)/s, 2) as [string, string]));
      if (lines.has('data'))
        events.push({ id: Number(lines.get('id')), event: lines.get('event')!, data: JSON.parse(lines.get('data')!) });
    }
    if (isEnough(events)) return events;
  }
  return events;
}

describe('the events of a run', () => {
  it('begin with a snapshot and end with the run', async () => {
    const run = await start(workflow, { who: 'Ada' });
    const response = await open(run);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    const events = await eventsOf(response);
    expect(events[0]!.event).toBe('snapshot');
    expect(events.at(-1)!.data).toMatchObject({ run_id: run, state: 'succeeded' });
  });

  it('continue after the last received event, and are over after the last one of the run', async () => {
    const run = await start(workflow, { who: 'Ada' });
    await eventsOf(await open(run));
    const rest = await eventsOf(await open(run, { 'Last-Event-ID': '1' }));
    expect(rest.map(({ id }) => id)).toEqual(rest.map((_, index) => index + 2));
    const last = rest.at(-1)!;
    expect(last.event).toBe('run.succeeded');
    expect((await open(run, { 'Last-Event-ID': String(last.id) })).status).toBe(204);
  });

  it('arrive while the run continues', async () => {
    const run = await start(waiting);
    const response = await open(run);
    const seen = eventsOf(response, events => events.some(({ data }) => data.state === 'cancelled'));
    await service.graphql('mutation ($id: UUID!) { workflowRunCancel(id: $id) { workflowRun { id } } }', { id: run });
    expect((await seen).at(-1)!.event).toBe('run.cancelled');
  });

  it('are for members of the project', async () => {
    const run = await start(workflow, { who: 'Ada' });
    const { key } = await service.createUser('outsider');
    const outsider = await open(run, { 'X-API-Key': key });
    const unknown = await open('0193a6f2-8f6e-7cc1-9d8a-3f5e2c1b7a90');
    expect([outsider.status, await outsider.json()]).toEqual([unknown.status, await unknown.json()]);
    expect([
      unknown.status,
      (await open('nothing')).status,
      (await open(run, { 'X-API-Key': '' })).status,
      (await open(run, { 'Last-Event-ID': 'x' })).status,
    ]).toEqual([404, 404, 401, 400]);
  });
});
