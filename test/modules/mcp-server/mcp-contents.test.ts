import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { eventually } from '../../support/eventually.js';
import { joinProject } from '../../support/members.js';
import { startTestService, type TestService } from '../../support/service.js';
import { connect, createProject, createTool, graph, node, post } from './mcp-fixtures.js';

let service: TestService;
let project: number;
let other: number;
beforeAll(async () => {
  service = await startTestService();
  project = await createProject(service, 'Contents');
  other = await createProject(service, 'Other');
});
afterAll(() => service?.stop());

async function upload(to: number, name: string, content: string | Uint8Array): Promise<number> {
  const form = new FormData();
  form.append('project', String(to));
  form.append('file1', new Blob([content as string]), name);
  return (await service.rest('POST', '/api/v1/documents/', { body: form })).body[0].id;
}

describe('resources', () => {
  it('are the documents of the project', async () => {
    const text = await upload(project, 'refunds.txt', 'Refunds are paid within 14 days.');
    const png = Uint8Array.from(
      Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      ),
    );
    const image = await upload(project, 'dot.png', png);
    const foreign = await upload(other, 'foreign.txt', 'Not here.');
    const client = await connect(service.url, service.key, { project });
    const { resources } = await client.listResources();
    expect(resources).toMatchObject([
      { uri: `scenarium://documents/${text}`, name: 'refunds.txt', title: 'refunds', mimeType: 'text/plain', size: 32 },
      { uri: `scenarium://documents/${image}`, name: 'dot.png', mimeType: 'image/png' },
    ]);
    const read = (uri: string) => client.readResource({ uri });
    expect((await read(resources[0]!.uri)).contents[0]).toMatchObject({ text: 'Refunds are paid within 14 days.' });
    expect((await read(resources[1]!.uri)).contents[0]).toMatchObject({ blob: Buffer.from(png).toString('base64') });
    for (const uri of [`scenarium://documents/${foreign}`, 'scenarium://documents/0', 'file:///etc/passwd'])
      await expect(read(uri)).rejects.toMatchObject({ code: -32002, message: expect.stringContaining(uri) });
    await client.close();
  });

  it('are the results of the runs of the project', async () => {
    await createTool(service, project, 'one', graph([], node('out', 'output-node', { value: '1' })));
    const client = await connect(service.url, service.key, { project });
    expect((await client.listResourceTemplates()).resourceTemplates.map(({ name }) => name)).toEqual([
      'run',
      'document',
    ]);
    const { _meta } = await client.callTool({ name: 'one', arguments: {} });
    const uri = `scenarium://runs/${(_meta as Record<string, string>)['scenarium/runId']}`;
    const [content] = (await client.readResource({ uri })).contents as { text: string }[];
    expect(JSON.parse(content!.text)).toMatchObject({ status: 'succeeded', output: '1', error: null });
    await client.close();
    const elsewhere = await connect(service.url, service.key, { project: other });
    await expect(elsewhere.readResource({ uri })).rejects.toMatchObject({ code: -32002 });
    await elsewhere.close();
  });
});

describe('prompts', () => {
  it('are those of the library, with the values that they insert as arguments', async () => {
    const create = async (resource: string, body: object) =>
      (await service.rest('POST', `/api/v1/${resource}/`, { body })).body;
    const variable = await create('variables', {
      ...{ project, key: 'topic' },
      variable_names: [
        { name: 'first', value: 'refunds' },
        { name: 'second', value: 'returns' },
      ],
    });
    const [first, second] = variable.variable_names.map(({ id }: { id: number }) => id);
    const place = (name: number) => `<variable>-1,${variable.id},${name}</variable>`;
    await create('prompts', { project, key: 'short', role: 'user', content: `Write about ${place(first)}.` });
    await create('prompts', { project, key: 'long', role: 'system', content: `${place(first)} and ${place(second)}` });
    await create('prompts', { project: other, key: 'foreign', role: 'user', content: 'x' });
    const client = await connect(service.url, service.key, { project });
    expect((await client.listPrompts()).prompts).toMatchObject([
      { name: 'short', arguments: [{ name: 'topic', required: false }] },
      { name: 'long', arguments: [{ name: `topic-${first}` }, { name: `topic-${second}` }] },
    ]);
    const firstMessageOf = async (name: string, args: Record<string, string>) =>
      (await client.getPrompt({ name, arguments: args })).messages[0];
    expect(await firstMessageOf('short', {})).toEqual({
      role: 'user',
      content: { type: 'text', text: 'Write about refunds.' },
    });
    expect(await firstMessageOf('short', { topic: 'tea' })).toMatchObject({ content: { text: 'Write about tea.' } });
    expect(await firstMessageOf('long', { [`topic-${second}`]: '<b>' })).toMatchObject({
      content: { text: 'refunds and <b>' },
    });
    await expect(firstMessageOf('foreign', {})).rejects.toThrow(/"foreign"/);
    await client.close();
  });

  it('need an argument for a value that is not stored', async () => {
    const prompt = { project, key: 'dangling', role: 'user', content: 'See <message>0,4711</message>' };
    await service.rest('POST', '/api/v1/prompts/', { body: prompt });
    const client = await connect(service.url, service.key, { project });
    await expect(client.getPrompt({ name: 'dangling' })).rejects.toThrow(/needs the arguments message-4711/);
    const { messages } = await client.getPrompt({ name: 'dangling', arguments: { 'message-4711': 'this' } });
    expect(messages).toMatchObject([{ content: { text: 'See this' } }]);
    await client.close();
  });
});

describe('an approval', () => {
  const question = node('ask', 'approval-node', {
    ...{ title: 'Pay?', message: 'To the supplier.' },
    fields: [{ name: 'amount', type: 'number', is_required: true, default_value: '5' }],
    approved_nodes: ['yes'],
    rejected_nodes: ['no'],
  });
  const outputs = [
    node('yes', 'output-node', { value: 'paid {{ nodes.ask.json.values.amount }}' }),
    node('no', 'output-node', { value: 'not paid' }),
  ];
  let workflow: number;
  beforeAll(async () => {
    const data = graph([], question, ...outputs);
    workflow = await createTool(service, project, 'pay', data);
  });

  async function callWith(answer: object): Promise<{ asked: any; text: unknown }> {
    const client = await connect(service.url, service.key, { project, capabilities: { elicitation: {} } });
    let asked: unknown;
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked = params;
      return answer as never;
    });
    const result = await client.callTool({ name: 'pay', arguments: {} });
    await client.close();
    return { asked, text: (result.content as { text: string }[])[0]!.text };
  }

  it('is a question to the user of the client', async () => {
    const { asked, text } = await callWith({ action: 'accept', content: { amount: 7 } });
    expect(asked).toMatchObject({
      message: 'Pay?\n\nTo the supplier.',
      requestedSchema: { properties: { amount: { type: 'number', default: 5 } }, required: ['amount'] },
    });
    expect(text).toContain('paid 7');
    expect((await callWith({ action: 'decline' })).text).toBe('not paid');
  });

  it('stays open when the user answers nothing, and for clients that ask no user', async () => {
    for (const capabilities of [{ elicitation: {} }, {}]) {
      const client = await connect(service.url, service.key, { project, capabilities });
      if ('elicitation' in capabilities)
        client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'cancel' as const }));
      const call = client.callTool({ name: 'pay', arguments: {} });
      const query = 'query ($p: Int!) { agentApprovals(projectId: $p) { items { requestId runId } } }';
      const [request] = await eventually(
        async () => (await service.graphql(query, { p: project })).data.agentApprovals.items,
        items => items.length > 0,
      );
      const reject = `mutation ($runId: UUID!, $requestId: UUID!) { agentApprovalReject(runId: $runId, requestId: $requestId) { errors { code } } }`;
      await service.graphql(reject, request);
      expect((await call).content).toEqual([{ type: 'text', text: 'not paid' }]);
      await client.close();
    }
  });

  it('is not decided by a member who may not decide', async () => {
    const viewer = await service.createUser('reader');
    await joinProject(service, project, viewer.email, 'viewer');
    const [run] = await service.sql('select id from workflow_run where workflow_id = $1 limit 1', [workflow]);
    const [request] = await service.sql('select id from workflow_run_approval where run_id = $1', [run!.id]);
    const answer = { jsonrpc: '2.0', id: `approval/${run!.id}/${request!.id}`, result: { action: 'decline' } };
    const response = await post(service.url, viewer.key, answer, { project });
    expect([response.status, (await response.json()).error.data.code]).toEqual([400, 'FORBIDDEN']);
  });
});
