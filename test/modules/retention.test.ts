import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { SessionRetention } from '../../src/modules/accounts/sessions/session-retention.js';
import { UploadRetention } from '../../src/modules/documents/upload-retention.js';
import { KeywordRunRetention } from '../../src/modules/keywords/runs/keyword-run-retention.js';
import { RecognitionRetention } from '../../src/modules/recognition/recognition-retention.js';
import { ScenarioRunRetention } from '../../src/modules/scenario-runs/scenario-run-retention.js';
import { usesKeywordRun } from '../../src/modules/variables/keyword-values.js';
import { WebhookRetention } from '../../src/modules/webhooks/webhook-retention.js';
import { Reconciliation } from '../../src/modules/workflow-runs/reconciliation/reconciliation.js';
import { ArchiveRetention } from '../../src/modules/workflow-runs/retention/archive-retention.js';
import { RunRetention } from '../../src/modules/workflow-runs/retention/run-retention.js';
import type { Database } from '../../src/platform/database/database.js';
import { partsBy } from '../rest/scenarios/part-makers.js';
import { openDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { formOf } from '../support/forms.js';
import { createWorkflow, echoGraph, pureGraph } from '../support/run-graphs.js';
import { startTestService, type TestService } from '../support/service.js';

// Documents are read in processes of their own, which are slow on a busy machine.
jest.setTimeout(300_000);

const TTL = 30;
const OLD = `now() - interval '31 days'`;
const LONG_AGO = `timestamptz '2020-01-01Z'`;

let service: TestService;
let database: Database;
let project: number;
const parts = partsBy(
  () => service,
  () => service.key,
);
beforeAll(async () => {
  service = await startTestService();
  database = await openDatabase(service.database);
  project = await parts.project();
});
afterAll(async () => {
  // No deleted row counts towards a total.
  expect(await new Reconciliation(database).differences()).toEqual([]);
  await database.close();
  await service.stop();
});

const count = async (table: string, condition: string, values: unknown[] = []): Promise<number> =>
  (await service.sql(`select count(*)::int as count from ${table} where ${condition}`, values))[0]!.count;
const untilEnded = (read: () => Promise<any>) =>
  eventually(read, run => !['created', 'in_progress'].includes(run.status));

describe('an expired scenario run', () => {
  async function endedRun(body: Record<string, unknown>): Promise<number> {
    const { id } = (await parts.call('POST', 'scenarioruns/run/', { body })).body;
    await untilEnded(async () => (await parts.call('GET', `scenarioruns/${id}/`)).body);
    return id;
  }
  async function scenario(): Promise<number> {
    const animals = await parts.variable(project, { variable_names: [{ name: 'a', value: 'cats' }] });
    const place = `<variable>-1,${animals.id},${animals.variable_names[0].id}</variable>`;
    const prompt = await parts.prompt(project, { content: `Write about ${place}` });
    const message = await parts.message(project, { prompts: [prompt.id], parameters: { model_name: 'echo' } });
    return (await parts.scenario(project, { messages: [message.id] })).id;
  }
  const copies = async (id: number) => {
    let sum = 0;
    for (const table of ['scenario', 'message', 'prompt', 'variable'])
      sum += await count(table, 'scenariorun_id = $1', [id]);
    return sum;
  };

  it('stays without its result, copies and journal; its ledger rows stay', async () => {
    const id = await endedRun({ scenario: await scenario() });
    const [ledger] = await service.sql(
      `select count(*)::int as rows from billing_transaction b join scenario_run r on r.billing_id = b.run_id where r.id = $1`,
      [id],
    );
    expect(ledger!.rows).toBeGreaterThan(0);
    expect(await copies(id)).toBe(4);
    await service.sql(
      `insert into scenario_run_file (result_file, run_id, content_type, size) values ('gone.png', $1, 'image/png', 1)`,
      [id],
    );
    await service.sql(`update scenario_run set updated_at = ${OLD}, finished_at = ${OLD} where id = $1`, [id]);

    await new ScenarioRunRetention(database, TTL).run();

    const { status, body } = await parts.call('GET', `scenarioruns/${id}/`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'finished', final_result: null, messages: [], inserted_variables: [] });
    expect(await copies(id)).toBe(0);
    expect(await count('scenario_run_journal', 'run_id = $1', [id])).toBe(0);
    expect(await count('scenario_run_file', 'run_id = $1', [id])).toBe(0);
    const again = await service.sql(
      `select count(*)::int as rows from billing_transaction b join scenario_run r on r.billing_id = b.run_id where r.id = $1`,
      [id],
    );
    expect(again).toEqual([ledger]);
    const refused = await parts.call('POST', 'scenarioruns/run/', { body: { scenariorun: id } });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain('The run has expired');
  });

  it('is kept while it is young, was changed recently, or belongs to a workflow run in progress', async () => {
    const from = await scenario();
    const [young, changed, child] = [
      await endedRun({ scenario: from }),
      await endedRun({ scenario: from }),
      await endedRun({ scenario: from }),
    ];
    const parent = '00000000-0000-4000-8000-0000000000aa';
    await service.sql(
      `with revision as (insert into workflow_revision (project_id, data) values ($2, '{}') returning id)
       insert into workflow_run (id, project_id, revision_id, state) select $1, $2, id, 'draft' from revision`,
      [parent, project],
    );
    await service.sql(`update scenario_run set finished_at = ${OLD} where id = any($1)`, [[changed, child]]);
    await service.sql(`update scenario_run set updated_at = ${OLD}, parent_run_id = $2 where id = $1`, [child, parent]);

    await new ScenarioRunRetention(database, TTL).run();

    for (const id of [young, changed, child]) expect(await copies(id)).toBe(4);
    await service.sql('delete from workflow_run where id = $1', [parent]);
  });
});

describe('recognition runs', () => {
  const text = 'Green tea is made from tea leaves. They are not oxidized.';
  async function read(document: number): Promise<number> {
    const body = { project, document, chunk_size: 50 };
    const { id } = (await parts.call('POST', 'recognitionruns/', { body })).body;
    await untilEnded(async () => (await parts.call('GET', `recognitionruns/${id}/`)).body);
    return id;
  }
  const documentOf = async (content: string) => {
    const body = formOf({ project: String(project) }, { file1: ['a.txt', content] });
    return (await parts.call('POST', 'documents/', { body })).body[0].id as number;
  };

  it('keep the newest readable text of each document, however old; older and failed ones are deleted', async () => {
    const document = await documentOf(text);
    const [first, second, disabled] = [await read(document), await read(document), await read(document)];
    await parts.call('POST', `recognitionruns/${disabled}/disable-chunks/`);
    const onlyOne = await read(await documentOf(text));
    const failed = await read(await documentOf('   '));
    const ids = [first, second, disabled, onlyOne, failed];
    await service.sql(`update recognition_run set finished_at = ${OLD} where id = any($1)`, [ids]);

    await new RecognitionRetention(database, TTL).run();

    const left = await service.sql('select id from recognition_run where id = any($1) order by id', [ids]);
    expect(left.map(({ id }) => id)).toEqual([second, disabled, onlyOne]);
    expect(await count('recognition_chunk', 'run_id = any($1)', [[first, failed]])).toBe(0);
    expect(await count('recognition_chunk', 'run_id = any($1)', [[second, disabled, onlyOne]])).toBe(3);
  });

  it('lose the trace context of their document’s upload after two days', async () => {
    const document = await documentOf(text);
    await service.sql(`insert into document_upload (id, place, document_id) values (gen_random_uuid(), 1, $1)`, [
      document,
    ]);
    await new UploadRetention(database).run();
    expect(await count('document_upload', 'document_id = $1', [document])).toBe(1);
    await service.sql(`update document set created_at = now() - interval '3 days' where id = $1`, [document]);
    await new UploadRetention(database).run();
    expect(await count('document_upload', 'document_id = $1', [document])).toBe(0);
    expect(await count('document', 'id = $1', [document])).toBe(1);
  });
});

describe('expired keyword runs', () => {
  it('are deleted with their keywords, unless a variable uses them or a user changed a keyword', async () => {
    const [plain, taken, edited, young] = await Promise.all(
      [LONG_AGO, LONG_AGO, LONG_AGO, 'now()'].map(async ended => {
        const [run] = await service.sql(
          `insert into keyword_run (project_id, preset, status, finished_at) values ($1, 1, 'finished', ${ended}) returning id`,
          [project],
        );
        await service.sql(
          `insert into keyword (project_id, keywordrun_id, name, created_at, updated_at) values ($1, $2, 'tea', ${ended}, ${ended})`,
          [project, run!.id],
        );
        return run!.id as number;
      }),
    );
    const variable = await parts.variable(project, { variable_names: [{ name: 'a', value: 'cats' }] });
    await service.sql('update variable set keywordrun_id = $2 where id = $1', [variable.id, taken]);
    await service.sql(`update keyword set is_enabled = false, updated_at = now() where keywordrun_id = $1`, [edited]);

    await new KeywordRunRetention(database, TTL, [usesKeywordRun]).run();

    expect(await count('keyword_run', 'id = $1', [plain])).toBe(0);
    expect(await count('keyword', 'keywordrun_id = $1', [plain])).toBe(0);
    expect(await count('keyword_run', 'id = any($1)', [[taken, edited, young]])).toBe(3);
  });
});

describe('archived workflows', () => {
  const days = { archive: 90, result: TTL };
  async function ranWorkflow(): Promise<number> {
    const workflow = await createWorkflow(service, echoGraph('echo'));
    const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { topic: 'cats' } });
    const poll = () => service.rest('GET', `/api/v1/workflows/workflow_result/?id=${body.data.id}`);
    await eventually(poll, answer => answer.body.data.status === 'succeed');
    return workflow;
  }
  const archive = (id: number, ago: string) =>
    service.sql(`update workflow set archived_at = now() - $2::interval where id = $1`, [id, ago]);

  it('are deleted with their runs after the time to live, and their ledger rows stay', async () => {
    const [old, young, copied, open] = [
      await ranWorkflow(),
      await ranWorkflow(),
      await ranWorkflow(),
      await ranWorkflow(),
    ];
    await service.sql('update workflow set copied_from_id = $1 where id = $2', [copied, young]);
    const [run] = await service.sql('select id from workflow_run where workflow_id = $1', [old]);
    await service.sql(
      `insert into workflow_run (id, project_id, workflow_id, revision_id, state)
       select gen_random_uuid(), project_id, id, revision_id, 'waiting' from workflow where id = $1`,
      [open],
    );
    for (const id of [old, copied, open]) await archive(id, '91 days');
    await archive(young, '89 days');
    const ledger = await count('billing_transaction', 'run_id = $1', [run!.id]);
    expect(ledger).toBeGreaterThan(0);

    await new ArchiveRetention(database, days).run();

    const left = await service.sql('select id from workflow where id = any($1) order by id', [
      [old, young, copied, open],
    ]);
    expect(left.map(({ id }) => id)).toEqual([young, copied, open]);
    for (const table of ['workflow_run', 'workflow_revision'])
      expect(await count(table, 'workflow_id = $1', [old])).toBe(0);
    for (const table of ['workflow_run_payload', 'workflow_run_journal'])
      expect(await count(table, 'run_id = $1', [run!.id])).toBe(0);
    expect(await count('billing_transaction', 'run_id = $1', [run!.id])).toBe(ledger);
    await service.sql(`delete from workflow_run where workflow_id = $1 and state = 'waiting'`, [open]);
  });

  it('and all other workflows lose revisions that no run and no workflow refers to', async () => {
    const workflow = await createWorkflow(service, pureGraph());
    const save = () =>
      service.rest('PATCH', `/api/v1/workflows/${workflow}/`, {
        body: { data: { ...pureGraph(), note: Math.random() } },
      });
    await save();
    const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { topic: 'cats' } });
    await save();
    await save();
    const revisions = () =>
      service.sql(
        `select v.id, exists (select from workflow_run r where r.revision_id = v.id) as ran, w.revision_id = v.id as current
           from workflow_revision v join workflow w on w.id = v.workflow_id where w.id = $1 order by v.id`,
        [workflow],
      );
    expect(await revisions()).toHaveLength(4);
    await new ArchiveRetention(database, days).run();
    expect(await revisions()).toHaveLength(4);

    await service.sql(`update workflow_revision set created_at = ${OLD} where workflow_id = $1`, [workflow]);
    await new ArchiveRetention(database, days).run();

    const left = await revisions();
    expect(left.map(({ ran, current }) => ({ ran, current }))).toEqual([
      { ran: true, current: false },
      { ran: false, current: true },
    ]);
    const history = await service.rest('GET', `/api/v1/workflows/${workflow}/history/${body.data.id}/`);
    expect(history.body.data.nodes).toHaveLength(3);
  });
});

it('only sessions that can still be refreshed are kept, with their tokens', async () => {
  const [user] = await service.sql('select id from app_user limit 1');
  const session = async (expires: string, ended: string, tokens: string) => {
    const [row] = await service.sql(
      `insert into user_session (id, user_id, expires_at, ended_at) values (gen_random_uuid(), $1, ${expires}, ${ended}) returning id`,
      [user!.id],
    );
    await service.sql(
      `insert into refresh_token (hash, session_id, expires_at) select decode(md5(random()::text), 'hex'), $1, ${tokens} from generate_series(1, 3)`,
      [row!.id],
    );
    return row!.id as string;
  };
  const later = `now() + interval '1 day'`;
  const ids = [
    await session(later, 'null', later),
    await session(later, 'null', `now() - interval '1 day'`),
    await session(later, `now() - interval '2 days'`, later),
    await session(`now() - interval '1 day'`, 'null', `now() - interval '1 day'`),
  ];
  await service.sql(`insert into login_brake values ('\\x00', 1, now() - interval '1 second'), ('\\x01', 1, ${later})`);

  await new SessionRetention(database).run();

  const left = await service.sql(
    `select s.id, (select count(*)::int from refresh_token t where t.session_id = s.id) as tokens from user_session s where id = any($1)`,
    [ids],
  );
  expect(new Map(left.map(({ id, tokens }) => [id, tokens]))).toEqual(
    new Map([
      [ids[0], 3],
      [ids[1], 0],
    ]),
  );
  expect(await count('login_brake', `email_hash in ('\\x00', '\\x01')`)).toBe(1);
});

it('what agents asked for expires with the result of their run', async () => {
  const workflow = await createWorkflow(service, pureGraph());
  const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { topic: 'cats' } });
  const poll = () => service.rest('GET', `/api/v1/workflows/workflow_result/?id=${body.data.id}`);
  await eventually(poll, answer => answer.body.data.status === 'succeed');
  await service.sql(
    `insert into workflow_run_approval (id, run_id, project_id, node_id, kind, requested_at, expires_at)
     select gen_random_uuid(), id, project_id, 'n', 'tool', now(), now() from workflow_run where id = $1`,
    [body.data.id],
  );
  await new RunRetention(database, TTL).run();
  expect(await count('workflow_run_approval', 'run_id = $1', [body.data.id])).toBe(1);
  await service.sql(`update workflow_run set run_finished_at = ${OLD} where id = $1`, [body.data.id]);
  await new RunRetention(database, TTL).run();
  expect(await count('workflow_run_approval', 'run_id = $1', [body.data.id])).toBe(0);
  await service.sql(
    `update workflow_run r set run_finished_at = f.last_run_at from workflow_figures f where r.id = $1 and f.last_run_id = r.id`,
    [body.data.id],
  );
});

it('webhooks, whose bodies contain results, are kept no longer than results', async () => {
  const deliver = async (state: string, ago: string) => {
    const [row] = await service.sql(
      `insert into webhook_delivery (id, project_id, url, is_to_project, type, body, state, next_at, created_at)
       values (gen_random_uuid(), $1, 'http://x', true, 't', '{}', $2, case when $2 = 'pending' then now() + interval '1 year' end,
               now() - $3::interval) returning id`,
      [project, state, ago],
    );
    return row!.id as string;
  };
  const ids = [
    await deliver('delivered', '8 days'),
    await deliver('delivered', '6 days'),
    await deliver('pending', '8 days'),
  ];
  await new WebhookRetention(database, 7).run();
  const left = await service.sql('select id from webhook_delivery where id = any($1)', [ids]);
  expect(left.map(({ id }) => id).sort()).toEqual(ids.slice(1).sort());
  await service.sql('delete from webhook_delivery where id = any($1)', [ids]);
});
