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
  echoNode,
  echoUpstream,
  follow,
  logLines,
  mcp,
  overSocket,
  project,
  query,
  receivedEvents,
  run,
  save,
  secret,
  service,
  startCanaryService,
  stopCanaryService,
  subscribeMessage,
  workflowOf,
} from './canaries/canary-service.js';
import { CREDENTIAL_REQUESTS } from './canaries/credentials.js';
import { dumpOf, occurrences } from './canaries/findings.js';

// A canary is a random secret. Each test sends canaries through the service; the last tests search everything that the
// service has returned, logged and stored for them.
beforeAll(startCanaryService);
afterAll(stopCanaryService);

describe('secrets arrive where they are sent, and nowhere else', () => {
  it('as a default of an input field that is stored, updated and copied', async () => {
    const before = chain(trigger(secret('key', 'a default that was replaced')), echoNode('/echo'), output());
    const workflow = await save(before);
    await run(workflow, { key: '********' });
    const after = structuredClone(before);
    after.nodes[0]!.data.input_fields = [secret('key', 'the default of an update')];
    await ask('PATCH', `/api/v1/workflows/${workflow}/`, { body: { data: after } });
    const copy = await ask('POST', `/api/v1/workflows/${workflow}/duplicate/`);
    await run(copy.id, { key: '********' });
    await ask('GET', `/api/v1/workflows/?project=${project}`);
    await ask('POST', `/api/v1/workflows/check_workflow/`, { body: after });
    const { id: _, ...fieldWithoutId } = secret('', 'a default of a field without an id');
    after.nodes[0]!.data.input_fields = [fieldWithoutId, { ...fieldWithoutId, id: 5 }];
    await ask('PATCH', `/api/v1/workflows/${workflow}/`, { body: { data: after } });
    await ask('GET', `/api/v1/workflows/${workflow}/check_workflow/`);
    await ask('POST', `/api/v1/workflows/${workflow}/run/`, { body: {} });
  });

  it('as the input of a run, of a retried request, of a repeated run and of a fork', async () => {
    const call = echoNode('/echo');
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
      'mutation ($id: UUID!, $node: String!, $input: JSON) { workflowRunFork(id: $id, nodeId: $node, input: $input) { receipt { data { id: runId } run { inputData } } } }',
      { id, node: call.id, input: { key: canary('the input of a fork') } },
    );
    await follow(forked.workflowRunFork.receipt.data.id);
    const later = await save(workflowOf(call, echoNode('/echo', { body: '{{ previous.content }}' })));
    const source = await run(later, { key: canary('what a fork takes over') });
    const [last] = (await ask('GET', `/api/v1/workflows/${later}/`)).data.nodes.slice(-2);
    const forkOfSource = await query(
      'mutation ($id: UUID!, $node: String!, $input: JSON) { workflowRunFork(id: $id, nodeId: $node, input: $input) { receipt { data { id: runId } } } }',
      { id: source, node: last.id, input: { key: canary('the input of a fork that takes something over') } },
    );
    await follow(forkOfSource.workflowRunFork.receipt.data.id);
    await query(
      'query ($left: UUID!, $right: UUID!) { workflowRunDiff(leftId: $left, rightId: $right) { inputs { field left right } nodes { left { content error { code message } } right { content error { code message } } } } }',
      {
        left: id,
        right: forked.workflowRunFork.receipt.data.id,
      },
    );
  });

  it('in a draft and in a graph that is not stored', async () => {
    const workflow = await save(workflowOf(echoNode('/echo')));
    const draft = await query(
      'mutation ($id: Int!, $input: JSON) { workflowRunStart(workflowId: $id, input: $input, draft: true) { receipt { data { id: runId } run { inputData } } } }',
      { id: workflow, input: { key: canary('the input of a draft') } },
    );
    const { id } = draft.workflowRunStart.receipt.data;
    await query('query ($id: UUID!) { workflowRun(id: $id) { inputData } }', { id });
    await query('mutation ($id: UUID!) { workflowRunRelease(id: $id) { receipt { status } } }', { id });
    await follow(id);
    const data = chain(trigger(secret('key', 'a default of a graph that is not stored')), echoNode('/echo'), output());
    const unstored = await ask('POST', `/api/v1/workflows/run/?task_id=${randomUUID()}`, { body: { data, project } });
    await follow(unstored.data.id);
  });

  it('in the triggers inside of loops', async () => {
    const body = chain(trigger(secret('key', 'a default inside of a loop')), echoNode('/echo'), output());
    await run(await save(chain(trigger(), node('loop-node', { items: [1, 2], body }), output())), {});
  });

  it('in sub-workflows, loops of them and tools that are workflows', async () => {
    // The called workflows declare no secret, but the values that they receive stay secret.
    const open = await save(chain(trigger(field('key')), echoNode('/echo'), output('{{ input.key }}')));
    const input = { key: '{{ input.key }}', text: 'it is {{ input.key }}' };
    const called = node('subworkflow-node', { workflow_id: open, input });
    await run(await save(workflowOf(called)), { key: canary('the input of a sub-workflow') });
    const looped = node('loop-node', { workflow_id: open, items: '["{{ input.key }}"]' });
    await run(await save(workflowOf(looped)), { key: canary('an item of a loop') });
    const agentWithTool = agent('caller', [{ kind: 'workflow', workflow_id: open }]);
    await run(await save(workflowOf(agentWithTool)), { key: canary('an argument of a workflow that is a tool') });
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
    const received = echoUpstream.received.length;
    for (const { id } of subRuns) {
      await follow(id);
      const again = await ask('POST', `/api/v1/workflows/${open}/history/${id}/re-run/`);
      await follow(again.data.id);
    }
    expect(echoUpstream.received.slice(received).join()).toContain(
      canaries['the input of a sub-workflow of a sub-workflow'],
    );
  });

  it('in headers of MCP servers', async () => {
    const server = { endpoint_url: mcp.url, headers: { 'X-Secret': '{{ input.key }}' } };
    const tool = (name: string, more: Json) =>
      node('mcp-node', { ...server, tool: 'say', arguments: { text: '{{ input.key }}', ...more }, name });
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
        endpoint_url: `${echoUpstream.origin}/refuse`,
        headers: { Authorization: `Bearer ${canary('a header for listing the tools of a server')}` },
      },
    });
  });

  it('in the tools of agents, approved or not', async () => {
    const tool = {
      kind: 'http',
      name: 'tell',
      parameters: { type: 'object', properties: { text: { type: 'string' } } },
      request: {
        method: 'POST',
        url: `${echoUpstream.origin}/echo`,
        headers: { Authorization: '{{ input.key }}' },
        body: { text: '{{ args.text }}' },
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
    receivedEvents.push(JSON.stringify(value));
    await requests.return?.();
    await query('query ($id: Int!) { agentApprovals(projectId: $id) { items { tool arguments } } }', { id: project });
    await ask('GET', `/api/v1/workflows/workflow_result/?id=${started.data.id}`);
    const { requestId } = value.data.agentApprovalRequested;
    await ask('POST', `/api/v1/workflows/workflow_run/${started.data.id}/agent-approval/${requestId}/approve/`);
    await follow(started.data.id);
  });

  it('when upstreams fail and report why', async () => {
    await run(await save(workflowOf(echoNode('/refuse'))), { key: canary('the header of a call that is refused') });
    await run(await save(workflowOf(echoNode('/refuse', { fail_on_error_status: false }))), {
      key: canary('an error that is a content'),
    });
    await run(
      await save(workflowOf(echoNode('/echo', { url: 'http://127.0.0.1:1/{{ input.key }}?k={{ input.key }}' }))),
      { key: canary('the address of a server that is not running') },
    );
    await run(await save(workflowOf(echoNode('/echo', { url: 'http://{{ input.key }}.invalid/' }))), {
      key: canary('the name of a host that does not exist'),
    });
    await run(await save(workflowOf(llm('{{ input.key }}', 'refuser'))), { key: canary('a prompt that is refused') });
    await run(await save(workflowOf(llm('{{ input.key }}', 'parrot'))), {
      key: canary('a prompt that the model echoes'),
    });
  });

  it('when filters change their form', async () => {
    const upperCased = echoNode('/echo', {
      body: '{{ input.key | upper }} {{ input.key | lower }} {{ input.key | trim }}',
    });
    const workflow = await save(workflowOf(upperCased));
    const mixed = canary('a secret in mixed case').replace('canary', 'CaNaRy');
    await run(workflow, { key: ` ${mixed} ` });
    canaries['a secret in capitals'] = mixed.toUpperCase();
    canaries['a secret in small letters'] = mixed.toLowerCase();
    canaries['a secret without the spaces around it'] = mixed;
  });

  it('of any length', async () => {
    const keyless = { headers: {} };
    for (const length of [1, 16_000]) {
      const given = { key: canaryOf(length, `a secret of ${length} characters`) };
      const source = field('key', { is_secret: true, default_value: canaryOf(length, `a default of ${length}`) });
      await run(await save(chain(trigger(source), output('done'))), { key: '********' });
      await run(await save(chain(trigger(secret('key')), output('done'))), given);
      // A secret of less than six characters is masked only in its own field.
      if (length === 1) continue;
      await run(
        await save(chain(trigger(source), echoNode('/echo', keyless), output('{{ previous.content }}'))),
        given,
      );
      for (const path of ['/refuse', '/refuse?key={{ input.key }}', '/echo?key={{ input.key | upper }}'])
        await run(await save(workflowOf(echoNode(path, keyless))), given);
      await run(await save(workflowOf(echoNode('/echo'))), given);
      await run(await save(workflowOf(llm('{{ input.key }}', 'refuser'))), given);
      await run(await save(workflowOf(node('code-node', { code: 'throw new Error("it is " + input.key);' }))), given);
      await run(await save(workflowOf(node('code-node', { code: 'return input.key.slice(0, 300);' }))), given);
    }
  });

  it('unless they are too long, and are refused', async () => {
    const given = canaryOf(100_000, 'a secret of 100,000 characters');
    const source = chain(trigger(field('key', { is_secret: true, default_value: given })), output());
    const body = { project, title: 'W', data: source };
    expect(await ask('POST', '/api/v1/workflows/', { body })).toEqual({
      data: [expect.stringContaining('input field "key": default_value is too long')],
    });
    const task = `/api/v1/workflows/run/?task_id=${randomUUID()}`;
    expect(await ask('POST', task, { body: { data: source, project } })).toEqual({ data: [expect.any(String)] });
    const workflow = await save(workflowOf(echoNode('/echo')));
    const refused = await ask('POST', `/api/v1/workflows/${workflow}/run/`, { body: { key: given } });
    expect(refused).toMatchObject({ status: 400 });
    expect(JSON.stringify(refused)).toContain('at most 16,384 bytes');
    await query(
      'mutation ($id: Int!, $input: JSON) { workflowRunStart(workflowId: $id, input: $input) { receipt { status } } }',
      {
        id: workflow,
        input: { key: given },
      },
    );
    const many = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map(id => [id, canaryOf(16_000, `one of five, ${id}`)]));
    const fields = Object.keys(many).map(id => secret(id));
    const full = await ask('POST', `/api/v1/workflows/${await save(chain(trigger(...fields), output()))}/run/`, {
      body: many,
    });
    expect(JSON.stringify(full)).toContain('65,536 bytes together');
    const attach =
      'mutation ($id: Int!, $input: ProviderKeyInput!) { providerKeyAttach(projectId: $id, input: $input) { providerKey { id } } }';
    const key = canaryOf(100_000, 'a provider key of 100,000 characters');
    await query(attach, { id: project, input: { name: 'Long', provider: 'OPENAI', key } });
    await ask('POST', '/api/v1/workflows/mcp-tools/', {
      body: { endpoint_url: mcp.url, headers: { Authorization: canaryOf(100_000, 'a header of 100,000 characters') } },
    });
    // Masking must not build a regular expression from a long secret.
    expect(logLines.join('')).not.toContain('Invalid regular expression');
  });

  it('in code', async () => {
    const code = node('code-node', { code: 'return { echo: input.key, parts: [input.key] };' });
    await run(await save(workflowOf(code)), { key: canary('what code returns') });
    const thrown = node('code-node', { code: 'throw new Error(input.key);' });
    await run(await save(workflowOf(thrown)), { key: canary('what code throws') });
  });

  it('in requests that cause an internal error, which is logged', async () => {
    const workflow = await save(workflowOf(echoNode('/echo')));
    const start =
      'mutation ($id: Int!, $input: JSON) { workflowRunStart(workflowId: $id, input: $input) { receipt { status } } }';
    const create = 'mutation ($input: UserCreateInput!) { userCreate(input: $input) { user { id } } }';
    await service.sql('alter table workflow_run_payload rename column input to other_input');
    await service.sql('alter table app_user rename column password_hash to other_hash');
    const body = { key: canary('the input of a run that fails to start') };
    await ask('POST', `/api/v1/workflows/${workflow}/run/`, { body });
    await query(start, { id: workflow, input: body });
    await query(create, { input: { email: 'unlucky@example.com', password: canary('a password that is not stored') } });
    const variables = { id: workflow, input: { key: canary('the input of a run that fails to start over a socket') } };
    await overSocket([subscribeMessage('a', start, variables)]);
    await service.sql('alter table workflow_run_payload rename column other_input to input');
    await service.sql('alter table app_user rename column other_hash to password_hash');
    expect(logLines.filter(line => line.includes('failed')).length).toBeGreaterThanOrEqual(4);
  });

  it('when an execution service reports them', async () => {
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
    const text = `it is ${canary('what is reported')}`;
    await ask('POST', `/api/v1/workflows/execution-update/${data.id}/`, {
      key: null,
      headers: { Authorization: `Bearer ${canary('SERVICE_TOKEN')}` },
      body: {
        status: 'succeed',
        sequence: 1,
        data: { wait: { status: 'succeed', result: { content: text } } },
        output: text,
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
    const received = echoUpstream.received.join('\n');
    const sent = [
      'the input of a run',
      'the default of an update',
      'a default inside of a loop',
      'the input of a sub-workflow',
      'an argument to approve',
      'OPENAI_API_KEY',
      'a provider key',
    ];
    for (const name of sent) expect([name, received.includes(canaries[name]!)]).toEqual([name, true]);
  });

  it('are at least 25', () => {
    expect(Object.keys(canaries).length).toBeGreaterThanOrEqual(25);
  });

  it('appear in no answer, no event, no log line and no row of the database', async () => {
    const places = {
      'an answer': answers.join('\n'),
      'an event': receivedEvents.join('\n'),
      'the log': logLines.join('\n'),
      'the database': await dumpOf(service.database),
    };
    for (const text of Object.values(places)) expect(text).not.toBe('');
    expect(occurrences(canaries, places)).toEqual([]);
  });
});
