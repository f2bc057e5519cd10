import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { nodeKinds } from '../../../src/engine/workflow/nodes/index.js';
import { fieldsOf, schemasAt } from '../../../src/engine/workflow/nodes/titled-schema.js';
import {
  chain,
  edge,
  field,
  type GraphData,
  graph,
  greeting,
  ifElse,
  llm,
  nested,
  node,
  output,
  template,
  trigger,
} from '../../support/graphs.js';
import { type RestOptions, startTestService, type TestService } from '../../support/service.js';
import { restAsDeclared } from '../declared-answers.js';

const BASE = '/api/v1/workflows/';

let service: TestService;
let project: number;
const call = (method: string, path: string, options: RestOptions = {}) =>
  restAsDeclared(service, method, path, options);
const save = async (data: unknown) => (await call('POST', BASE, { body: { project, title: 'a', data } })).body;
const check = async (data: unknown) => (await call('GET', `${BASE}${(await save(data)).id}/check_workflow/`)).body;

beforeAll(async () => {
  service = await startTestService({ role: 'api' });
  project = (await call('POST', '/api/v1/projects/', { body: { name: 'Home' } })).body.id;
});
afterAll(() => service?.stop());

/** The fields of the form of a kind. */
const formOf = (type: string) => fieldsOf(nodeKinds.find(kind => kind.type === type)!);

describe('get_nodes', () => {
  it('lists all kinds with a schema that compiles, accepts their defaults and has the hints of their forms', async () => {
    const { status, body } = await call('GET', `${BASE}get_nodes`);
    expect(status).toBe(200);
    const registered = nodeKinds.map(({ type, nodeType, title }) => ({ type, node_type: nodeType, title }));
    expect(body).toEqual(registered.map(kind => expect.objectContaining(kind)));
    const ajv = new Ajv2020({ strict: false });
    for (const kind of body) {
      expect(Object.keys(kind)).toEqual([
        'node_type',
        'type',
        'title',
        'description',
        'category',
        'schema',
        'defaults',
        'outputs',
      ]);
      const accepts = ajv.compile(kind.schema);
      const isAccepted = accepts({ id: 'a', name: 'a', label: 'a', version: '1', next_nodes: [], ...kind.defaults });
      expect([kind.type, isAccepted, accepts.errors]).toEqual([kind.type, true, null]);
      expect(accepts({ timeout_seconds: 'soon' })).toBe(false);
      for (const [path, { title, widget }] of Object.entries(formOf(kind.type))) {
        const [field] = schemasAt(kind.schema, path.split('.'));
        const described = { title, description: expect.stringMatching(/./), 'x-widget': widget };
        expect([kind.type, path, field]).toEqual([kind.type, path, expect.objectContaining(described)]);
      }
    }
    const byType = Object.fromEntries(
      body.map((kind: { type: string; node_type: string }) => [kind.type, kind.node_type]),
    );
    expect(byType).toMatchObject({
      'trigger-node': 'TriggerNode',
      'http-node': 'HTTPNodeInput',
      'basic-node': 'BasicNode',
    });
  });
});

describe('input-fields', () => {
  it('lists what the trigger declares, complete', async () => {
    const options = [
      { title: 'English', value: 'en', is_default: true },
      { title: 'Deutsch', value: 'de' },
    ];
    const { id } = await save(
      chain(
        trigger(
          { id: 'language', type: 'select', options },
          field('key', { is_secret: true, default_value: 'hunter22' }),
        ),
      ),
    );
    expect((await call('GET', `${BASE}${id}/input-fields/`)).body).toEqual([
      {
        id: 'language',
        title: 'language',
        type: 'select',
        input_requirements: false,
        placeholder: '',
        tooltip: '',
        default_value: '',
        is_secret: false,
        options: [options[0], { title: 'Deutsch', value: 'de', is_default: false }],
      },
      { ...field('key'), is_secret: true, default_value: '********' },
    ]);
  });

  it('is empty where there is no trigger, or only an invalid one', async () => {
    for (const data of [{}, graph([output()]), chain(node('trigger-node', { input_fields: 'none' }), output())])
      expect(await call('GET', `${BASE}${(await save(data)).id}/input-fields/`)).toMatchObject({
        status: 200,
        body: [],
      });
  });
});

describe('check_workflow', () => {
  it('finds nothing in a valid graph', async () => {
    expect(await check(greeting())).toEqual({ is_valid: true, status: 200, data: null, issues: [] });
  });

  it('names nodes, edges and paths', async () => {
    const [start, condition, asking, end] = [
      trigger(),
      ifElse('1', 'like', '2'),
      llm('', 'nobody-serves-this'),
      output('{{ nodes.missing.content }}'),
    ];
    const data = graph(
      [start, condition, asking, end],
      [edge(start, condition), edge(condition, asking, 'condition-true'), edge(condition, end, 'condition-false')],
    );
    const { is_valid: isValid, status, data: nodes, issues } = await check(data);
    expect({ isValid, status }).toEqual({ isValid: false, status: 422 });
    expect(nodes[condition.id]).toEqual({
      id: condition.id,
      status: 'failed',
      result: [{ 'condition.operator': expect.stringContaining('must be one of ==, !=, >, <, >=, <=, ') }],
    });
    expect(Object.keys(nodes).toSorted()).toEqual([condition.id, asking.id, end.id].toSorted());
    for (const issue of issues) expect(issue).toMatchObject({ code: expect.any(String), message: expect.any(String) });
    expect(issues.filter((issue: { severity: string }) => issue.severity === 'error').length).toBeGreaterThanOrEqual(4);
  });

  it('warns of workflows that the project does not have and of people who may not decide', async () => {
    const start = trigger();
    start.data.error_workflow_id = 2_000_000_001;
    const approval = node('approval-node', { title: 'Go?', deciders: 'users', user_ids: [2_000_000_002] });
    const { is_valid: isValid, issues } = await check(graph([start, approval, output('x')], [edge(start, approval)]));
    const missing = issues.filter(({ code }: { code: string }) => code === 'unknown_object');
    expect([isValid, missing]).toEqual([
      true,
      [
        {
          ...{
            code: 'unknown_object',
            severity: 'warning',
            node_id: start.id,
            edge_id: null,
            path: 'error_workflow_id',
          },
          message: 'the project has no workflow 2000000001: select one of its workflows',
        },
        {
          ...{ code: 'unknown_object', severity: 'warning', node_id: approval.id, edge_id: null, path: 'user_ids' },
          message: expect.stringMatching(/^the user 2000000002 may not decide: /),
        },
      ],
    ]);
    const existing = await save(greeting());
    const calling = node('subworkflow-node', { workflow_id: existing.id, input: {} });
    const checked = await call(
      'GET',
      `${BASE}${(await save(chain(trigger(), calling, output('x')))).id}/check_workflow/`,
    );
    expect(checked.body.issues.filter(({ code }: { code: string }) => code === 'unknown_object')).toEqual([]);
  });

  it('warns of a node that is out of reach and of edges that disagree with next nodes', async () => {
    const [start, end, unconnected] = [trigger(), output(), template('x')];
    start.data.next_nodes = [end.id];
    const { is_valid: isValid, issues } = await check(
      graph([start, end, unconnected], [edge(start, end), edge(start, unconnected)]),
    );
    expect(isValid).toBe(true);
    expect(new Set(issues.map((issue: { severity: string }) => issue.severity))).toEqual(new Set(['warning']));
    expect(issues.some((issue: { node_id: string }) => issue.node_id === unconnected.id)).toBe(true);
  });
});

describe('a graph', () => {
  it.each([
    ['a text', 'graph'],
    ['a list', []],
    ['a number', 7],
    ['nodes that are not a list', { nodes: {} }],
    ['a node that is not an object', { nodes: ['a'] }],
    ['a node without an id', { nodes: [{ type: 'trigger-node' }] }],
    ['node data that is not an object', { nodes: [{ id: 'a', type: 'trigger-node', data: 'x' }] }],
    ['edges that are not a list', { nodes: [], edges: 'none' }],
    ['an edge from a number', { edges: [{ id: 'e', source: 1, target: 'a' }] }],
    ['a start that is not a text', { start_node: 7 }],
    ['a viewport of texts', { viewport: { x: 'left' } }],
    ['a null character', { nodes: [{ id: 'a\u0000' }] }],
    ['a null character in a name', { 'a\u0000': 1 }],
    ['half a surrogate pair', { note: '\udc00' }],
  ])('is refused with %s', async (_what, data) => {
    const { status, body } = await call('POST', BASE, { body: { project, title: 'a', data } });
    expect(status).toBe(400);
    expect(Object.keys(body)).toEqual(['data']);
  });

  it.each([
    {},
    { nodes: [], edges: [] },
    { nodes: [{ id: 'a' }], start_node: 'nowhere' },
    { note: { __proto__x: [null] } },
  ])('is saved as a draft: %j', async data => {
    expect((await save(data)).data).toEqual(data);
  });

  it('keeps unknown members, also __proto__, unchanged', async () => {
    const text = `{"nodes":[],"__proto__":{"is_admin":true},"constructor":{"prototype":1},"note":"\\ud83d\\ude00"}`;
    const created = await call('POST', BASE, {
      body: `{"project":${project},"title":"a","data":${text}}`,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(created.status).toBe(201);
    expect(JSON.stringify(created.body.data)).toBe(JSON.stringify(JSON.parse(text)));
  });

  it('contains no number that is valid JSON and cannot be stored', async () => {
    const body = `{"project":${project},"title":"a","data":{"n":1e999}}`;
    const { status, body: faults } = await call('POST', BASE, {
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    expect([status, faults]).toEqual([400, { data: ['Numbers must be finite.'] }]);
  });

  it('nests at most 64 deep', async () => {
    const deep = await service.rest('POST', BASE, { body: { project, title: 'a', data: nested(65) } });
    expect(deep).toMatchObject({ status: 400, body: { code: 'parse_error' } });
    // The body around it is a level of its own.
    expect((await save(nested(63))).data).toEqual(nested(63));
    const deeplyNested = `{"project":${project},"title":"a","data":${'['.repeat(100_000)}`;
    const answer = await service.rest('POST', BASE, {
      body: deeplyNested,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(answer).toMatchObject({ status: 400, body: { code: 'parse_error' } });
  });

  it('is refused over the body limit and processed in time below it', async () => {
    const wide = (count: number): GraphData => {
      const start = trigger();
      const nodes = Array.from({ length: count }, () => template('x'.repeat(400)));
      return graph(
        [start, ...nodes],
        nodes.map(each => edge(start, each)),
      );
    };
    const big = { project, title: 'big', data: wide(6_200) };
    const bytes = JSON.stringify(big).length;
    expect(bytes).toBeGreaterThan(4.5 * 1024 * 1024);
    expect(bytes).toBeLessThan(5 * 1024 * 1024);
    const saved = await call('POST', BASE, { body: big });
    expect([201, 400]).toContain(saved.status);
    if (saved.status === 201) {
      const checked = await call('GET', `${BASE}${saved.body.id}/check_workflow/`);
      expect(checked.body.status).toBe(200);
      const run = await call('POST', `${BASE}${saved.body.id}/run/`, { body: {} });
      expect(run.body.status).toBe(201);
      await call('DELETE', `${BASE}${saved.body.id}/`);
    }
    const tooBig = await call('POST', BASE, { body: { ...big, data: wide(8_000) } });
    expect(tooBig).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
    expect((await call('GET', `${BASE}?project=${project}&size=0`)).status).toBe(200);
  });
});

describe('revisions', () => {
  it('keep the graph that a run used, whatever happens to the workflow', async () => {
    const before = greeting();
    const { id } = await save(before);
    const runId = (await call('POST', `${BASE}${id}/run/`, { body: { topic: 'x' } })).body.data.id;
    const after = chain(trigger(field('other')), output('changed'));
    await call('PATCH', `${BASE}${id}/`, { body: { data: after } });
    const item = (await call('GET', `${BASE}${id}/history/${runId}/`)).body;
    expect(item.data).toEqual(before);
    expect(item.input_fields.map((each: { id: string }) => each.id)).toEqual(['topic']);
    expect((await call('GET', `${BASE}${id}/`)).body.data).toEqual(after);
  });
});

describe('secrets', () => {
  const SECRET = 'hunter22-stored';
  const graphWith = (...fields: ReturnType<typeof field>[]) => chain(trigger(...fields), output('done'));
  const secretField = (id: string, value: unknown) => field(id, { is_secret: true, default_value: value });
  const stored = async (id: number) => {
    const [row] = await service.sql(
      `select r.data::text as data, r.sealed_secrets from workflow w join workflow_revision r on r.id = w.revision_id where w.id = $1`,
      [id],
    );
    return row as { data: string; sealed_secrets: string | null };
  };
  const defaults = ({
    nodes: [begin],
  }: {
    nodes: { data: { input_fields: { id: string; default_value: unknown }[] } }[];
  }) => Object.fromEntries((begin?.data.input_fields ?? []).map(each => [each.id, each.default_value]));
  /** The value that a run with a masked field records: a stored sealed value, or the text itself. */
  const kept = async (id: number, fieldId: string): Promise<unknown> => {
    const { body } = await call('POST', `${BASE}${id}/run/`, { body: { [fieldId]: '********' } });
    const [row] = await service.sql('select sealed_input, input from workflow_run_payload where run_id = $1', [
      body.data.id,
    ]);
    return row?.sealed_input === null ? row?.input[fieldId] : 'sealed';
  };

  it('appear in no answer and are encrypted in the database', async () => {
    const workflow = await save(graphWith(secretField('key', SECRET), field('open', { default_value: 'seen' })));
    expect(defaults(workflow.data)).toEqual({ key: '********', open: 'seen' });
    const answers = await Promise.all(
      ['', 'input-fields/', 'check_workflow/'].map(rest => call('GET', `${BASE}${workflow.id}/${rest}`)),
    );
    expect(JSON.stringify(answers.map(answer => answer.body))).not.toContain(SECRET);
    const row = await stored(workflow.id);
    expect(JSON.stringify(row)).not.toContain(SECRET);
    expect(row.sealed_secrets).not.toBeNull();
  });

  it('stay when an update sends the mask, and change when it sends a value', async () => {
    const { id } = await save(graphWith(secretField('key', SECRET)));
    const again = await call('PATCH', `${BASE}${id}/`, { body: { data: graphWith(secretField('key', '********')) } });
    expect(defaults(again.body.data)).toEqual({ key: '********' });
    expect(await kept(id, 'key')).toBe('sealed');
    await call('PATCH', `${BASE}${id}/`, { body: { title: 'no data' } });
    expect(await kept(id, 'key')).toBe('sealed');
    const emptied = await call('PATCH', `${BASE}${id}/`, { body: { data: graphWith(secretField('key', '')) } });
    expect(defaults(emptied.body.data)).toEqual({ key: '' });
    expect((await stored(id)).sealed_secrets).toBeNull();
  });

  it('are copied with a duplicate', async () => {
    const { id } = await save(graphWith(secretField('key', SECRET)));
    const copy = (await call('POST', `${BASE}${id}/duplicate/`)).body;
    expect(defaults(copy.data)).toEqual({ key: '********' });
    expect(await kept(copy.id, 'key')).toBe('sealed');
    expect((await stored(copy.id)).sealed_secrets).not.toBe((await stored(id)).sealed_secrets);
  });

  it('are the mask itself where a creation sent it', async () => {
    const { id, data } = await save(graphWith(secretField('key', '********')));
    expect(defaults(data)).toEqual({ key: '********' });
    const opened = await call('PATCH', `${BASE}${id}/`, {
      body: { data: graphWith(field('key', { default_value: 'now open' })) },
    });
    expect(defaults(opened.body.data)).toEqual({ key: 'now open' });
  });

  it('are never used for a field of another name, nor for one that became public', async () => {
    const { id } = await save(graphWith(secretField('key', SECRET)));
    const renamed = await call('PATCH', `${BASE}${id}/`, {
      body: { data: graphWith(secretField('renamed', '********')) },
    });
    expect(defaults(renamed.body.data)).toEqual({ renamed: '********' });
    // The mask is now that field's literal text: making it public shows no more than that.
    const { id: second } = await save(graphWith(secretField('key', SECRET)));
    const unmasked = await call('PATCH', `${BASE}${second}/`, {
      body: { data: graphWith(field('key', { default_value: '********' })) },
    });
    expect(defaults(unmasked.body.data)).toEqual({ key: '' });
    const back = await call('PATCH', `${BASE}${second}/`, {
      body: { data: graphWith(secretField('key', '********')) },
    });
    expect(JSON.stringify(back.body)).not.toContain(SECRET);
  });
});
