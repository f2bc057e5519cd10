import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { awaitFinish } from '../../rest/workflows/finished-run.js';
import { testEnvironment } from '../../support/config.js';
import { chain, node, output, template, trigger } from '../../support/graphs.js';
import { expireJobs } from '../../support/jobs/expire-jobs.js';
import { crashWorkerAt } from '../../support/processes/process.js';
import { createDatabase, startTestService, type TestService } from '../../support/service.js';

describe('a worker that is killed after a node has stored a file', () => {
  let service: TestService;
  let environment: Record<string, string>;

  beforeAll(async () => {
    const database = await createDatabase();
    service = await startTestService({ role: 'api' }, database);
    environment = testEnvironment(database);
  });
  afterAll(() => service?.stop());

  const settings = { model_name: 'echo' };
  const file = '{{ previous.content }}';
  it.each([
    [
      'a text',
      node('file-node', { operation: 'write', file_name: 'a.txt', content: 'kept' }),
      node('file-node', { file }),
      'a.txt',
      'kept',
    ],
    [
      'an image',
      node('image-node', { prompt: 'A cat', settings }),
      template('{{ previous.json.content_type }}'),
      'image.png',
      'image/png',
    ],
    [
      'speech',
      node('speech-node', { text: 'Hello', settings, format: 'wav' }),
      node('transcription-node', { file, settings }),
      'speech.wav',
      'Hello',
    ],
  ])('leaves one file of %s, which the next worker passes on', async (_, write, reading, filename, expected) => {
    const project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Files' } })).body.id;
    const data = chain(trigger(), write, reading, output());
    const workflow = (await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } })).body
      .id;
    const { id } = (await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: {} })).body.data;
    await crashWorkerAt('run-file.written', environment);
    await expireJobs(service);
    const worker = await startTestService({ role: 'worker' }, service.database);
    try {
      expect(await awaitFinish(service, id)).toMatchObject({ status: 'succeed', output: expected });
    } finally {
      await worker.stop();
    }
    expect(await service.sql('select filename from project_file where run_id = $1', [id])).toEqual([{ filename }]);
  });
});

describe('a worker that is killed while a node changes a value of the project', () => {
  let service: TestService;
  let environment: Record<string, string>;

  beforeAll(async () => {
    const database = await createDatabase();
    service = await startTestService({ role: 'api' }, database);
    environment = testEnvironment(database);
  });
  afterAll(() => service?.stop());

  it.each(['key-value.before-commit', 'key-value.after-commit'])('changes it once after %s', async point => {
    const project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Values' } })).body.id;
    const add = node('key-value-node', { operation: 'increment', key: 'count' });
    const data = chain(trigger(), add, template('{{ previous.json.value }}'), output());
    const workflow = (await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } })).body
      .id;
    const { id } = (await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: {} })).body.data;
    await crashWorkerAt(point, environment);
    await expireJobs(service);
    const other = { project, key: 'count', by: 10 };
    await service.rest('POST', '/api/v1/key-value-entries/increment/', { body: other });
    const worker = await startTestService({ role: 'worker' }, service.database);
    try {
      const isCommitted = point.endsWith('after-commit');
      expect(await awaitFinish(service, id)).toMatchObject({ status: 'succeed', output: isCommitted ? '1' : '11' });
    } finally {
      await worker.stop();
    }
    const { body } = await service.rest('GET', `/api/v1/projects/${project}/key-value-entries/`);
    expect(body.items).toMatchObject([{ key: 'count', value: 11 }]);
  });
});
