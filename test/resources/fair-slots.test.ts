import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { createWorkflow } from '../support/run-graphs.js';
import { startTestService, type TestService } from '../support/service.js';

/** trigger → code → output. */
function codeGraph(code: string, timeoutSeconds: number) {
  const node = (id: string, type: string, data: object) => ({ id, type, position: { x: 0, y: 0 }, data });
  const nodes = [
    node('trigger', 'trigger-node', { next_nodes: ['code'] }),
    node('code', 'code-node', { code, timeout_seconds: timeoutSeconds, next_nodes: ['out'] }),
    node('out', 'output-node', { value: '{{ previous.content }}' }),
  ];
  return { nodes, edges: [], viewport: { x: 0, y: 0, zoom: 1 }, start_node: 'trigger' };
}

async function start(service: TestService, workflow: number): Promise<string> {
  const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: {} });
  return body.data.id;
}

function ended(service: TestService, run: string) {
  return eventually(
    () => service.rest('GET', `/api/v1/workflows/workflow_result/?id=${run}`),
    ({ body }) => ['succeed', 'failed'].includes(body.data.status),
    { withinMs: 120_000 },
  );
}

const NODES = 'query ($id: UUID!) { workflowRun(id: $id) { result nodes { id status waitedMs } } }';

describe('endless scripts of one project', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ codeMaxSeconds: 20 });
  });
  afterAll(() => service.stop());

  it('hold up no script of another one, and end at the ceiling', async () => {
    const endless = await createWorkflow(service, codeGraph('while (true) {}', 3_600));
    const quick = await createWorkflow(service, codeGraph('return 6 * 7', 5));
    const metric = async (name: string) => {
      const text = await (await fetch(`${service.url}/metrics`)).text();
      return Number(new RegExp(`^${name}\\{kind="script"\\} (\\S+)$`, 'm').exec(text)?.[1]);
    };
    // As many as hold every thread that one project may have, and two more.
    const held: string[] = [];
    while ((await metric('scenarium_slots_waiting')) < 2) {
      held.push(await start(service, endless));
      if (held.length > 100) throw new Error('no script waits');
      await new Promise(resolve => setTimeout(resolve, 50));
    }
    for (let round = 0; round < 3; round++) {
      const { body } = await ended(service, await start(service, quick));
      expect([body.data.status, body.data.output]).toEqual(['succeed', '42']);
    }
    expect(await metric('scenarium_slot_oldest_wait_seconds')).toBeGreaterThan(0);
    // The first ones end at the ceiling; those behind them waited as long, and are not failed for that.
    const codes = await Promise.all(
      held.map(async run => {
        const { body } = await ended(service, run);
        return body.data.error.code;
      }),
    );
    expect(new Set(codes)).toEqual(new Set(['code_timeout']));
    const { data } = await service.graphql(NODES, { id: held.at(-1) });
    const code = data.workflowRun.nodes.find((node: { id: string }) => node.id === 'code');
    expect(code.waitedMs).toBeGreaterThan(1_000);
    // The result keeps its form.
    expect(Object.keys(data.workflowRun.result).sort()).toEqual(['data', 'error', 'output']);
  }, 300_000);
});
