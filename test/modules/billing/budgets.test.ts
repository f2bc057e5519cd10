import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { restAsDeclared } from '../../rest/declared-answers.js';
import { awaitFinish } from '../../rest/workflows/finished-run.js';
import { eventually } from '../../support/eventually.js';
import { chain, llm, output, trigger } from '../../support/graphs.js';
import {
  accountOf,
  CALL_USD,
  createPaidWorkflow,
  type PaidWorkflow,
  paidGraph,
  setBudget,
  settledAt,
} from '../../support/paid-graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';

const SET = `mutation ($id: Int!, $limit: Decimal) {
  projectBudgetSet(projectId: $id, limitUsd: $limit) {
    project {
      id budget { limit { usd sr } spent { usd } reserved { usd } remaining { usd } }
    }
  }
}`;

let upstream: StubUpstream;
let service: TestService;
beforeAll(async () => {
  upstream = await startStubUpstream();
  service = await startTestService({ openai: { baseUrl: upstream.url, apiKey: 'k' } });
});
afterAll(async () => {
  await service?.stop();
  await upstream?.stop();
});

const start = async ({ workflow }: PaidWorkflow) =>
  (await restAsDeclared(service, 'POST', `/api/v1/workflows/${workflow}/run/`, { body: {} })).body;

describe('projectBudgetSet', () => {
  it('sets a limit, removes it by null, and records both in the audit log of the project', async () => {
    const { project } = await createPaidWorkflow(service);
    const none = await service.graphql('query ($id: Int!) { project(id: $id) { budget { limit { usd } } } }', {
      id: project,
    });
    expect(none.data.project.budget).toBeNull();
    expect((await service.graphql(SET, { id: project, limit: '1.50' })).data.projectBudgetSet.project).toEqual({
      id: project,
      budget: {
        limit: { usd: '1.5', sr: '150' },
        spent: { usd: '0' },
        reserved: { usd: '0' },
        remaining: { usd: '1.5' },
      },
    });
    expect((await service.graphql(SET, { id: project, limit: null })).data.projectBudgetSet.project.budget).toBeNull();
    const entries = await service.sql(
      `select detail from audit_entry where action = 'project.set-budget' and project_id = $1 order by id`,
      [project],
    );
    expect(entries.slice(-2).map(({ detail }) => detail)).toEqual([{ limitUsd: '1.50' }, { limitUsd: null }]);
  });

  it.each([
    ['nothing', {}, ['This field is required; null means no limit.']],
    ['a negative one', { limit: '-1' }, ['Ensure this value is between 0 and 1000000000.']],
    ['a gigantic one', { limit: '9'.repeat(400) }, ['Ensure this value is between 0 and 1000000000.']],
    [
      'too many decimal places',
      { limit: '0.0000000000001' },
      ['Ensure that there are no more than 12 decimal places.'],
    ],
  ])('refuses %s, and leaves the limit unchanged', async (_what, given, messages) => {
    const { project } = await createPaidWorkflow(service, '3');
    const { errors } = await service.graphql(SET, { id: project, ...given });
    expect(errors?.map(error => error.extensions)).toEqual([
      { code: 'BAD_USER_INPUT', fields: { limitUsd: messages } },
    ]);
    const [row] = await service.sql('select budget_usd from project where id = $1', [project]);
    expect(row?.budget_usd).toBe('3');
  });

  it.each(['"abc"', '"1e3"', 'true', '""'])('does not accept %s as a decimal number', async text => {
    const { errors } = await service.graphql(
      `mutation { projectBudgetSet(projectId: 1, limitUsd: ${text}) { project { id } } }`,
    );
    expect(errors?.[0]?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  it('is forbidden to an editor, and answers an outsider as for a project that does not exist', async () => {
    const { project } = await createPaidWorkflow(service);
    const ben = await service.createUser('ben');
    const set = (id: number) => service.graphql(SET, { id, limit: '1' }, ben.key);
    const [theirs, missing] = [await set(project), await set(2_000_000_000)];
    expect(theirs).toEqual(missing);
    expect(theirs.errors?.[0]?.extensions).toEqual({ code: 'NOT_FOUND' });
    const join = `insert into project_member (project_id, user_id, role)
      select $1, id, $3 from app_user where email = $2 on conflict (user_id, project_id) do update set role = $3`;
    await service.sql(join, [project, ben.email, 'editor']);
    expect((await set(project)).errors?.[0]?.extensions).toEqual({ code: 'FORBIDDEN' });
    await service.sql(join, [project, ben.email, 'admin']);
    expect((await set(project)).data.projectBudgetSet.project.budget.limit.usd).toBe('1');
  });
});

describe('a run past the spending limit', () => {
  it('is refused with the inner status 402 and recorded as failed', async () => {
    const paid = await createPaidWorkflow(service, '0');
    const asked = upstream.requests.length;
    const receipt = await start(paid);
    const error = { code: 'budget_exceeded', message: 'The spending limit of the project is reached.' };
    expect(receipt).toEqual({ status: 402, data: { id: receipt.data.id, status: 'failed', data: null, error } });
    expect(await awaitFinish(service, receipt.data.id)).toMatchObject({ status: 'failed', data: null, error });
    const history = `/api/v1/workflows/${paid.workflow}/history/${receipt.data.id}/`;
    expect((await restAsDeclared(service, 'GET', history)).body).toMatchObject({
      status: 'Error',
      run_started_at: null,
    });
    const again = await restAsDeclared(service, 'POST', `${history}re-run/`);
    expect(again).toMatchObject({ status: 402, body: { status: 402, data: { status: 'failed', error } } });
    expect(upstream.requests.length).toBe(asked);

    await setBudget(service, paid.project, null);
    const free = await restAsDeclared(service, 'POST', `${history}re-run/`);
    expect(free).toMatchObject({ status: 201 });
    expect((await awaitFinish(service, free.body.data.id)).status).toBe('succeed');
  });

  it('may be recorded as a draft, and is refused when the draft is released', async () => {
    const paid = await createPaidWorkflow(service, '0');
    const draft = await service.graphql(
      'mutation ($id: Int!) { workflowRunStart(workflowId: $id, draft: true) { receipt { status data { id: runId } } } }',
      { id: paid.workflow },
    );
    expect(draft.data.workflowRunStart.receipt.status).toBe(201);
    const release = await service.graphql(
      'mutation ($id: UUID!) { workflowRunRelease(id: $id) { receipt { status data { status error { code message } } run { state nodes { id: nodeId } } } } }',
      { id: draft.data.workflowRunStart.receipt.data.id },
    );
    expect(release.data.workflowRunRelease.receipt).toMatchObject({
      status: 402,
      data: { status: 'FAILED', error: { code: 'budget_exceeded' } },
      run: { state: 'FAILED', nodes: [] },
    });
  });

  it('reports an error of its graph before the limit', async () => {
    const broken = chain(trigger(), llm('hello', 'gpt-4o-mini', { messages: [] }));
    expect((await start(await createPaidWorkflow(service, '0', broken))).status).toBe(422);
  });
});

describe('a paid call under a spending limit', () => {
  it('is reserved while it is under way and settled by the record that charges it', async () => {
    const paid = await createPaidWorkflow(service, '1');
    const held = upstream.hold();
    const { data } = await start(paid);
    await held.arrived;
    expect(await accountOf(service, paid.project)).toEqual({ ...settledAt('0'), reserved: CALL_USD, held: CALL_USD });
    const read = await service.graphql(
      'query ($id: Int!) { project(id: $id) { budget { reserved { usd } remaining { usd } } } }',
      { id: paid.project },
    );
    expect(read.data.project.budget).toEqual({ reserved: { usd: CALL_USD }, remaining: { usd: '0.99955' } });
    held.release();
    expect((await awaitFinish(service, data.id)).status).toBe('succeed');
    expect(await accountOf(service, paid.project)).toEqual(settledAt(CALL_USD));
  });

  it('fails its run without another attempt when the rest of the limit does not cover it', async () => {
    const graph = paidGraph({ on_error: 'retry', retry: { attempts: 5, delay_seconds: 0 } });
    const paid = await createPaidWorkflow(service, '0.0004', graph);
    const asked = upstream.requests.length;
    const { status, data } = await start(paid);
    expect(status).toBe(201);
    const run = await awaitFinish(service, data.id);
    expect(run).toMatchObject({ status: 'failed', error: { code: 'budget_exceeded' } });
    expect(upstream.requests.length).toBe(asked);
    expect(await accountOf(service, paid.project)).toEqual(settledAt('0'));
    const [journal] = await service.sql(
      `select count(*)::int as tries from workflow_run_journal, json_array_elements(events) e
        where run_id = $1 and e ->> 'type' = 'node.retrying'`,
      [data.id],
    );
    expect(journal?.tries).toBe(0);
  });

  it('of a model without a price is allowed under a limit that covers no paid call', async () => {
    const paid = await createPaidWorkflow(service, '0.0000001', chain(trigger(), llm('hello'), output()));
    expect((await awaitFinish(service, (await start(paid)).data.id)).status).toBe('succeed');
  });

  it('releases its reservation when the run is cancelled', async () => {
    const paid = await createPaidWorkflow(service, '1');
    const held = upstream.hold();
    const { data } = await start(paid);
    await held.arrived;
    await service.graphql('mutation ($id: UUID!) { workflowRunCancel(id: $id) { workflowRun { id } } }', {
      id: data.id,
    });
    expect(await accountOf(service, paid.project)).toEqual(settledAt('0'));
    await held.gone;
    held.release();
    expect(await accountOf(service, paid.project)).toEqual(settledAt('0'));
  });
});

describe('many runs under one spending limit', () => {
  it('never spend more than the limit: the ten of fifty that it covers succeed, the others name the reason', async () => {
    const paid = await createPaidWorkflow(service, '0.0045');
    const asked = upstream.requests.length;
    const receipts = await Promise.all(Array.from({ length: 50 }, () => start(paid)));
    const runs = await Promise.all(receipts.map(({ data }) => awaitFinish(service, data.id)));
    const [succeeded, others] = [
      runs.filter(run => run.status === 'succeed'),
      runs.filter(run => run.status !== 'succeed'),
    ];
    expect(succeeded).toHaveLength(10);
    expect(new Set(others.map(run => run.error.code))).toEqual(new Set(['budget_exceeded']));
    expect(upstream.requests.length - asked).toBe(10);
    expect(await accountOf(service, paid.project)).toEqual(settledAt('0.0045'));
    expect((await start(paid)).status).toBe(402);
  });

  it('respect a limit that is set while they are in progress', async () => {
    const paid = await createPaidWorkflow(service);
    const asked = upstream.requests.length;
    const held = upstream.hold();
    const before = await Promise.all([start(paid), start(paid)]);
    await eventually(
      async () => upstream.requests.length - asked,
      count => count === 2,
    );
    // The two calls that were made already are charged; the rest of the limit covers three more.
    await setBudget(service, paid.project, '0.00225');
    const during = await Promise.all(Array.from({ length: 10 }, () => start(paid)));
    held.release();
    const runs = await Promise.all([...before, ...during].map(({ data }) => awaitFinish(service, data.id)));
    const codes = runs.filter(run => run.status !== 'succeed').map(run => run.error.code);
    expect(runs.slice(0, 2).map(run => run.status)).toEqual(['succeed', 'succeed']);
    expect(codes.every(code => code === 'budget_exceeded')).toBe(true);
    const account = await accountOf(service, paid.project);
    expect(account).toEqual(settledAt(account.spent));
    // Only calls that began before the limit, and therefore have no reservation, may exceed it.
    expect(Number(account.spent)).toBeLessThanOrEqual(0.00225 + 2 * Number(CALL_USD));
    expect((await start(paid)).status).toBe(402);
  });

  it('change the total exactly when there is no limit', async () => {
    const paid = await createPaidWorkflow(service);
    const receipts = await Promise.all(Array.from({ length: 40 }, () => start(paid)));
    for (const { data } of receipts) expect((await awaitFinish(service, data.id)).status).toBe('succeed');
    expect(await accountOf(service, paid.project)).toEqual(settledAt('0.018'));
  });
});
