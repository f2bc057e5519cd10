import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { awaitFinish } from '../../rest/workflows/finished-run.js';
import { testEnvironment } from '../../support/config.js';
import { chain, field, node, output, trigger } from '../../support/graphs.js';
import { expireJobs } from '../../support/jobs/expire-jobs.js';
import { faultPoints } from '../../support/processes/fault-points.js';
import { crashWorkerAt } from '../../support/processes/process.js';
import { createDatabase, startTestService, type TestService } from '../../support/service.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';

const MODEL = 'gpt-4o-mini';
const FIRST = 'I am Ada.';

describe('a worker that is killed while an agent remembers a chat', () => {
  let upstream: StubUpstream;
  let service: TestService;
  let path: string;
  const openai = () => ({ baseUrl: upstream.url, apiKey: 'k' });
  const startWorker = () => startTestService({ role: 'worker', openai: openai() }, service.database);

  beforeAll(async () => {
    upstream = await startStubUpstream();
    upstream.respondWith(() => ({ content: 'Hello Ada.' }));
    service = await startTestService({ role: 'api', openai: openai() }, await createDatabase());
    const project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Memory' } })).body.id;
    const agent = node('agent-node', {
      messages: [{ role: 'user', message: '{{ input.message }}' }],
      settings: { model_name: MODEL },
      memory: {},
    });
    const data = chain(trigger(field('message')), agent, output());
    const workflow = (await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'M', data } })).body;
    // The input has no history, so that only the recorded memory contains earlier messages.
    const chat = { wait_seconds: 1, mapping: { message: '{{ input.message }}' } };
    const body = { name: 'Help', chat };
    path = (await service.rest('POST', `/api/v1/workflows/${workflow.id}/triggers/`, { body })).body.path;
  });
  afterAll(async () => {
    await service?.stop();
    await upstream?.stop();
  });

  /** Sends a message without waiting for its answer, and returns the id of its run. */
  async function send(conversation: string, text: string): Promise<string> {
    const body = JSON.stringify({ conversation_id: conversation, message_id: randomUUID(), text });
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`${service.url}${path}/messages`, { method: 'POST', headers, body });
    return /"id":"([^"]+)"/.exec(await answer.text())![1]!;
  }

  const points = [1, 2, 3].flatMap(nth => [`record.before:${nth}`, `record.after:${nth}`]);

  it.each(faultPoints(points))('leaves the recorded messages to the next worker (%s)', async point => {
    const conversation = randomUUID();
    const first = await send(conversation, FIRST);
    const worker = await startWorker();
    await awaitFinish(service, first);
    await worker.stop();
    // Reading the conversation stores the answer.
    await fetch(`${service.url}${path}/conversation`, { headers: { 'X-Conversation': conversation } });

    const run = await send(conversation, 'Who am I?');
    upstream.requests.length = 0;
    const environment = { ...testEnvironment(service.database), OPENAI_BASE_URL: upstream.url, OPENAI_API_KEY: 'k' };
    await crashWorkerAt(point, environment);
    const [{ isRecorded } = { isRecorded: false }] = await service.sql(
      `select coalesce(bool_or(events::text like '%${FIRST}%'), false) as "isRecorded"
         from workflow_run_journal where run_id = $1`,
      [run],
    );
    // A worker that reads the conversation now, instead of the recorded memory, finds another text.
    await service.sql(`update conversation_message set text = 'I am Bob.' where id = $1`, [first]);
    await expireJobs(service);
    const successor = await startWorker();
    expect(await awaitFinish(service, run)).toMatchObject({ status: 'succeed', output: 'Hello Ada.' });
    await successor.stop();
    const requests = upstream.requests.map(({ messages }) => messages);
    const isAskedAgain = point.startsWith('record.before') && requests.length > 1;
    expect(requests).toHaveLength(isAskedAgain ? 2 : 1);
    const expected = [
      { role: 'user', content: isRecorded ? FIRST : 'I am Bob.' },
      { role: 'assistant', content: 'Hello Ada.' },
      { role: 'user', content: 'Who am I?' },
    ];
    expect(requests).toEqual(requests.map(() => expected));
  });
});
