import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chain, output, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';

/** Number of writers that save at the same moment, and of rounds. `SAVE_ROUNDS` sets more rounds. */
const WRITERS = 20;
const ROUNDS = Number(process.env.SAVE_ROUNDS ?? 2);
/** Number of writers that load, change and save until they succeed, and of changes by each of them. */
const COUNTERS = 6;
const CHANGES = 4;

const UPDATE = `mutation ($id: Int!, $data: JSON!, $base: Int!) {
  workflowUpdate(id: $id, input: { data: $data, expectedRevisionNumber: $base }) { workflow { id } errors { code } } }`;
const RESTORE = `mutation ($id: Int!, $number: Int!, $base: Int!) {
  workflowRevisionRestore(workflowId: $id, number: $number, expectedRevisionNumber: $base) { workflowRevision { number } errors { code } } }`;
const LOAD = 'query ($id: Int!) { workflow(id: $id) { data currentRevision { number } } }';

let service: TestService;
let project: number;
beforeAll(async () => {
  service = await startTestService();
  project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'P' } })).body.id;
});
afterAll(() => service?.stop());

const BASE = chain(trigger(), { ...output('0'), id: 'out' });
const graphOf = (text: string) => ({
  ...BASE,
  nodes: BASE.nodes.map(each => (each.id === 'out' ? { ...each, data: { ...each.data, value: text } } : each)),
});
const textOf = (data: any): string => data.nodes.find(({ id }: { id: string }) => id === 'out').data.value;

/** Loads a workflow, and saves it if no other writer has saved since. */
interface WorkflowClient {
  load(id: number): Promise<{ number: number; data: unknown }>;
  /** Returns false when another writer was faster. */
  save(id: number, data: unknown, base: number): Promise<boolean>;
}

const CLIENTS: Record<'REST' | 'GraphQL', WorkflowClient> = {
  REST: {
    async load(id) {
      const { body, headers } = await service.rest('GET', `/api/v1/workflows/${id}/`);
      return { number: Number(/^"(\d+)"$/.exec(headers.get('etag') ?? '')?.[1]), data: body.data };
    },
    async save(id, data, base) {
      const headers = { 'If-Match': `"${base}"` };
      const { status } = await service.rest('PATCH', `/api/v1/workflows/${id}/`, { headers, body: { data } });
      expect([200, 412]).toContain(status);
      return status === 200;
    },
  },
  GraphQL: {
    async load(id) {
      const { workflow } = (await service.graphql(LOAD, { id })).data;
      return { number: workflow.currentRevision.number, data: workflow.data };
    },
    async save(id, data, base) {
      const { errors } = (await service.graphql(UPDATE, { id, data, base })).data.workflowUpdate;
      expect(['', 'CONFLICT']).toContain(errors.map(({ code }: { code: string }) => code).join());
      return errors.length === 0;
    },
  },
};

const create = async (): Promise<number> =>
  (await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data: graphOf('0') } })).body.id;

describe.each(['REST', 'GraphQL'] as const)('users who save the same workflow at once over %s', name => {
  const { load, save } = CLIENTS[name];

  it('get a conflict, except one, and nothing of the others is stored', async () => {
    const id = await create();
    for (let round = 1; round <= ROUNDS; round++) {
      const { number } = await load(id);
      expect(number).toBe(round);
      const texts = Array.from({ length: WRITERS }, (_, writer) => `round ${round}, writer ${writer}`);
      const saved = await Promise.all(texts.map(text => save(id, graphOf(text), number)));
      const winners = texts.filter((_, writer) => saved[writer]);
      expect(winners).toHaveLength(1);
      const stored = await load(id);
      expect([stored.number, textOf(stored.data)]).toEqual([number + 1, winners[0]]);
    }
  });

  it('lose no change if they load again and repeat it', async () => {
    const id = await create();
    const change = async () => {
      for (;;) {
        const { number, data } = await load(id);
        if (await save(id, graphOf(String(Number(textOf(data)) + 1)), number)) return;
      }
    };
    await Promise.all(
      Array.from({ length: COUNTERS }, async () => {
        for (let count = 0; count < CHANGES; count++) await change();
      }),
    );
    const { number, data } = await load(id);
    expect([number, textOf(data)]).toEqual([COUNTERS * CHANGES + 1, String(COUNTERS * CHANGES)]);
  });
});

it('a revision is not restored over one that was saved since', async () => {
  const id = await create();
  await CLIENTS.REST.save(id, graphOf('1'), 1);
  const path = `/api/v1/workflows/${id}/revisions/1/restore/`;
  const late = await service.rest('POST', path, { headers: { 'If-Match': '"1"' } });
  expect([late.status, late.body.detail]).toEqual([412, expect.stringMatching(/^Revision 2 was saved since/)]);
  const stale = await service.graphql(RESTORE, { id, number: 1, base: 1 });
  expect(stale.data.workflowRevisionRestore).toEqual({ workflowRevision: null, errors: [{ code: 'CONFLICT' }] });
  expect((await service.rest('POST', path, { headers: { 'If-Match': '"2"' } })).body.number).toBe(3);
});
