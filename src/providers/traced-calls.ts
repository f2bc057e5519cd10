import { type CallContext, type HttpCaller, type McpCaller, PortError } from '../engine/ports.js';
import type { Telemetry } from '../platform/tracing/telemetry.js';
import type { SpanAttributes } from '../platform/tracing/tracing.js';
import { parentSpanOf, withContext } from '../platform/tracing/work-context.js';

/** Traces calls of HTTP nodes and tools as child spans of their nodes. Returns `caller` itself if tracing is off. */
export function tracedHttp(caller: HttpCaller, telemetry: Telemetry): HttpCaller {
  if (!telemetry.tracer) return caller;
  return {
    request: ({ method, ...request }, call) => {
      const attributes = { 'http.request.method': method, 'server.address': hostOf(request.url) };
      return traceCall(telemetry, `HTTP ${method}`, call, attributes, async set => {
        const answer = await caller.request({ method, ...request }, call);
        set({ 'http.response.status_code': answer.status });
        return answer;
      });
    },
  };
}

/** Traces calls of MCP servers as child spans of their nodes. Returns `caller` itself if tracing is off. */
export function tracedMcp(caller: McpCaller, telemetry: Telemetry): McpCaller {
  if (!telemetry.tracer) return caller;
  return {
    schemaHash: tool => caller.schemaHash(tool),
    listTools: (server, call) =>
      traceCall(
        telemetry,
        'tools/list',
        call,
        { 'mcp.method.name': 'tools/list', 'server.address': hostOf(server.endpointUrl) },
        () => caller.listTools(server, call),
      ),
    callTool: (server, tool, args, call) => {
      const attributes = {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': tool.name,
        'mcp.method.name': 'tools/call',
        'server.address': hostOf(server.endpointUrl),
      };
      return traceCall(telemetry, `execute_tool ${tool.name}`, call, attributes, () =>
        caller.callTool(server, tool, args, call),
      );
    },
  };
}

async function traceCall<T>(
  { tracer }: Telemetry,
  name: string,
  { place }: Pick<CallContext, 'place'>,
  attributes: SpanAttributes,
  work: (set: (extra: SpanAttributes) => void) => Promise<T>,
): Promise<T> {
  const span = tracer?.start(name, { kind: 'client', parent: parentSpanOf(place), attributes });
  try {
    const result = await withContext(span ? { span } : {}, () => work(extra => span?.set(extra)));
    span?.end();
    return result;
  } catch (error) {
    span?.end(error instanceof PortError ? error.code : 'failed');
    throw error;
  }
}

/** Only the host is reported, because a path or query may contain a secret. */
function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
