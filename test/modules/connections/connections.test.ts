import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pureGraph } from '../../support/run-graphs.js';
import { startTestService, type TestService } from '../../support/service.js';

interface Part {
  edges: { cursor: string; node: { id: string | number } }[];
  nodes: { id: string | number }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
  totalCount: number;
}

const PART = 'edges { cursor node { id } } nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';
const ROWS = 25;

let service: TestService;
let key: string;
let outsider: string;
let project: number;
let foreignProject: number;
let workflow: number;
let recognition: number;

beforeAll(async () => {
  service = await startTestService({ role: 'api' });
  ({ key } = await service.createUser('owner'));
  ({ key: outsider } = await service.createUser('outsider'));
  const make = async (path: string, body: unknown, as = key) =>
    (await service.rest('POST', `/api/v1/${path}/`, { key: as, body })).body.id as number;
  project = await make('projects', { name: 'own' });
  foreignProject = await make('projects', { name: 'foreign' }, outsider);
  workflow = await make('workflows', { project, title: 'one', data: pureGraph() });
  await service.sql(`delete from audit_entry`);
  await insertRows(ROWS);
  const [run] = await service.sql<{ id: number }>(
    `with document as (
       insert into document (project_id, key, filename, result_file, content_type, size, sha256)
       values (${project}, '', 'a', gen_random_uuid(), 'text/plain', 1, '\\x00') returning id)
     insert into recognition_run (project_id, document_id, chunk_size, state)
     select ${project}, id, 500, 'finished' from document returning id`,
  );
  recognition = run!.id;
  await service.sql(
    `insert into recognition_chunk (run_id, index, text, tokens, is_enabled)
     select ${recognition}, n, 'text ' || n, 1, n % 2 = 0 from generate_series(1, ${ROWS}) n`,
  );
});
afterAll(() => service?.stop());

/** Rows of each list ordered by time; each timestamp occurs seven times. */
async function insertRows(count: number, time = `timestamptz '2026-01-01 10:00:00.123+00'`): Promise<void> {
  const at = `${time} + n / 7 * interval '1 millisecond'`;
  await service.sql(`
    with runs as (
      insert into workflow_run (id, project_id, workflow_id, revision_id, state, cost_usd, created_at)
      select gen_random_uuid(), ${project}, ${workflow}, revision_id, 'succeeded', n % 5 * 0.0001, ${at}
        from generate_series(1, ${count}) n, workflow where id = ${workflow} returning id),
    ledger as (
      insert into billing_transaction (project_id, run_id, node_id, operation, status, amount_usd, created_at)
      select ${project}, gen_random_uuid(), 'node', case n % 2 when 0 then 'a' else 'b' end, 'Success', 1, ${at}
        from generate_series(1, ${count}) n)
    insert into audit_entry (id, action, via, object_type, object_id, project_id, detail, created_at)
    select gen_random_uuid(), 'member.add', 'key', 'member', n, ${project}, '{}', ${at}
      from generate_series(1, ${count}) n`);
}

interface List {
  /** The connection and the page list with the same arguments. */
  field: string;
  page: string;
  args: () => string;
  foreign: () => string;
}

const LISTS: List[] = [
  {
    field: 'workflowRunsConnection',
    page: 'workflowRuns',
    args: () => `workflowId: ${workflow}`,
    foreign: () => `filter: { projectId: ${foreignProject} }`,
  },
  {
    field: 'workflowRunsConnection',
    page: 'workflowRuns',
    args: () => `workflowId: ${workflow}, order: COST_ASC`,
    foreign: () => `filter: { projectId: ${foreignProject} }`,
  },
  {
    field: 'billingTransactionsConnection',
    page: 'billingTransactions',
    args: () => `projectId: ${project}`,
    foreign: () => `projectId: ${foreignProject}`,
  },
  {
    field: 'auditLogConnection',
    page: 'auditLog',
    args: () => `projectId: ${project}`,
    foreign: () => `projectId: ${foreignProject}`,
  },
  {
    field: 'recognitionChunksConnection',
    page: 'recognitionChunks',
    args: () => `recognitionRunId: ${recognition}`,
    foreign: () => `recognitionRunId: 2000000000`,
  },
];
const NAMED = LISTS.map(list => [`${list.field}(${list.args.toString().slice(7, -1)})`, list] as const);

async function part({ field, args }: List, slice: string, selection = PART): Promise<Part> {
  const { data, errors } = await service.graphql(`{ part: ${field}(${args()}, ${slice}) { ${selection} } }`, {}, key);
  expect(errors).toBeUndefined();
  return data.part;
}

async function faults({ field }: List, args: string): Promise<unknown> {
  const { errors } = await service.graphql(`{ ${field}(${args}) { totalCount } }`, {}, key);
  expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  return errors![0]!.extensions!.fields;
}

/** The ids of the whole list by pages of 100. */
async function expectedIds({ page, args }: List): Promise<unknown[]> {
  const { data } = await service.graphql(`{ list: ${page}(${args()}, size: 100) { items { id } } }`, {}, key);
  return data.list.items.map((item: { id: unknown }) => item.id);
}

describe.each(NAMED)('%s', (_name, list) => {
  it('returns each item once forwards, in the order of the pages', async () => {
    const ids: unknown[] = [];
    let after: string | null = null;
    for (let has = true; has; ) {
      const { edges, nodes, pageInfo }: Part = await part(list, `first: 4, after: ${JSON.stringify(after)}`);
      expect(nodes).toEqual(edges.map(({ node }) => node));
      expect(pageInfo).toMatchObject({ hasPreviousPage: after !== null, startCursor: edges[0]!.cursor });
      ids.push(...nodes.map(({ id }) => id));
      after = pageInfo.endCursor;
      has = pageInfo.hasNextPage;
    }
    expect(ids).toEqual(await expectedIds(list));
    expect(ids).toHaveLength(ROWS);
  });

  it('returns each item once backwards', async () => {
    const ids: unknown[] = [];
    let before: string | null = null;
    for (let has = true; has; ) {
      const { nodes, pageInfo }: Part = await part(list, `last: 7, before: ${JSON.stringify(before)}`);
      expect(pageInfo.hasNextPage).toBe(before !== null);
      ids.unshift(...nodes.map(({ id }) => id));
      before = pageInfo.startCursor;
      has = pageInfo.hasPreviousPage;
    }
    expect(ids).toEqual(await expectedIds(list));
  });

  it('returns the items between two cursors', async () => {
    const { edges } = await part(list, 'first: 20');
    const between = `after: "${edges[3]!.cursor}", before: "${edges[9]!.cursor}"`;
    expect((await part(list, between)).edges).toEqual(edges.slice(4, 9));
    expect((await part(list, `last: 2, ${between}`)).edges).toEqual(edges.slice(7, 9));
  });

  it('counts the list, and returns ten items by default', async () => {
    const { nodes, totalCount } = await part(list, 'after: null', 'nodes { id } totalCount');
    expect([nodes.length, totalCount]).toEqual([10, ROWS]);
  });

  it('refuses unknown cursors and numbers out of range', async () => {
    const other = Buffer.from(JSON.stringify(['other', '1'])).toString('base64url');
    const noDate = Buffer.from(JSON.stringify(['auditLog', '2026-02-31T00:00:00.000000Z', 'x'])).toString('base64url');
    for (const cursor of ['', 'nonsense', other, noDate])
      expect(await faults(list, `${list.args()}, after: "${cursor}"`)).toEqual({
        after: [expect.stringContaining('edges.cursor')],
      });
    expect(await faults(list, `${list.args()}, first: 0, before: "x"`)).toEqual({
      first: ['Ensure this value is between 1 and 100.'],
      before: [expect.stringContaining('pageInfo.startCursor')],
    });
    expect(await faults(list, `${list.args()}, last: 101`)).toHaveProperty('last');
    expect(await faults(list, `${list.args()}, first: 1, last: 1`)).toEqual({
      last: ['Send either first or last, not both.'],
    });
  });

  it('does not exist for outsiders, even with a cursor', async () => {
    const { edges } = await part(list, 'first: 1');
    const query = `{ ${list.field}(${list.args()}, after: "${edges[0]!.cursor}") { nodes { id } totalCount } }`;
    const { errors } = await service.graphql(query, {}, outsider);
    expect(['NOT_FOUND', 'BAD_USER_INPUT']).toContain(errors![0]!.extensions!.code);
    const foreign = await service.graphql(`{ ${list.field}(${list.foreign()}) { totalCount } }`, {}, key);
    expect(['NOT_FOUND', 'BAD_USER_INPUT']).toContain(foreign.errors![0]!.extensions!.code);
  });
});

describe('a cursor', () => {
  const [runs, byCost, ledger, audit] = LISTS as [List, List, List, List];

  it('is valid for one order of a list', async () => {
    const { edges } = await part(byCost, 'first: 1');
    expect(await faults(runs, `${runs.args()}, after: "${edges[0]!.cursor}"`)).toHaveProperty('after');
  });

  it('keeps the filter of the list', async () => {
    const args = `projectId: ${project}, filter: { operation: "a" }`;
    const { totalCount, nodes } = await part({ ...ledger, args: () => args }, 'first: 100', 'nodes { id } totalCount');
    expect([nodes.length, totalCount]).toEqual([12, 12]);
  });

  it('keeps its place when items are added and when its item is deleted', async () => {
    const before = await expectedIds(audit);
    const first = await part(audit, 'first: 5');
    await insertRows(3, `timestamptz '2026-01-02 10:00:00+00'`);
    await service.sql(`delete from audit_entry where id = '${first.nodes[4]!.id}'`);
    const second = await part(audit, `first: 5, after: "${first.pageInfo.endCursor}"`);
    expect([...first.nodes, ...second.nodes].map(({ id }) => id)).toEqual(before.slice(0, 10));
    const front = await part(audit, `last: 5, before: "${first.pageInfo.startCursor}"`);
    expect(front).toMatchObject({ nodes: { length: 3 }, pageInfo: { hasPreviousPage: false, hasNextPage: true } });
    const end = await part(audit, `first: 5, after: "${(await part(audit, 'last: 1')).pageInfo.endCursor}"`);
    expect(end).toMatchObject({ nodes: [], pageInfo: { hasNextPage: false, startCursor: null, endCursor: null } });
  });
});
