import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readSources } from '../../architecture/sources.js';
import { awaitFinish } from '../../rest/workflows/finished-run.js';
import { eventually } from '../../support/eventually.js';
import { chain, field, output, trigger } from '../../support/graphs.js';
import { copyFromMarketplace, createPerson, sell } from '../../support/market.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';
import { type WaysOfStarting, waysOfStarting } from './ways-of-starting.js';

/** Rounds over all ways; each starts every way once. */
const ROUNDS = Number(process.env.DRAFT_ROUNDS ?? 1);

/** Starts of each way, and the maximum number of saves, in the test of concurrency. */
const STARTS = 3;
const MAX_SAVES = 300;

let upstream: StubUpstream;
let service: TestService;
beforeAll(async () => {
  upstream = await startStubUpstream();
  service = await startTestService({ openai: { baseUrl: upstream.url, apiKey: 'k' }, outboundAllow: ['127.0.0.1'] });
});
afterAll(async () => {
  await service?.stop();
  await upstream?.stop();
});

const createProject = async (): Promise<number> =>
  (await service.rest('POST', '/api/v1/projects/', { body: { name: 'P' } })).body.id;
const setDrafts = (project: number, key?: string) =>
  service.rest('PUT', `/api/v1/projects/${project}/drafts/`, { body: { uses_drafts: true }, ...(key ? { key } : {}) });
const save = async (id: number, data: unknown, key?: string) => {
  const answer = await service.rest('PATCH', `/api/v1/workflows/${id}/`, { body: { data }, ...(key ? { key } : {}) });
  expect(answer.status).toBe(200);
};
const publish = async (id: number, number: number) => {
  const { status } = await service.rest('POST', `/api/v1/workflows/${id}/revisions/${number}/publish/`, { body: {} });
  expect(status).toBe(200);
};

/** Numbers from a seed, so that a failure can be repeated. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

describe('in a project with drafts', () => {
  let project: number;
  let startable: WaysOfStarting;
  beforeAll(async () => {
    project = await createProject();
    startable = await waysOfStarting(service, upstream, project);
    await setDrafts(project);
  });
  afterAll(() => startable?.stop());

  const runs = () =>
    service.sql<{ id: string; number: number }>(
      `select r.id, v.number from workflow_run r join workflow_revision v on v.id = r.revision_id where r.workflow_id = $1`,
      [startable.workflow],
    );

  it('a run that starts in any way uses the published revision', async () => {
    const random = randomNumbers(20_261_125);
    let published = 1;
    let saved = 1;
    const known = new Set((await runs()).map(({ id }) => id));
    for (const [name, { uses, start }] of Array.from({ length: ROUNDS }, () => Object.entries(startable.ways)).flat()) {
      await save(startable.workflow, startable.graphOf(++saved));
      if (random(2) === 0) {
        published = 1 + random(saved);
        await publish(startable.workflow, published);
      }
      // The last step is always a draft.
      await save(startable.workflow, startable.graphOf(++saved));
      await start();
      const started = await eventually(
        async () => (await runs()).filter(({ id }) => !known.has(id)),
        rows => rows.length > 0,
      );
      const expected = uses === 'published' ? published : 1;
      for (const { id, number } of started) {
        known.add(id);
        const { output: text } = await awaitFinish(service, id);
        expect([name, number, text]).toEqual([name, expected, `version ${expected}`]);
      }
    }
  });

  it('no run sees a draft while drafts are saved and published at the same time', async () => {
    const before = new Set((await runs()).map(({ id }) => id));
    const [{ last }] = (await service.sql('select max(number) as last from workflow_revision where workflow_id = $1', [
      startable.workflow,
    ])) as [{ last: number }];
    await publish(startable.workflow, last);
    const published = new Set([1, last]);
    let isStarting = true;
    const write = async () => {
      // Only every third revision is published.
      for (let step = 1; step <= MAX_SAVES && (isStarting || step <= 9); step++) {
        await save(startable.workflow, startable.graphOf(last + step));
        if (step % 3 !== 0) continue;
        published.add(last + step);
        await publish(startable.workflow, last + step);
      }
    };
    const ways = Object.values(startable.ways);
    const start = async () => {
      await Promise.all(
        ways.map(async way => {
          for (let count = 0; count < STARTS; count++) await way.start();
        }),
      );
      isStarting = false;
    };
    await Promise.all([write(), start()]);
    const started = await eventually(
      async () => (await runs()).filter(({ id }) => !before.has(id)),
      rows => rows.length >= ways.length * STARTS,
    );
    expect(started.filter(({ number }) => !published.has(number))).toEqual([]);
    expect(new Set(started.map(({ number }) => number)).size).toBeGreaterThan(1);
  });

  it('a new workflow and a duplicate do not run before they are published', async () => {
    const { body: created } = await service.rest('POST', '/api/v1/workflows/', {
      body: { project, title: 'New', data: startable.graphOf(1) },
    });
    const { body: duplicate } = await service.rest('POST', `/api/v1/workflows/${startable.workflow}/duplicate/`);
    for (const { id } of [created, duplicate]) {
      const answers = [
        await service.rest('POST', `/api/v1/workflows/${id}/run/`, { body: {} }),
        await service.rest('POST', `/api/v1/workflows/${id}/run-many/`, { body: { items: [{ input: {} }] } }),
      ];
      expect([answers[0]!.status, answers[1]!.body.items[0].error?.code]).toEqual([409, 'CONFLICT']);
    }
  });

  it('covers every kind of trigger and every mutation that starts a run', async () => {
    const { data } = await service.graphql(
      '{ kinds: __type(name: "WorkflowTriggerKind") { enumValues { name } } mutations: __type(name: "Mutation") { fields { name } } }',
    );
    expect(data.kinds.enumValues.map(({ name }: { name: string }) => name).sort()).toEqual(startable.triggerKinds);
    const starting = /^workflow(Run(AndWait|Start|Restart|Fork|Release)|EventSend)/;
    const mutations = data.mutations.fields.map(({ name }: { name: string }) => name);
    // workflowRunStartGraph has its graph in the request.
    expect(mutations.filter((name: string) => starting.test(name)).sort()).toEqual([
      ...['workflowEventSend', 'workflowRunAndWait', 'workflowRunFork', 'workflowRunRelease', 'workflowRunRestart'],
      'workflowRunStart',
      ...['workflowRunStartGraph', 'workflowRunStartMany'],
    ]);
  });
});

it('a copy from the marketplace has the published revision of a project with drafts', async () => {
  const [author, buyer] = [await createPerson(service, 'author'), await createPerson(service, 'buyer')];
  const version = (text: string) => chain(trigger(field('topic')), output(text));
  const { workflow, slug } = await sell(service, author, {}, version('published'));
  await setDrafts(author.project, author.key);
  await save(workflow, version('draft'), author.key);
  const copy = await copyFromMarketplace(service, buyer, slug);
  expect(JSON.stringify(copy.data)).toContain('published');
  expect(JSON.stringify(copy.data)).not.toContain('draft');
});

/** Files that read drafts to show, edit, check or copy them, or to run one on purpose. */
const READERS_OF_DRAFTS = [
  'src/modules/marketplace/market-copy.service.ts',
  'src/modules/marketplace/terms/workflow-terms.service.ts',
  'src/modules/mcp-server/tools/mcp-server-tool.service.ts',
  'src/modules/rehearsals/rehearsal.service.ts',
  'src/modules/triggers/form/form-opener.ts',
  'src/modules/triggers/workflow-trigger.service.ts',
  'src/modules/workflow-runs/replay/run-revision.ts',
  'src/modules/workflow-runs/retention/archive-retention.ts',
  'src/modules/workflows/locate-workflow.ts',
  'src/modules/workflows/mcp-tools/mcp-tools.service.ts',
  'src/modules/workflows/revisions/revision.service.ts',
  'src/modules/workflows/workflow-reads.ts',
  'src/modules/workflows/workflow.service.ts',
];

it('no other file reads the revision that was saved last', () => {
  const reads = /savedRevisionId|WorkflowRunRevision\.SAVED|['`"(\s]w(?:orkflow)?\.revision_id/;
  const readers = [...readSources(['src'])].filter(
    ([file, text]) => !file.startsWith('src/migrations/') && reads.test(text),
  );
  expect(readers.map(([file]) => file).sort()).toEqual(READERS_OF_DRAFTS);
});
