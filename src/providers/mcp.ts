import { type McpCaller, type McpServer, type McpTool, PortError } from '../engine/ports.js';
import type { Outbound } from '../platform/outbound/outbound.js';
import { excerpt, isClientError, isRpcError } from './mcp/failure.js';
import { schemaHash } from './mcp/schema-hash.js';
import type { Session } from './mcp/session.js';
import { TokenCache } from './mcp/token-cache.js';

/** Calls MCP servers with the official client, which the first call loads. */
export function createMcpCaller(outbound: Outbound): McpCaller {
  const tokens = new TokenCache();
  const withSession = async <T>(server: McpServer, signal: AbortSignal, work: (session: Session) => Promise<T>) => {
    const { Session: McpSession } = await import('./mcp/session.js');
    return new McpSession(outbound, server, tokens).run(work, signal);
  };
  return {
    schemaHash,
    listTools: (server, { signal }) =>
      withSession(server, signal, async session => {
        const tools: McpTool[] = [];
        for await (const tool of session.tools()) tools.push(tool);
        return tools;
      }),
    callTool: (server, { name, schemaHash: pinnedHash }, args, { signal }) =>
      withSession(server, signal, async session => {
        const tool = await findTool(session, name);
        const hash = schemaHash(tool);
        if (pinnedHash !== undefined && pinnedHash !== hash) throw toolChanged(name);
        const { content, structuredContent, isError } = await session.call(tool, args).catch((error: unknown) => {
          // The session cancels a question (elicitation) without an answer. The server may then fail the call.
          if (session.question) return { content: [], structuredContent: undefined, isError: false };
          throw isRpcError(error) ? toolError(error, session) : error;
        });
        const { question } = session;
        if (question) return { content: [], isError: false, schemaHash: hash, question };
        return { content: content ?? [], structuredContent, isError: isError ?? false, schemaHash: hash };
      }),
  };
}

async function findTool(session: Session, name: string): Promise<McpTool> {
  for await (const tool of session.tools()) if (tool.name === name) return tool;
  throw new PortError('mcp_unknown_tool', `the MCP server has no tool ${JSON.stringify(name)}`);
}

function toolChanged(name: string): PortError {
  return new PortError(
    'mcp_tool_changed',
    `the tool ${JSON.stringify(name)} has changed since the workflow was saved; save the workflow again to accept the change`,
  );
}

function toolError(error: Error & { code: number }, { secrets }: Session): Error {
  if (isClientError(error)) return error;
  return new PortError('mcp_tool_error', `the MCP server rejected the call: ${excerpt(error.message, secrets)}`);
}
