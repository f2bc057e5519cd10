import { randomUUID } from 'node:crypto';
import type http from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  type ElicitRequestFormParams,
  ListToolsRequestSchema,
  type ServerResult,
} from '@modelcontextprotocol/sdk/types.js';
import { serveHttp } from './loopback-server.js';

export interface TestTool {
  name: string;
  description?: string;
  inputSchema: { type: 'object'; [member: string]: unknown };
  [member: string]: unknown;
}

export interface McpTestServer {
  /** URL of the streamable HTTP transport. The SSE transport has `sseUrl`. */
  url: string;
  sseUrl: string;
  origin: string;
  /** `METHOD path` of every HTTP request, in order. */
  requests: string[];
  /** Headers of the last request of each kind. */
  headers: Map<string, http.IncomingHttpHeaders>;
  /** Number of open sessions. */
  openSessions(): number;
  stop(): Promise<void>;
}

export interface McpBehaviour {
  /** The tools, by page of their list. */
  pages?: TestTool[][];
  call?(
    name: string,
    args: Record<string, unknown>,
    ask: (question: ElicitRequestFormParams) => Promise<unknown>,
  ): unknown;
  /** Creates the server of a session. Absent: a server with the tools of `pages`. */
  create?(): Server;
  /** Responds to an HTTP request instead of the MCP server if it returns true. */
  intercept?(request: http.IncomingMessage, response: http.ServerResponse): boolean;
}

export const echoTool: TestTool = {
  name: 'echo',
  description: 'Returns its argument.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  annotations: { readOnlyHint: true },
  _meta: { 'test/extra': 1 },
};

/** A real MCP server of the official SDK on loopback, with both transports. */
export async function startMcpServer(behaviour: McpBehaviour = {}): Promise<McpTestServer> {
  const requests: string[] = [];
  const headers = new Map<string, http.IncomingHttpHeaders>();
  const streamable = new Map<string, StreamableHTTPServerTransport>();
  const sse = new Map<string, SSEServerTransport>();

  const newServer = () => {
    if (behaviour.create) return behaviour.create();
    const server = new Server({ name: 'test', version: '1.0.0' }, { capabilities: { tools: {} } });
    const pages = behaviour.pages ?? [[echoTool]];
    server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
      const page = Number(params?.cursor ?? 0);
      return { tools: pages[page] ?? [], ...(page + 1 < pages.length ? { nextCursor: String(page + 1) } : {}) };
    });
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, { requestId }) => {
      const { name, arguments: args = {} } = params;
      const result = behaviour.call
        ? await behaviour.call(name, args, question => server.elicitInput(question, { relatedRequestId: requestId }))
        : { content: [{ type: 'text', text: args.text }] };
      return result as ServerResult;
    });
    return server;
  };

  const serveStreamable: http.RequestListener = async (request, response) => {
    const id = request.headers['mcp-session-id'];
    let transport = typeof id === 'string' ? streamable.get(id) : undefined;
    if (!transport) {
      const created = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: session => void streamable.set(session, created),
        onsessionclosed: session => void streamable.delete(session),
      });
      await newServer().connect(created);
      transport = created;
    }
    await transport.handleRequest(request, response);
  };

  const serveSse: http.RequestListener = async (_request, response) => {
    const transport = new SSEServerTransport('/messages', response);
    sse.set(transport.sessionId, transport);
    response.on('close', () => sse.delete(transport.sessionId));
    await newServer().connect(transport);
  };

  const server = await serveHttp((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    requests.push(`${request.method} ${pathname}`);
    headers.set(`${request.method} ${pathname}`, request.headers);
    if (behaviour.intercept?.(request, response)) return;
    if (pathname === '/mcp') return void serveStreamable(request, response);
    if (pathname === '/sse' && request.method === 'GET') return void serveSse(request, response);
    const session = pathname === '/messages' ? sse.get(searchParams.get('sessionId') ?? '') : undefined;
    if (session) return void session.handlePostMessage(request, response);
    response.writeHead(404).end();
  });
  const { url: origin } = server;
  return {
    url: `${origin}/mcp`,
    sseUrl: `${origin}/sse`,
    origin,
    requests,
    headers,
    openSessions: () => streamable.size + sse.size,
    stop: server.close,
  };
}
