import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { TestService } from '../../support/service.js';

type Json = Record<string, unknown>;

export function node(id: string, type: string, data: Json): Json {
  return { id, type, position: { x: 0, y: 0 }, data: { label: id, ...data } };
}

export function graph(fields: Json[], ...nodes: Json[]): Json {
  const trigger = node('trigger', 'trigger-node', { input_fields: fields, next_nodes: [nodes[0]!.id] });
  return { nodes: [trigger, ...nodes], edges: [], viewport: { x: 0, y: 0, zoom: 1 }, start_node: 'trigger' };
}

export async function createProject(service: Pick<TestService, 'rest'>, name: string): Promise<number> {
  return (await service.rest('POST', '/api/v1/projects/', { body: { name } })).body.id;
}

/** Creates a workflow that is a tool with this name. Returns the id of the workflow. */
export async function createTool(
  service: Pick<TestService, 'rest'>,
  project: number,
  name: string,
  data: Json,
): Promise<number> {
  const workflow = await service.rest('POST', '/api/v1/workflows/', {
    body: { project, title: `Title of ${name}`, data },
  });
  const path = `/api/v1/workflows/${workflow.body.id}/mcp-server-tool/`;
  const tool = await service.rest('PUT', path, { body: { name, description: `Calls ${name}.` } });
  if (tool.status !== 200) throw new Error(JSON.stringify([workflow.body, tool.body]));
  return workflow.body.id;
}

/** A connected client of the official SDK. */
export async function connect(
  url: string,
  key: string,
  { project, capabilities = {} }: { project: number; capabilities?: Json },
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities });
  const transport = new StreamableHTTPClientTransport(new URL(`/mcp/${project}`, url), {
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
    reconnectionOptions: {
      ...{ maxRetries: 100, initialReconnectionDelay: 50 },
      ...{ maxReconnectionDelay: 200, reconnectionDelayGrowFactor: 1 },
    },
  });
  await client.connect(transport as never);
  return client;
}

/** Sends one message without the SDK. */
export async function post(
  url: string,
  key: string,
  message: unknown,
  { project, headers = {} }: { project: number; headers?: Record<string, string> },
): Promise<McpResponse> {
  return fetch(new URL(`/mcp/${project}`, url), {
    method: 'POST',
    headers: {
      ...{ 'X-Api-Key': key, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      ...headers,
    },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });
}

export type McpResponse = Omit<Response, 'json'> & { json(): Promise<any> };

export interface ReceivedEvent {
  id: string;
  message: any;
}

/** The events of a stream, in order. Comments are left out. */
export async function* eventsOf(response: Pick<Response, 'body'>): AsyncGenerator<ReceivedEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body!) {
    rest += decoder.decode(chunk as Uint8Array, { stream: true });
    const blocks = rest.split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      const lines = Object.fromEntries(block.split('\n').map(line => line.split(/: ?(.*)/s).slice(0, 2)));
      if (lines.id !== undefined) yield { id: lines.id, message: lines.data ? JSON.parse(lines.data) : null };
    }
  }
}

export async function allEvents(response: Pick<Response, 'body'>): Promise<ReceivedEvent[]> {
  const events: ReceivedEvent[] = [];
  for await (const event of eventsOf(response)) events.push(event);
  return events;
}
