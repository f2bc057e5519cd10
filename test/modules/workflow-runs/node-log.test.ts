import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { awaitFinish } from '../../rest/workflows/finished-run.js';
import { chain, field, node, output, trigger } from '../../support/graphs.js';
import { createWorkflow } from '../../support/run-graphs.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  await service?.stop();
});

it('the console of a script is the log of its node, with masked secrets and outside of the result', async () => {
  const secret = 'a-very-secret-token';
  const start = trigger(field('token', { is_secret: true, default_value: secret }));
  const script = node('code-node', {
    code: 'console.log("token", input.token, URL.canParse("http://a"))',
    timeout_seconds: 30,
  });
  const data = chain(start, script, output());
  const { body } = await service.rest('POST', `/api/v1/workflows/${await createWorkflow(service, { ...data })}/run/`);
  await awaitFinish(service, body.data.id);
  const query = 'query ($id: UUID!) { workflowRun(id: $id) { result nodes { nodeId log } } }';
  const { data: read } = await service.graphql(query, { id: body.data.id });
  expect(read.workflowRun.nodes.map((node: { log: unknown }) => node.log)).toEqual([[], ['token ******** true'], []]);
  expect(Object.keys(read.workflowRun.result)).toEqual(['data', 'output']);
});
