import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { chain, field, type Json, llm, node, output, trigger } from '../support/graphs.js';
import {
  agent,
  answers,
  ask,
  canaries,
  canary,
  canaryOf,
  events,
  follow,
  lines,
  mcp,
  overSocket,
  parrot,
  project,
  query,
  run,
  save,
  secret,
  service,
  startCanaryService,
  stopCanaryService,
  subscribing,
  telling,
  workflowOf,
} from './canaries/canary-service.js';
import { CREDENTIAL_REQUESTS } from './canaries/credentials.js';
import { dumpOf, sightings } from './canaries/findings.js';

beforeAll(startCanaryService);
afterAll(stopCanaryService);

describe('secrets go where they are meant to go', () => {
  it('by a default that is stored, updated and copied', async () => {
    const before = chain(trigger(secret('key', 'a default that was replaced')), telling('/tell'), output());
    const workflow = await save(before);
    await run(workflow, { key: '********' });
    const after = structuredClone(before);
    after.nodes[0]!.data.input_fields = [secret('key', 'the default of an update')];
    await ask('PATCH', `/api/v1/workflows/${workflow}/`, { body: { data: after } });
    const copy = await ask('POST', `/api/v1/workflows/${workflow}/duplicate/`);
    await run(copy.id, { key: '********' });
    await ask('GET', `/api/v1/workflows/?project=${project}`);
    await ask('POST', `/api/v1/workflows/check_workflow/`, { body: after });
    const { id: _, ...nameless } = secret('', 'a default of a field without an id');
    after.nodes[0]!.data.input_fields = [nameless, { ...nameless, id: 5 }];
    await ask('PATCH', `/api/v1/workflows/${workflow}/`, { body: { data: after } });
    await ask('GET', `/api/v1/workflows/${workflow}/check_workflow/`);
    await ask('POST', `/api/v1/workflows/${workflow}/run/`, { body: {} });
  });

  it('by the input of a run, of another try of its request, of the run again and of a fork', async () => {
    const call = telling('/tell');
    const workflow = await save(workflowOf(call));
    const id = await run(workflow, { key: canary('the input of a run') });
    const headers = { 'Idempotency-Key': 'twice' };
    const body = { key: canary('the input of a keyed run') };
    const keyed = await ask('POST', `/api/v1/workflows/${workflow}/run/`, { body, headers });
    await ask('POST', `/api/v1/workflows/${workflow}/run/`, { body, headers });
    await follow(keyed.data.id);
    for (const input of [undefined, { key: '********' }, { key: canary('the input of a run again') }]) {
      const again = await ask('POST', `/api/v1/workflows/${workflow}/history/${id}/re-run/`, { body: input });
      await follow(again.data.id);
    }
    const forked = await query(
      'mutation ($id: UUID!, $node: String!, $input: JSON) { workflowRunFork(id: $id, nodeId: $node, input: $input) { data { id } run { inputData } } }',
      { id, node: call.id, input: { key: canary('the input of a fork') } },
    );
    await follow(forked.workflowRunFork.data.id);
    const later = await save(workflowOf(call, telling('/tell', { body: '{{ previous.content }}' })));
    const kept = await run(later, { key: canary('what a fork takes over') });
    const [last] = (await ask('GET', `/api/v1/workflows/${later}/`)).data.nodes.slice(-2);
    const onward = await query(
      'mutation ($id: UUID!, $node: String!, $input: JSON) { workflowRunFork(id: $id, nodeId: $node, input: $input) { data { id } } }',
      { id: kept, node: last.id, input: { key: canary('the input of a fork that takes something over') } },
    );
    await follow(onward.workflowRunFork.data.id);
    await query(
      'query ($left: UUID!, $right: UUID!) { workflowRunDiff(left: $left, right: $right) { inputs { field left right } nodes { left { content error } right { content error } } } }',
      {
        left: id,
        right: forked.workflowRunFork.data.id,
      },
    );
  });

  it('by a draft and by a graph that is not stored', async () => {
    const workflow = await save(workflowOf(telling('/tell')));
    const draft = await query(
      'mutation ($id: Int!, $input: JSON) { workflowRunStart(workflowId: $id, input: $input, draft: true) { data { id } run { inputData } } }',
      { id: workflow, input: { key: canary('the input of a draft') } },
    );
    const { id } = draft.workflowRunStart.data;
    await query('query ($id: UUID!) { workflowRun(id: $id) { inputData } }', { id });
    await query('mutation ($id: UUID!) { workflowRunRelease(id: $id) { status } }', { id });
    await follow(id);
    const data = chain(trigger(secret('key', 'a default of a graph that is not stored')), telling('/tell'), output());
    const unstored = await ask('POST', `/api/v1/workflows/run/?task_id=${randomUUID()}`, { body: { data, project } });
    await follow(unstored.data.id);
  });

  it('by the triggers inside of loops', async () => {
    const body = chain(trigger(secret('key', 'a default inside of a loop')), telling('/tell'), output());
    await run(await save(chain(trigger(), node('loop-node', { items: [1, 2], body }), output())), {});
  });

  it('by sub-workflows, loops of them and tools that are workflows', async () => {
    // The called workflows know of no secret: what they are given is one all the same.
    const open = await save(chain(trigger(field('key')), telling('/tell'), output('{{ input.key }}')));
    const input = { key: '{{ input.key }}', said: 'it is {{ input.key }}' };
    const called = node('subworkflow-node', { workflow_id: open, input });
    await run(await save(workflowOf(called)), { key: canary('the input of a sub-workflow') });
    const looped = node('loop-node', { workflow_id: open, items: '["{{ input.key }}"]' });
    await run(await save(workflowOf(looped)), { key: canary('an item of a loop') });
    const tooled = agent('caller', [{ kind: 'workflow', workflow_id: open }]);
    await run(await save(workflowOf(tooled)), { key: canary('an argument of a workflow that is a tool') });
    const deep = await save(
      chain(
        trigger(field('key')),
        node('subworkflow-node', { workflow_id: open, input: { key: '{{ input.key }}' } }),
        output(),
      ),
    );
    await run(
      await save(workflowOf(node('subworkflow-node', { workflow_id: deep, input: { key: '{{ input.key }}' } }))),
      {
        key: canary('the input of a sub-workflow of a sub-workflow'),
      },
    );
    const subRuns = await service.sql(
      'select id, workflow_id from workflow_run where parent_run_id is not null and workflow_id = $1',
      [open],
    );
    expect(subRuns.length).toBe(4);
    const heard = parrot.heard.length;
    for (const { id } of subRuns) {
      await follow(id);
      const again = await ask('POST', `/api/v1/workflows/${open}/history/${id}/re-run/`);
      await follow(again.data.id);
    }
    expect(parrot.heard.slice(heard).join()).toContain(canaries['the input of a sub-workflow of a sub-workflow']);
  });

  it('by headers of MCP servers', async () => {
    const server = { endpoint_url: mcp.url, headers: { 'X-Secret': '{{ input.key }}' } };
    const tool = (name: string, more: Json) =>
      node('mcp-node', { ...server, tool: 'say', arguments: { said: '{{ input.key }}', ...more }, name });
    const data = chain(trigger(secret('key', 'a header of an MCP server')), tool('good', {}), output());
    const workflow = await save(data);
    await run(workflow, { key: '********' });
    await ask('POST', '/api/v1/workflows/mcp-tools/', {
      body: { endpoint_url: mcp.url, workflow_id: workflow, node_id: data.nodes[1]!.id },
    });
    await run(await save(workflowOf(tool('bad', { fails: true }))), { key: canary('a header of a tool that fails') });
    await run(await save(workflowOf(agent('caller', [{ kind: 'mcp', ...server }]))), {
      key: canary('a header of an agent’s server'),
    });
    await ask('POST', '/api/v1/workflows/mcp-tools/', {
      body: {
        endpoint_url: `${parrot.origin}/refuse`,
        headers: { Authorization: `Bearer ${canary('a header given to look at a server')}` },
      },
    });
  });

  it('by the tools of agents, whether they are approved or not', async () => {
    const tool = {
      kind: 'http',
      name: 'tell',
      parameters: { type: 'object', properties: { said: { type: 'string' } } },
      request: {
        method: 'POST',
        url: `${parrot.origin}/tell`,
        headers: { Authorization: '{{ input.key }}' },
        body: { said: '{{ args.said }}' },
      },
    };
    await run(await save(workflowOf(agent('caller', [tool]))), { key: canary('a header of an agent’s request') });
    const asking = await save(workflowOf(agent('caller', [tool], { approval: 'tools' })));
    const started = await ask('POST', `/api/v1/workflows/${asking}/run/`, {
      body: { key: canary('an argument to approve') },
    });
    const requests = service.subscribe(
      'subscription ($id: Int!) { agentApprovalRequested(projectId: $id) { requestId tool arguments } }',
      { id: project },
    );
    const { value } = await requests.next();
    events.push(JSON.stringify(value));
    await requests.return?.();
    await query('query ($id: Int!) { agentApprovals(projectId: $id) { items { tool arguments } } }', { id: project });
    await ask('GET', `/api/v1/workflows/workflow_result/?id=${started.data.id}`);
    const { requestId } = value.data.agentApprovalRequested;
    await ask('POST', `/api/v1/workflows/workflow_run/${started.data.id}/agent-approval/${requestId}/approve/`);
    await follow(started.data.id);
  });

  it('by upstreams that fail and say why', async () => {
    await run(await save(workflowOf(telling('/refuse'))), { key: canary('the header of a call that is refused') });
    await run(await save(workflowOf(telling('/refuse', { fail_on_error_status: false }))), {
      key: canary('an error that is a content'),
    });
    await run(
      await save(workflowOf(telling('/tell', { url: 'http://127.0.0.1:1/{{ input.key }}?k={{ input.key }}' }))),
      { key: canary('the address of a server that is away') },
    );
    await run(await save(workflowOf(telling('/tell', { url: 'http://{{ input.key }}.invalid/' }))), {
      key: canary('the name of a host that is none'),
    });
    await run(await save(workflowOf(llm('{{ input.key }}', 'refuser'))), { key: canary('a prompt that is refused') });
    await run(await save(workflowOf(llm('{{ input.key }}', 'parrot'))), { key: canary('a prompt that is said again') });
  });

  it('by filters that change how they look', async () => {
    const shouted = telling('/tell', {
      body: '{{ input.key | upper }} {{ input.key | lower }} {{ input.key | trim }}',
    });
    const workflow = await save(workflowOf(shouted));
    const mixed = canary('a secret that is written otherwise').replace('canary', 'CaNaRy');
    await run(workflow, { key: ` ${mixed} ` });
    canaries['a secret in capitals'] = mixed.toUpperCase();
    canaries['a secret in small letters'] = mixed.toLowerCase();
    canaries['a secret without the spaces around it'] = mixed;
  });

  it('of any length', async () => {
    const keyless = { headers: {} };
    for (const length of [1, 16_000]) {
      const given = { key: canaryOf(length, `a secret of ${length} characters`) };
      const kept = field('key', { is_secret: true, default_value: canaryOf(length, `a default of ${length}`) });
      await run(await save(chain(trigger(kept), output('done'))), { key: '********' });
      await run(await save(chain(trigger(secret('key')), output('done'))), given);
      // What takes less than six characters is hidden where its field stands, and there alone.
      if (length === 1) continue;
      await run(await save(chain(trigger(kept), telling('/tell', keyless), output('{{ previous.content }}'))), given);
      for (const path of ['/refuse', '/refuse?key={{ input.key }}', '/tell?key={{ input.key | upper }}'])
        await run(await save(workflowOf(telling(path, keyless))), given);
      await run(await save(workflowOf(telling('/tell'))), given);
      await run(await save(workflowOf(llm('{{ input.key }}', 'refuser'))), given);
      await run(await save(workflowOf(node('code-node', { code: 'throw new Error("it is " + input.key);' }))), given);
      await run(await save(workflowOf(node('code-node', { code: 'return input.key.slice(0, 300);' }))), given);
    }
  });

  it('unless they are too long, and are refused', async () => {
    const given = canaryOf(100_000, 'a secret of 100,000 characters');
    const kept = chain(trigger(field('key', { is_secret: true, default_value: given })), output());
    const body = { project, title: 'W', data: kept };
    expect(await ask('POST', '/api/v1/workflows/', { body })).toEqual({
      data: [expect.stringContaining('input field "key": default_value is too long')],
    });
    const task = `/api/v1/workflows/run/?task_id=${randomUUID()}`;
    expect(await ask('POST', task, { body: { data: kept, project } })).toEqual({ data: [expect.any(String)] });
    const workflow = await save(workflowOf(telling('/tell')));
    const refused = await ask('POST', `/api/v1/workflows/${workflow}/run/`, { body: { key: given } });
    expect(refused).toMatchObject({ status: 400 });
    expect(JSON.stringify(refused)).toContain('at most 16,384 bytes');
    await query('mutation ($id: Int!, $input: JSON) { workflowRunStart(workflowId: $id, input: $input) { status } }', {
      id: workflow,
      input: { key: given },
    });
    const many = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map(id => [id, canaryOf(16_000, `one of five, ${id}`)]));
    const fields = Object.keys(many).map(id => secret(id));
    const full = await ask('POST', `/api/v1/workflows/${await save(chain(trigger(...fields), output()))}/run/`, {
      body: many,
    });
    expect(JSON.stringify(full)).toContain('65,536 bytes together');
    const attach =
      'mutation ($id: Int!, $input: ProviderKeyInput!) { providerKeyAttach(projectId: $id, input: $input) { id } }';
    const key = canaryOf(100_000, 'a provider key of 100,000 characters');
    await query(attach, { id: project, input: { name: 'Long', provider: 'OPENAI', key } });
    await ask('POST', '/api/v1/workflows/mcp-tools/', {
      body: { endpoint_url: mcp.url, headers: { Authorization: canaryOf(100_000, 'a header of 100,000 characters') } },
    });
    expect(lines.join('')).not.toContain('Invalid regular expression');
  });

  it('by code', async () => {
    const code = node('code-node', { code: 'return { told: input.key, parts: [input.key] };' });
    await run(await save(workflowOf(code)), { key: canary('what code returns') });
    const thrown = node('code-node', { code: 'throw new Error(input.key);' });
    await run(await save(workflowOf(thrown)), { key: canary('what code throws') });
  });

  it('by requests that meet a fault of ours, which is logged', async () => {
    const workflow = await save(workflowOf(telling('/tell')));
    const start = 'mutation ($id: Int!, $input: JSON) { workflowRunStart(workflowId: $id, input: $input) { status } }';
    const create = 'mutation ($input: UserCreateInput!) { userCreate(input: $input) { id } }';
    await service.sql('alter table workflow_run_payload rename column input to other_input');
    await service.sql('alter table app_user rename column password_hash to other_hash');
    const body = { key: canary('the input of a run that fails to start') };
    await ask('POST', `/api/v1/workflows/${workflow}/run/`, { body });
    await query(start, { id: workflow, input: body });
    await query(create, { input: { email: 'unlucky@example.com', password: canary('a password that is not stored') } });
    const asked = { id: workflow, input: { key: canary('the input of a run that fails to start over a socket') } };
    await overSocket([subscribing('a', start, asked)]);
    await service.sql('alter table workflow_run_payload rename column other_input to input');
    await service.sql('alter table app_user rename column other_hash to password_hash');
    expect(lines.filter(line => line.includes('failed')).length).toBeGreaterThanOrEqual(4);
  });

  it('by an execution service that reports it', async () => {
    const workflow = await save(
      chain(trigger(secret('key')), node('delay-node', { seconds: 3_600 }, 'wait'), output()),
    );
    const { data } = await ask('POST', `/api/v1/workflows/${workflow}/run/`, {
      body: { key: canary('what is reported') },
    });
    await eventually(
      () => service.sql(`select state from workflow_run where id = $1`, [data.id]),
      ([row]) => row?.state === 'waiting',
    );
    const said = `it is ${canary('what is reported')}`;
    await ask('POST', `/api/v1/workflows/execution-update/${data.id}/`, {
      key: null,
      headers: { Authorization: `Bearer ${canary('SERVICE_TOKEN')}` },
      body: {
        status: 'succeed',
        sequence: 1,
        data: { wait: { status: 'succeed', result: { content: said } } },
        output: said,
      },
    });
    await follow(data.id);
  });
});

describe('credentials are shown once, or never', () => {
  it.each(CREDENTIAL_REQUESTS)('%s', (_title, send) => send());
});

describe('canaries', () => {
  it('arrived at the servers they were sent to', () => {
    const heard = parrot.heard.join('\n');
    const sent = [
      'the input of a run',
      'the default of an update',
      'a default inside of a loop',
      'the input of a sub-workflow',
      'an argument to approve',
      'OPENAI_API_KEY',
      'a provider key',
    ];
    for (const name of sent) expect([name, heard.includes(canaries[name]!)]).toEqual([name, true]);
  });

  it('are at least 25', () => {
    expect(Object.keys(canaries).length).toBeGreaterThanOrEqual(25);
  });

  it('are seen in no answer, no event, no line of the log and no row of the database', async () => {
    const places = {
      'an answer': answers.join('\n'),
      'an event': events.join('\n'),
      'the log': lines.join('\n'),
      'the database': await dumpOf(service.database),
    };
    for (const text of Object.values(places)) expect(text).not.toBe('');
    expect(sightings(canaries, places)).toEqual([]);
  });
});
