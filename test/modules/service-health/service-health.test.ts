import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { chain, field, output, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';

const HEALTH = `{
  serviceHealth {
    version role startedAt isDatabaseWritable
    queues { kind queued running waiting oldestQueuedSeconds deadLetters }
  }
}`;
const START = `mutation ($workflowId: Int!, $input: JSON) {
  workflowRunStart(workflowId: $workflowId, input: $input) { run { id } errors { code } }
}`;
const EMPTY = { queued: 0, running: 0, waiting: 0, oldestQueuedSeconds: null, deadLetters: 0 };

describe('The state of the service', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ role: 'api' });
  });
  afterAll(() => service?.stop());

  test('names the version, the role and every kind of work', async () => {
    const { data } = await service.graphql(HEALTH);
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(data.serviceHealth).toEqual({
      ...{ version, role: 'API', startedAt: expect.any(String), isDatabaseWritable: true },
      queues: ['WORKFLOW', 'SCENARIO', 'KEYWORD', 'RECOGNITION', 'WEBHOOK'].map(kind => ({ kind, ...EMPTY })),
    });
  });

  test('counts runs that no worker takes, with the age of the oldest', async () => {
    const { body: project } = await service.rest('POST', '/api/v1/projects/', { body: { name: 'Depth' } });
    const data = chain(trigger(field('question')), output('done'));
    const { body: workflow } = await service.rest('POST', '/api/v1/workflows/', {
      body: { project: project.id, title: 'Waits', data },
    });
    await service.graphql(START, { workflowId: workflow.id, input: { question: 'Why?' } });
    await service.sql(`update workflow_run set queued_at = now() - interval '1 hour'`);
    const read = async () => (await service.graphql(HEALTH)).data.serviceHealth.queues[0];
    const queue = await eventually(read, ({ queued }) => queued === 1);
    expect(queue).toMatchObject({ kind: 'WORKFLOW', running: 0, waiting: 0 });
    expect(queue.oldestQueuedSeconds).toBeGreaterThanOrEqual(3_600);
  });

  test('is for administrators', async () => {
    const { key } = await service.createUser('grace');
    const { errors } = await service.graphql(HEALTH, {}, key);
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  });
});
