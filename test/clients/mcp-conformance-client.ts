import type { McpServer } from '../../src/engine/ports.js';
import { createOutbound } from '../../src/platform/outbound/outbound.js';
import { createMcpCaller } from '../../src/providers/mcp.js';

/**
 * Client for `@modelcontextprotocol/conformance`, which passes the URL of its server as last argument. It lists the tools
 * and calls each one, with the number 1 or the text "x" for each argument. It exits with 1 if the server cannot be used.
 */
interface Context {
  client_id?: string;
  client_secret?: string;
  private_key_pem?: string;
  signing_algorithm?: string;
}

const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as Context;
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const auth = {
  clientId: context.client_id ?? 'conformance',
  ...(context.private_key_pem
    ? { privateKey: context.private_key_pem, algorithm: context.signing_algorithm ?? 'ES256' }
    : { clientSecret: context.client_secret ?? 'conformance-secret' }),
};
const server: McpServer = {
  endpointUrl: process.argv.at(-1) ?? '',
  transport: 'streamable_http',
  headers: {},
  timeoutMs: 20_000,
  elicitation: 'accept_defaults',
  ...(scenario.startsWith('auth/') ? { auth } : {}),
};
const mcp = createMcpCaller(createOutbound({ allow: ['127.0.0.1', '::1', 'localhost'] }));
const call = { signal: new AbortController().signal };

try {
  for (const { name, inputSchema } of await mcp.listTools(server, call)) {
    const { properties = {} } = inputSchema as { properties?: Record<string, { type?: string }> };
    const args = Object.fromEntries(
      Object.entries(properties).map(([key, { type }]) => [key, type === 'number' ? 1 : 'x']),
    );
    await mcp.callTool(server, { name }, args, call);
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
