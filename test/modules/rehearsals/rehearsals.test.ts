import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { chain, field, graph, http, llm, output, template, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';
import { BISECT, CHECK, rehearsalSample, WHAT_IF } from './rehearsal-sample.js';

const MODEL = 'gpt-4o-mini';
const RUNS = 50;

describe('a rehearsal of recorded runs', () => {
  let upstream: StubUpstream;
  let service: TestService;
  let project: number;
  let sample: ReturnType<typeof rehearsalSample>;

  beforeAll(async () => {
    upstream = await startStubUpstream();
    service = await startTestService({ openai: { baseUrl: upstream.url, apiKey: 'k' } });
    sample = rehearsalSample(service);
    project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Rehearsals' } })).body.id;
  });
  beforeEach(() => upstream.respondWith(null));
  afterAll(async () => {
    await service.stop();
    await upstream.stop();
  });

  /** Everything about real runs that a rehearsal must not change. */
  const history = () =>
    service.sql(`
      select (select json_agg(r order by id) from workflow_run r) as runs,
             (select json_agg(f order by workflow_id) from workflow_figures f) as figures,
             (select count(*) from webhook_delivery) as deliveries,
             (select json_agg(b order by id) from billing_transaction b where operation <> 'rehearsal') as ledger`);

  it('calls exactly the nodes behind a changed prompt, over 50 runs with ten nodes of models', async () => {
    // Each answer names its prompt, so that a changed prompt changes those behind it.
    upstream.respondWith(({ messages }) => ({ content: `<${messages.at(-1).content.slice(0, 40)}>` }));
    const start = trigger(field('topic'));
    const nodes = Array.from({ length: 10 }, (_, index) =>
      llm(index === 0 || index === 7 ? `${index} of {{ input.topic }}` : `${index} {{ previous.content }}`, MODEL),
    );
    const end = output('{{ previous.content }}');
    const workflow = await sample.createWorkflow(project, chain(start, ...nodes, end));
    for (let index = 0; index < RUNS; index++) await sample.runOf(workflow, { topic: `t${index}` });
    const before = await history();
    const calls = upstream.requests.length;
    expect(calls).toBe(RUNS * 10);

    const unchanged = await sample.rehearse(CHECK, { id: workflow });
    expect(unchanged).toMatchObject({
      ...{ state: 'SUCCEEDED', verdict: 'UNCHANGED', runsCount: RUNS, endedCount: RUNS },
      spent: { usd: '0' },
    });
    expect(unchanged.costAfter).toEqual(unchanged.costBefore);
    expect(upstream.requests).toHaveLength(calls);

    // The nodes 4, 5 and 6 read the changed one. Node 7 reads only the input.
    const changed = nodes.map((each, index) =>
      index === 4
        ? { ...each, data: { ...each.data, ...llm('new {{ previous.content }}', MODEL).data, id: each.id } }
        : each,
    );
    await sample.save(workflow, chain(start, ...changed, end));
    const check = await sample.rehearse(CHECK, { id: workflow });
    expect(upstream.requests.length - calls).toBe(RUNS * 3);
    expect(check).toMatchObject({ verdict: 'UNCHANGED', revisionNumber: 2, endedCount: RUNS });
    const runs = await sample.runsOf(check.id);
    expect(runs).toHaveLength(RUNS);
    for (const run of runs)
      expect(run).toMatchObject({
        ...{ outcome: 'UNCHANGED', executedCount: 3, reusedCount: 7, assumedNodeIds: [], heldNodeIds: [] },
        firstChange: { nodeId: nodes[4]!.id },
      });
    // The ledger has each call once, with its own kind, and the totals of the project include them.
    const [ledger] = await service.sql(
      `select count(*)::int as count, sum(amount_usd)::text as sum from billing_transaction where operation = 'rehearsal'`,
    );
    expect(ledger).toEqual({ count: RUNS * 3, sum: expect.any(String) });
    expect(Number(ledger!.sum)).toBeCloseTo(Number(check.spent.usd), 12);
    expect(await history()).toEqual(before);
  }, 600_000);

  it('reports the first difference, errors and corrections of each run', async () => {
    upstream.respondWith(({ messages }) => ({ content: messages.at(-1).content }));
    const [start, first, end] = [
      trigger(field('topic')),
      llm('About {{ input.topic }}', MODEL),
      output('{{ previous.content }}'),
    ];
    const workflow = await sample.createWorkflow(project, chain(start, first, end));
    const run = await sample.runOf(workflow, { topic: 'tea' });
    const prompt = (text: string) => ({
      ...first,
      data: { ...first.data, messages: [{ role: 'user', message: text }] },
    });

    await sample.save(workflow, chain(start, prompt('On {{ input.topic }}'), end));
    const changed = await sample.rehearse(CHECK, { id: workflow });
    expect(changed.verdict).toBe('CHANGED');
    expect((await sample.runsOf(changed.id))[0]).toMatchObject({
      ...{ runId: run, outcome: 'CHANGED', errorAfter: null },
      firstChange: { nodeId: first.id, before: 'About tea', after: 'On tea' },
      outputBefore: 'About tea',
      outputAfter: 'On tea',
    });

    await sample.save(workflow, chain(start, prompt('{{ input.absent }}'), end));
    const failed = await sample.rehearse(CHECK, { id: workflow });
    expect(failed.verdict).toBe('FAILED');
    expect((await sample.runsOf(failed.id))[0]).toMatchObject({ outcome: 'FAILED', errorBefore: null });

    const broken = await sample.createWorkflow(project, chain(start, http('http://127.0.0.1:1/refused'), output()));
    await sample.runOf(broken, {});
    const same = await sample.rehearse(CHECK, { id: broken });
    expect(same).toMatchObject({ verdict: 'UNCHANGED', costAfter: { usd: '0' } });
    await sample.save(broken, chain(start, template('fine'), output()));
    const fixed = await sample.rehearse(CHECK, { id: broken });
    expect(fixed.verdict).toBe('CHANGED');
    expect((await sample.runsOf(fixed.id))[0]).toMatchObject({ outcome: 'FIXED', errorAfter: null });
  });

  it('holds back calls with effects unless they are allowed', async () => {
    const start = trigger(field('topic'));
    const post = (body: string) => http(`${upstream.origin}/post`, { method: 'POST', body });
    const first = post('{{ input.topic }}');
    const workflow = await sample.createWorkflow(project, chain(start, first, output('{{ previous.content }}')));
    await sample.runOf(workflow, { topic: 'tea' });
    const calls = upstream.calls.length;
    const second = { ...first, data: { ...first.data, body: 'changed' } };
    await sample.save(workflow, chain(start, second, output('{{ previous.content }}')));
    const held = await sample.rehearse(CHECK, { id: workflow });
    expect(upstream.calls).toHaveLength(calls);
    expect((await sample.runsOf(held.id))[0]).toMatchObject({ outcome: 'UNCHANGED', assumedNodeIds: [first.id] });

    const added = post('new');
    await sample.save(workflow, chain(start, first, added, output('{{ previous.content }}')));
    const stopped = await sample.rehearse(CHECK, { id: workflow });
    expect(stopped.verdict).toBe('INCOMPLETE');
    expect((await sample.runsOf(stopped.id))[0]).toMatchObject({ outcome: 'INCOMPLETE', heldNodeIds: [added.id] });
    expect(upstream.calls).toHaveLength(calls);

    const allowed = await sample.rehearse(CHECK, { id: workflow, allow: ['HTTP'] });
    expect(allowed.verdict).toBe('CHANGED');
    expect(upstream.calls).toHaveLength(calls + 1);
    const [{ id }] = await sample.runsOf(allowed.id);
    expect(upstream.calls.at(-1)?.headers['idempotency-key']).toBe(`${id}:${added.id}`);
  });

  it('never spends more than its budget', async () => {
    const start = trigger();
    const first = llm('One', MODEL);
    const workflow = await sample.createWorkflow(project, chain(start, first, output()));
    await sample.runOf(workflow, {});
    await sample.save(
      workflow,
      chain(start, { ...first, data: { ...first.data, ...llm('Two', MODEL).data, id: first.id } }, output()),
    );
    const calls = upstream.requests.length;
    const check = await sample.rehearse(CHECK, { id: workflow, budget: '0' });
    expect(check).toMatchObject({ state: 'SUCCEEDED', verdict: 'INCOMPLETE', spent: { usd: '0' } });
    expect(upstream.requests).toHaveLength(calls);
    const [{ reserved }] = (await service.sql('select count(*)::int as reserved from budget_reservation')) as any[];
    expect(reserved).toBe(0);
  });

  it('predicts the cost of another model to the cent, and the outputs that change', async () => {
    upstream.respondWith(({ model, messages }) => ({ content: `${model} ${messages.at(-1).content}` }));
    const [start, first, second] = [trigger(field('topic')), llm('{{ input.topic }}', MODEL), llm('Constant', MODEL)];
    const workflow = await sample.createWorkflow(
      project,
      chain(start, first, second, output(`{{ nodes.${first.id}.content }}`)),
    );
    for (const topic of ['a', 'b', 'c']) await sample.runOf(workflow, { topic });
    const change = { nodeId: first.id, model: 'gpt-4o' };
    const result = await sample.rehearse(WHAT_IF, { id: workflow, change });
    expect(result).toMatchObject({ verdict: 'CHANGED', endedCount: 3, revisionNumber: null });
    const [ledger] = await service.sql(
      `select sum(amount_usd)::float8 as sum from billing_transaction b join workflow_run r on r.id = b.run_id where r.workflow_id = $1`,
      [workflow],
    );
    expect(Number(result.costBefore.usd)).toBeCloseTo(ledger!.sum, 12);
    // Prove the prediction: run the changed graph for real.
    const changed = { ...first, data: { ...first.data, settings: { model_name: 'gpt-4o', temperature: 0 } } };
    const real = await sample.createWorkflow(
      project,
      chain(start, changed, second, output(`{{ nodes.${first.id}.content }}`)),
    );
    for (const topic of ['a', 'b', 'c']) await sample.runOf(real, { topic });
    const [actual] = await service.sql(
      `select sum(amount_usd)::float8 as sum from billing_transaction b join workflow_run r on r.id = b.run_id where r.workflow_id = $1`,
      [real],
    );
    expect(Number(result.costAfter.usd)).toBeCloseTo(actual!.sum, 12);
    expect((await sample.runsOf(result.id)).map(({ outputAfter }) => outputAfter)).toEqual([
      'gpt-4o a',
      'gpt-4o b',
      'gpt-4o c',
    ]);
  });

  it('finds a regression among 20 revisions in at most five replays', async () => {
    upstream.respondWith(({ messages }) => ({ content: messages.at(-1).content.includes('BROKEN') ? 'bad' : 'good' }));
    const [start, first, end] = [trigger(field('topic')), llm('', MODEL), output('{{ previous.content }}')];
    const version = (index: number, isBroken: boolean) => {
      const message = `${isBroken ? 'BROKEN' : 'Version'} ${index} {{ input.topic }}`;
      return chain(start, { ...first, data: { ...first.data, messages: [{ role: 'user', message }] } }, end);
    };
    for (const planted of [2, 13, 20]) {
      const workflow = await sample.createWorkflow(project, version(1, false));
      const good = await sample.runOf(workflow, { topic: 'tea' });
      for (let index = 2; index <= 20; index++) await sample.save(workflow, version(index, index >= planted));
      const bad = await sample.runOf(workflow, { topic: 'tea' });
      const found = await sample.rehearse(BISECT, { id: workflow, good, bad });
      expect(found.finding).toMatchObject({
        ...{ cause: 'REVISION', revisionNumber: planted, previousNumber: planted - 1, nodeIds: [first.id] },
        changesCount: 19,
      });
      expect(found.finding.replaysCount).toBeLessThanOrEqual(5);
    }
  });

  it('names an input or another answer as the cause', async () => {
    const [start, first, end] = [
      trigger(field('topic')),
      llm('{{ input.topic }}', MODEL),
      output('{{ previous.content }}'),
    ];
    const workflow = await sample.createWorkflow(project, chain(start, first, end));
    upstream.respondWith(() => ({ content: 'good' }));
    const good = await sample.runOf(workflow, { topic: 'tea' });
    upstream.respondWith(() => ({ content: 'bad' }));
    const bad = await sample.runOf(workflow, { topic: 'tea' });
    const other = await sample.runOf(workflow, { topic: 'coffee' });
    const answer = await sample.rehearse(BISECT, { id: workflow, good, bad });
    expect(answer.finding).toMatchObject({ cause: 'ANSWER', nodeIds: [first.id], replaysCount: 0 });
    const input = await sample.rehearse(BISECT, { id: workflow, good, bad: other });
    expect(input.finding).toMatchObject({ cause: 'INPUT', replaysCount: 0 });
  });

  it('finds the node whose other answer flipped the result behind harmless revisions, from the journals', async () => {
    let answer = 'good';
    upstream.respondWith(({ messages }) => ({ content: `${messages.at(-1).content}: ${answer}` }));
    const [start, first, second] = [trigger(), llm('One', MODEL), llm('Two', MODEL)];
    const end = output(`{{ nodes.${second.id}.content }}`);
    const version = (label: string) => chain(start, { ...first, data: { ...first.data, label } }, second, end);
    const workflow = await sample.createWorkflow(project, version('1'));
    const good = await sample.runOf(workflow, {});
    for (const label of ['2', '3', '4', '5']) await sample.save(workflow, version(label));
    answer = 'bad';
    const bad = await sample.runOf(workflow, {});
    const calls = upstream.requests.length;
    const found = await sample.rehearse(BISECT, { id: workflow, good, bad, budget: '0' });
    // Four revisions, and the answers of two nodes.
    expect(found.finding).toMatchObject({
      cause: 'ANSWER',
      nodeIds: [second.id],
      revisionNumber: null,
      changesCount: 6,
    });
    expect(found.finding.replaysCount).toBeLessThanOrEqual(3);
    expect(upstream.requests).toHaveLength(calls);
  });

  it('is required before a publication, and announces its progress', async () => {
    const gated = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Gated' } })).body.id;
    const [start, first, end] = [trigger(), template('one'), output('{{ previous.content }}')];
    const workflow = await sample.createWorkflow(gated, chain(start, first, end));
    await sample.runOf(workflow, {});
    await service.rest('PUT', `/api/v1/projects/${gated}/drafts/`, { body: { uses_drafts: true } });
    const require = (requirement: string) =>
      service.graphql(
        `mutation ($id: Int!, $requirement: PublishCheckRequirement!) { projectPublishCheckSet(projectId: $id, requirement: $requirement) { project { publishRequirement } errors { message } } }`,
        { id: gated, requirement },
      );
    expect((await require('NO_CHANGES')).data.projectPublishCheckSet.project.publishRequirement).toBe('NO_CHANGES');
    await sample.save(workflow, chain(start, { ...first, data: { ...first.data, template: 'two' } }, end));
    const publish = (number: number) =>
      service.rest('POST', `/api/v1/workflows/${workflow}/revisions/${number}/publish/`, { body: {} });
    const refused = await publish(2);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      409,
      expect.stringContaining('publish check of revision 2'),
    ]);
    const started = await service.graphql(CHECK, { id: workflow, budget: '0' });
    const states: string[] = [];
    const changes = service.subscribe(
      `subscription ($id: UUID!) { workflowRehearsalChanged(id: $id) { state endedCount } }`,
      { id: started.data.workflowPublishCheck.rehearsal.id },
    );
    for await (const { data } of changes) states.push(data.workflowRehearsalChanged.state);
    expect(states.at(-1)).toBe('SUCCEEDED');
    expect(JSON.stringify((await publish(2)).body)).toContain('CHANGED');
    await require('NO_FAILURES');
    expect((await publish(2)).status).toBe(200);
    // A rollback needs no check.
    await require('NO_CHANGES');
    expect((await publish(1)).status).toBe(200);
  });

  it('sends no secret to a host to which the recorded run did not send it', async () => {
    const headers = { 'X-Token': '{{ input.token }}' };
    const call = http(`${upstream.origin}/kept`, { headers });
    const url = `${upstream.origin.replace('127.0.0.1', 'localhost')}/other`;
    const secretField = (more = {}) => trigger(field('token', { is_secret: true, ...more }));
    const change = { nodeId: call.id, settings: { url } };

    const stored = await sample.createWorkflow(
      project,
      chain(secretField({ default_value: 'a stored default' }), call, output()),
    );
    await sample.runOf(stored, {});
    const { data } = await service.graphql(WHAT_IF, { budget: '0', id: stored, change });
    expect(data.workflowWhatIf.errors).toMatchObject([{ code: 'BAD_USER_INPUT', path: ['change', 'settings'] }]);

    const start = secretField();
    const received = await sample.createWorkflow(project, chain(start, call, output()));
    await sample.runOf(received, { token: 'a secret of the run' });
    const whatIf = await sample.rehearse(WHAT_IF, { id: received, change });
    expect(whatIf.verdict).toBe('INCOMPLETE');
    const [rehearsed] = await sample.runsOf(whatIf.id);
    expect(rehearsed.errorAfter).toContain(`would send it to ${new URL(url).host}`);
    await sample.save(received, chain(start, { ...call, data: { ...call.data, url } }, output()));
    expect((await sample.rehearse(CHECK, { id: received })).verdict).toBe('INCOMPLETE');
    expect(upstream.calls.filter(({ path }) => path === '/other')).toEqual([]);
  });

  it('is refused with the culprit and the remedy', async () => {
    const workflow = await sample.createWorkflow(project, graph([trigger()]));
    const errors = async (mutation: string, variables: Record<string, unknown>) => {
      const { data } = await service.graphql(mutation, { budget: '1', id: workflow, ...variables });
      return Object.values<any>(data)[0].errors.map(({ code, path }: any) => [code, ...path].join(' '));
    };
    expect(await errors(CHECK, { budget: '-1' })).toEqual(['BAD_USER_INPUT budgetUsd']);
    expect(await errors(CHECK, { number: 9 })).toEqual(['BAD_USER_INPUT revisionNumber']);
    expect(await errors(CHECK, { runs: { last: 501 } })).toEqual([expect.stringContaining('BAD_USER_INPUT runs')]);
    expect(await errors(WHAT_IF, { change: { nodeId: 'n' } })).toEqual(['BAD_USER_INPUT change']);
    const id = '00000000-0000-7000-8000-000000000000';
    expect(await errors(BISECT, { good: id, bad: id })).toEqual(['BAD_USER_INPUT goodRunId']);
  });
});
