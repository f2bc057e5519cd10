import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { awaitFinish } from '../../rest/workflows/finished-run.js';
import { chain, field, type GraphData, llm, node, output, trigger } from '../../support/graphs.js';
import {
  copyFromMarketplace,
  createPerson,
  type Person,
  runToEnd,
  type SoldWorkflow,
  sell,
  soldGraph,
} from '../../support/market.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';

let service: TestService;
let upstream: StubUpstream;
let author: Person;
let user: Person;
let sold: SoldWorkflow;
let copy: { id: number; data: GraphData };

beforeAll(async () => {
  upstream = await startStubUpstream();
  service = await startTestService({ openai: { baseUrl: upstream.url, apiKey: 'k' } });
  author = await createPerson(service, 'author');
  user = await createPerson(service, 'user');
  sold = await sell(service, author, { run_fee: 10 });
  copy = await copyFromMarketplace(service, user, sold.slug);
});
afterAll(async () => {
  await service?.stop();
  await upstream?.stop();
});

const rest = async (method: string, path: string, body?: unknown, key = user.key) => {
  const answer = await service.rest(method, `/api/v1${path}`, { key, ...(body === undefined ? {} : { body }) });
  return { status: answer.status, body: answer.body };
};
const commission = async (workflow: number) =>
  (await runToEnd(service, user.key, workflow)).cost.external_cost_usd.commission;
const ask = (terms: Record<string, number>) => rest('PATCH', `/workflows/${sold.workflow}/`, terms, author.key);

describe('the terms of a copy', () => {
  it('stay when the author asks for more, publishes again or leaves the marketplace', async () => {
    await ask({ run_fee: 500, free_runs_per_user: 0 });
    expect(await commission(copy.id)).toBe(0.000045);
    await rest('POST', `/workflows/${sold.workflow}/unpublish-from-marketplace/`, undefined, author.key);
    expect(await commission(copy.id)).toBe(0.000045);
    const { body } = await rest('GET', `/workflows/${copy.id}/terms/`);
    expect(body.terms).toMatchObject({ run_fee: 10, free_runs_per_user: 0, offered: null });
    await rest('POST', `/workflows/${sold.workflow}/publish-on-marketplace/`, undefined, author.key);
  });

  it('are shown together with the new offer, and change when the offer is accepted', async () => {
    await ask({ run_fee: 20, free_runs_per_user: 1 });
    const { body } = await rest('GET', `/workflows/${copy.id}/terms/`);
    const offered = { run_fee: 20, free_runs_per_user: 1 };
    expect(body.terms).toMatchObject({
      market_workflow_id: sold.workflow,
      run_fee: 10,
      free_runs_per_user: 0,
      offered,
    });
    const accepted = await rest('POST', `/workflows/${copy.id}/terms/accept/`, offered);
    expect(accepted).toMatchObject({ status: 200, body: { id: copy.id, terms: { ...offered, offered } } });
    const left = await service.graphql(
      'query ($id: Int!) { workflow(id: $id) { freeRunsLeft } }',
      { id: copy.id },
      user.key,
    );
    expect(left.data.workflow.freeRunsLeft).toBe(0);
    expect(await commission(copy.id)).toBe(0.00009);
    const [entry] = await service.sql(
      `select project_id, detail from audit_entry where action = 'workflow.accept-terms' and object_id = $1`,
      [String(copy.id)],
    );
    expect(entry).toEqual({
      project_id: user.project,
      detail: { from: { runFee: 10, freeRunsPerUser: 0 }, to: { runFee: 20, freeRunsPerUser: 1 } },
    });
  });

  it('are accepted only as they were read, and not when there are none', async () => {
    const stale = await rest('POST', `/workflows/${copy.id}/terms/accept/`, { run_fee: 10, free_runs_per_user: 0 });
    expect(stale.status).toBe(409);
    expect(stale.body.detail).toContain('run_fee 20');
    const data = chain(trigger(), output('x'));
    const own = await rest('POST', '/workflows/', { project: user.project, title: 'Own', data });
    expect((await rest('GET', `/workflows/${own.body.id}/terms/`)).body.terms).toBeNull();
    const none = await rest('POST', `/workflows/${own.body.id}/terms/accept/`, { run_fee: 20, free_runs_per_user: 1 });
    expect(none.status).toBe(409);
  });
});

describe('a graph that equals a copied one pays as the copy does', () => {
  const FEE = 0.00009;
  /** The same graph with other ids, labels and positions, in another order. */
  function disguised({ nodes, edges = [], ...rest }: GraphData): GraphData {
    const ids = new Map(nodes.map(({ id }) => [id, randomUUID()]));
    const text = JSON.stringify({ ...rest, nodes: nodes.toReversed(), edges });
    const renamed = [...ids].reduce((all, [from, to]) => all.replaceAll(`"${from}"`, `"${to}"`), text);
    const data = JSON.parse(renamed) as GraphData;
    return {
      ...data,
      nodes: data.nodes.map(each => ({
        ...each,
        position: { x: 7, y: 7 },
        data: { ...each.data, label: 'Mine', mine: 1 },
      })),
    };
  }

  it('as a new workflow, in another project too', async () => {
    const created = await rest('POST', '/workflows/', { project: user.project, title: 'New', data: copy.data });
    expect(await commission(created.body.id)).toBe(FEE);
    const other = await rest('POST', '/projects/', { name: 'Other' });
    const data = disguised(copy.data);
    const moved = await rest('POST', '/workflows/', { project: other.body.id, title: 'Moved', data });
    expect(await commission(moved.body.id)).toBe(FEE);
    const shown = await rest('GET', `/workflows/${moved.body.id}/terms/`);
    expect(shown.body.terms).toMatchObject({ market_workflow_id: sold.workflow, run_fee: 20 });
  });

  it('saved into another workflow, and no longer once that one is changed in substance', async () => {
    const own = chain(trigger(field('topic')), llm('Mine', 'gpt-4o-mini'), output('x'));
    const { body } = await rest('POST', '/workflows/', { project: user.project, title: 'Own', data: own });
    expect(await commission(body.id)).toBe(0);
    await rest('PATCH', `/workflows/${body.id}/`, { data: disguised(copy.data) });
    expect(await commission(body.id)).toBe(FEE);
    await rest('PATCH', `/workflows/${body.id}/`, { data: own });
    expect(await commission(body.id)).toBe(0);
  });

  it('run without being stored', async () => {
    const id = randomUUID();
    const started = await rest('POST', `/workflows/run/?task_id=${id}`, {
      data: disguised(copy.data),
      input_data: { topic: 'a' },
      project: user.project,
    });
    expect(started.status).toBe(200);
    await awaitFinish(service, id, user.key);
    const [run] = await service.sql('select commission_usd::float as fee from workflow_run where id = $1', [id]);
    expect(run).toEqual({ fee: FEE });
  });

  it('saved over a copy whose terms are lower', async () => {
    const free = await sell(service, author, { market_title: 'Free' }, chain(trigger(field('topic')), output('x')));
    const container = await copyFromMarketplace(service, user, free.slug);
    await rest('PATCH', `/workflows/${container.id}/`, { data: copy.data });
    expect(await commission(container.id)).toBe(FEE);
  });

  it('after the copy and its project are deleted', async () => {
    const mover = await createPerson(service, 'mover');
    const made = await copyFromMarketplace(service, mover, sold.slug);
    expect((await rest('DELETE', `/projects/${mover.project}/`, undefined, mover.key)).status).toBe(204);
    const next = await rest('POST', '/projects/', { name: 'Next' }, mover.key);
    const body = { project: next.body.id, title: 'Again', data: made.data };
    const again = await rest('POST', '/workflows/', body, mover.key);
    await runToEnd(service, mover.key, again.body.id);
    expect((await runToEnd(service, mover.key, again.body.id)).cost.external_cost_usd.commission).toBe(FEE);
  });

  it('with its credential filled in', async () => {
    const call = (key: string) =>
      chain(
        trigger(field('topic')),
        llm('Write {{ input.topic }}', 'gpt-4o-mini'),
        node('code-node', { code: 'return 1', headers: { Authorization: key } }),
        output('{{ previous.content }}'),
      );
    const keyed = await sell(service, author, { run_fee: 20, market_title: 'Keyed' }, call('Bearer author'));
    await copyFromMarketplace(service, user, keyed.slug);
    const filled = await rest('POST', '/workflows/', {
      project: user.project,
      title: 'Filled',
      data: call('Bearer mine'),
    });
    expect(await commission(filled.body.id)).toBe(FEE);
  });

  it('and no other graph does', async () => {
    const outsider = await createPerson(service, 'outsider');
    const body = { project: outsider.project, title: 'Same by chance', data: soldGraph() };
    const own = await rest('POST', '/workflows/', body, outsider.key);
    expect((await runToEnd(service, outsider.key, own.body.id)).cost.external_cost_usd.commission).toBe(0);
  });
});
