import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { createLog } from '../../../src/platform/logging/log.js';
import { SocketClient } from '../../fuzz/socket-client.js';
import { ADMIN_KEY, testConfig } from '../../support/config.js';
import { chain, field, type GraphData, type Json, node, output, trigger } from '../../support/graphs.js';
import { type RestOptions, startTestService, type TestService } from '../../support/service.js';
import { type McpTestServer, startMcpServer } from '../../support/upstreams/mcp-server.js';
import { type EchoUpstream, startEchoUpstream } from './echo-upstream.js';

/** All secrets by name. */
export const canaries: Record<string, string> = {};

/** Returns the secret of this name, which must not appear anywhere. It is generated once. */
export function canary(name: string): string {
  canaries[name] ??= `canary-${randomUUID().replaceAll('-', '')}-${Object.keys(canaries).length}`;
  return canaries[name];
}

/** Returns the secret of this name and length. A secret of one character is one that occurs in no other text. */
export function canaryOf(length: number, name: string): string {
  const filling = Array.from({ length: Math.ceil(length / 32) }, () => randomUUID().replaceAll('-', ''));
  canaries[name] ??= length === 1 ? '\ua66e' : `${'canary-'}${filling.join('')}`.slice(0, length);
  return canaries[name];
}

/** A secret input field whose default is the canary `name`, or empty. */
export const secret = (id: string, name?: string) =>
  field(id, { is_secret: true, default_value: name === undefined ? '' : canary(name) });

/** Set by startCanaryService. */
export let service: TestService;
export let echoUpstream: EchoUpstream;
export let mcp: McpTestServer;
export let project: number;
/** Everything that the service has answered, sent to subscribers and logged. The last tests search it for canaries. */
export const answers: string[] = [];
export const receivedEvents: string[] = [];
export const logLines: string[] = [];

/** Sends a REST request, records the whole answer, and returns its body. */
export async function ask(method: string, path: string, options: RestOptions = {}): Promise<any> {
  const { status, headers, body } = await service.rest(method, path, options);
  answers.push(`${status} ${JSON.stringify([...headers])} ${JSON.stringify(body)}`);
  return body;
}

/** Executes a GraphQL operation, records the whole answer, and returns its data. */
export async function query(text: string, variables: Json = {}): Promise<any> {
  const answer = await service.graphql(text, variables);
  answers.push(JSON.stringify(answer));
  return answer.data;
}

export async function save(data: GraphData, title = 'W'): Promise<number> {
  const body = await ask('POST', '/api/v1/workflows/', { body: { project, title, data } });
  expect(body).toMatchObject({ id: expect.any(Number) });
  return body.id;
}

/** Sends messages over a socket, and records everything received, the close reason included. */
export async function overSocket(messages: unknown[], credentials: Json = { 'X-Api-Key': service.key }): Promise<void> {
  const socket = await SocketClient.open(service.url);
  for (const message of [{ type: 'connection_init', payload: credentials }, ...messages]) {
    socket.sendJson(message);
    const { id } = message as { id?: string };
    await socket.receive(one => (id === undefined ? one.type === 'connection_ack' : one.id === id), 'no answer');
  }
  receivedEvents.push(JSON.stringify([socket.received, socket.closed]));
  await socket.end();
}

export const subscribeMessage = (id: string, query: string, variables: Json = {}) => ({
  id,
  type: 'subscribe',
  payload: { query, variables },
});

/** Follows a run by a subscription to its end, and then reads it in every way there is. */
export async function follow(run: string): Promise<void> {
  const watched =
    'subscription ($id: UUID!) { workflowRunChanged(id: $id, afterSequence: 0) { sequence kind state node { id: nodeId status content error { code message } step { name tool arguments content } wait { kind } } run { inputData result data } } }';
  for await (const event of service.subscribe(watched, { id: run })) receivedEvents.push(JSON.stringify(event));
  await ask('GET', `/api/v1/workflows/workflow_result/?id=${run}`);
  await ask('GET', `/api/v1/billing-history/workflowrun/${run}/`);
  await query(
    'query ($id: UUID!) { workflowRun(id: $id) { state data inputData result inputFields { defaultValue } nodes { id: nodeId content error { code message } } } billingTransactions(runId: $id) { items { description reason } } }',
    { id: run },
  );
}

/** Runs a workflow to its end, reads the run in every way there is, and returns its id. */
export async function run(workflow: number, input: unknown, headers: Record<string, string> = {}): Promise<string> {
  const body = await ask('POST', `/api/v1/workflows/${workflow}/run/`, { body: input, headers });
  expect(body).toMatchObject({ status: 201 });
  await follow(body.data.id);
  await ask('GET', `/api/v1/workflows/${workflow}/history/`);
  await ask('GET', `/api/v1/workflows/${workflow}/history/${body.data.id}/`);
  await ask('GET', `/api/v1/workflows/${workflow}/`);
  await ask('GET', `/api/v1/workflows/${workflow}/input-fields/`);
  return body.data.id;
}

export const echoNode = (path: string, more: Json = {}) =>
  node('http-node', {
    method: 'POST',
    url: `${echoUpstream.origin}${path}`,
    headers: { Authorization: 'Bearer {{ input.key }}' },
    body: { key: '{{ input.key }}' },
    ...more,
  });
export const agent = (model: string, tools: Json[], more: Json = {}) =>
  node('agent-node', {
    messages: [{ role: 'user', message: 'Use {{ input.key }}' }],
    settings: { model_name: model },
    tools,
    ...more,
  });
export const workflowOf = (...nodes: ReturnType<typeof node>[]) => chain(trigger(secret('key')), ...nodes, output());

export async function startCanaryService(): Promise<void> {
  echoUpstream = await startEchoUpstream();
  mcp = await startMcpServer({
    pages: [[{ name: 'say', inputSchema: { type: 'object' }, description: 'Says it.' }]],
    call: (_name, args) => ({
      content: [{ type: 'text', text: JSON.stringify([args, mcp.headers.get('POST /mcp')]) }],
      isError: args.fails === true,
    }),
  });
  const log = createLog('trace', { write: (line: string) => void logLines.push(line) });
  const config = {
    jwtSecret: canary('JWT_SECRET'),
    serviceToken: canary('SERVICE_TOKEN'),
    encryptionKey: canary('ENCRYPTION_KEY'),
    openai: { baseUrl: `${echoUpstream.origin}/v1`, apiKey: canary('OPENAI_API_KEY') },
    outboundAllow: ['127.0.0.1'],
  };
  service = await startTestService(config, undefined, log);
  canaries.ADMIN_API_KEY = ADMIN_KEY;
  canaries.ADMIN_PASSWORD = testConfig(service.database).admin.password!;
  project = (await ask('POST', '/api/v1/projects/', { body: { name: 'Canaries' } })).id;
}

export async function stopCanaryService(): Promise<void> {
  await service?.stop();
  await echoUpstream?.stop();
  await mcp?.stop();
}
