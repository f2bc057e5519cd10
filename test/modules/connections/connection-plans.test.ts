import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Viewer } from '../../../src/modules/accounts/viewer.js';
import { BillingService } from '../../../src/modules/billing/billing.service.js';
import { ProjectAccess } from '../../../src/modules/projects/access.js';
import { AuditLogService } from '../../../src/modules/projects/audit/audit-log.service.js';
import { RecognitionService } from '../../../src/modules/recognition/recognition.service.js';
import { RunLists } from '../../../src/modules/workflow-runs/history/run-lists.js';
import { WorkflowRunOrder } from '../../../src/modules/workflow-runs/history/workflow-run.inputs.js';
import type { Database } from '../../../src/platform/database/database.js';
import type { Connection, ConnectionArgs } from '../../../src/platform/lists/connection.js';
import { Currencies } from '../../../src/platform/money/money.js';
import { databaseUrl } from '../../support/config.js';
import { pureGraph } from '../../support/run-graphs.js';
import { createDatabase, startTestService, type TestService } from '../../support/service.js';

const VIEWER: Viewer = { userId: 1, isAdmin: true, via: 'key' };
const ROWS = 5_000;

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

let service: TestService;
let client: pg.Client;
let database: Database;
let project: number;
let workflow: number;
/** The statements of connections since the last clear. */
const statements: { text: string; values: unknown[] | undefined }[] = [];

beforeAll(async () => {
  const name = await createDatabase();
  service = await startTestService({ role: 'api' }, name);
  client = new pg.Client({ connectionString: databaseUrl(name) });
  await client.connect();
  const run = async (text: string, values?: unknown[]) => {
    if (text.includes('connectionKey')) statements.push({ text, values });
    return (await client.query(text, values)).rows;
  };
  database = {
    query: run,
    byKey: (_name: string, text: string, values: unknown[]) => run(text, values),
    prepared: (_name: string, text: string, values: unknown[]) => run(text, values),
  } as unknown as Database;
  const make = async (path: string, body: unknown) =>
    (await service.rest('POST', `/api/v1/${path}/`, { body })).body.id as number;
  project = await make('projects', { name: 'large' });
  workflow = await make('workflows', { project, title: 'one', data: pureGraph() });
  const at = `now() - n * interval '1 minute' from generate_series(1, ${ROWS}) n`;
  await service.sql(`
    insert into workflow_run (id, project_id, workflow_id, revision_id, state, cost_usd, created_at)
      select gen_random_uuid(), ${project}, ${workflow}, (select revision_id from workflow where id = ${workflow}),
             'succeeded', n, ${at};
    insert into billing_transaction (project_id, run_id, node_id, operation, status, amount_usd, created_at)
      select ${project}, gen_random_uuid(), 'node', 'a', 'Success', 1, ${at};
    insert into audit_entry (id, action, via, object_type, object_id, project_id, detail, created_at)
      select gen_random_uuid(), 'member.add', 'key', 'member', n, ${project}, '{}', ${at};
    insert into document (id, project_id, key, filename, result_file, content_type, size, sha256)
      values (1, ${project}, '', 'a', gen_random_uuid(), 'text/plain', 1, '\\x00');
    insert into recognition_run (id, project_id, document_id, chunk_size, state) values (1, ${project}, 1, 500, 'finished');
    insert into recognition_chunk (run_id, index, text, tokens) select 1, n, 'text', 1 from generate_series(1, ${ROWS}) n;
    analyze workflow_run; analyze billing_transaction; analyze audit_entry; analyze recognition_chunk`);
});
afterAll(async () => {
  await client?.end();
  await service?.stop();
});

type ReadConnection = (args: ConnectionArgs) => Promise<Connection<unknown>>;

const runs = (order: WorkflowRunOrder, ofProject: boolean): ReadConnection => {
  return args => {
    const lists = new RunLists(database, new ProjectAccess(database), { list: () => Promise.reject() }, 30);
    const filter = ofProject ? { projectId: project } : null;
    return lists.connection(VIEWER, ofProject ? null : workflow, { filter, order }, args);
  };
};
const LISTS: [string, ReadConnection][] = [
  ['runs of a workflow', runs(WorkflowRunOrder.CREATED_AT_DESC, false)],
  ['runs of a workflow by cost', runs(WorkflowRunOrder.COST_ASC, false)],
  ['runs of a project, oldest first', runs(WorkflowRunOrder.CREATED_AT_ASC, true)],
  [
    'the ledger of a project',
    args => new BillingService(database, new Currencies('1')).connection({ projectId: project }, null, args),
  ],
  [
    'the audit log of a project',
    args => new AuditLogService(database, new ProjectAccess(database)).connection(VIEWER, project, null, args),
  ],
  [
    'the audit log of the service',
    args => new AuditLogService(database, new ProjectAccess(database)).connection(VIEWER, null, null, args),
  ],
  [
    'the chunks of a recognition run',
    args => new RecognitionService(database, {} as never, {} as never).chunkConnection(VIEWER, 1, null, args),
  ],
];

describe('a page in the middle of a list reads only its rows', () => {
  it.each(LISTS)('%s', async (_name, read) => {
    let after: string | null = null;
    for (let n = 0; n < 25; n++) after = (await read({ first: 100, after })).pageInfo.endCursor;
    for (const args of [
      { first: 10, after },
      { last: 10, before: after },
    ]) {
      statements.length = 0;
      expect((await read(args)).edges).toHaveLength(10);
      const [{ text, values }] = statements as [(typeof statements)[number]];
      const { rows } = await client.query(`explain (analyze, format json) ${text}`, values);
      const scans = nodesOf(rows[0]['QUERY PLAN'][0].Plan).filter(node => node['Relation Name']);
      for (const scan of scans) {
        expect(scan['Node Type']).toMatch(/^Index/);
        expect(scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0)).toBeLessThan(20);
      }
      expect(scans.length).toBeGreaterThan(0);
    }
  });
});

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}
