import { PortError } from '../../engine/ports.js';
import { MASK } from '../../engine/secrets.js';
import { OutboundError } from '../../platform/outbound/errors.js';
import { storableText } from '../storable-text.js';

/** Maximum characters of a server's error message; longer ones are truncated. */
const MAX_EXCERPT = 300;
/** JSON-RPC error codes that the MCP client raises itself. */
const REQUEST_TIMEOUT = -32001;
const CONNECTION_CLOSED = -32000;

export const timedOut = (timeoutMs: number) =>
  new PortError('mcp_timeout', `the MCP server did not answer within ${timeoutMs / 1000} seconds`);

export const protocolError = (detail = 'its response is not valid MCP') =>
  new PortError('mcp_protocol', `the MCP server cannot be understood: ${detail}`);

/** Converts any error to a PortError whose message contains neither the address nor headers of the request. */
export function mcpFailure(error: unknown, outbound: OutboundError | undefined, secrets: readonly string[]): PortError {
  if (error instanceof PortError) return error;
  const status = httpStatus(error);
  if (status !== undefined) {
    return new PortError('mcp_unreachable', `the MCP server answered with the HTTP status ${status}`);
  }
  if (isRpcError(error)) return rpcFailure(error, secrets);
  const cause = error instanceof OutboundError ? error : outbound;
  return cause ? outboundFailure(cause) : protocolError();
}

function outboundFailure({ code, message, cause }: OutboundError): PortError {
  if (cause instanceof PortError) return cause;
  switch (code) {
    case 'address_refused':
      return new PortError(code, message);
    case 'timeout':
      return new PortError('mcp_timeout', 'the MCP server did not answer in time');
    case 'response_too_large':
    case 'bad_response':
    case 'too_many_redirects':
      return protocolError(message);
    default:
      return new PortError('mcp_unreachable', `the MCP server cannot be reached: ${message}`);
  }
}

function rpcFailure({ code, message }: RpcError, secrets: readonly string[]): PortError {
  if (code === REQUEST_TIMEOUT) return new PortError('mcp_timeout', 'the MCP server did not answer in time');
  if (code === CONNECTION_CLOSED) return protocolError('it closed the connection');
  const text = excerpt(message.replace(/^MCP error -?\d+: /, ''), secrets);
  return new PortError(
    'mcp_protocol',
    `the MCP server rejected the request (${code}${text === '' ? '' : `: ${text}`})`,
  );
}

/** Returns a text as one line of at most MAX_EXCERPT characters, without the secrets. */
export function excerpt(text: string, secrets: readonly string[]): string {
  const masked = secrets.reduce((masking, secret) => masking.replaceAll(secret, MASK), text);
  const line = storableText(masked).replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_EXCERPT ? `${line.slice(0, MAX_EXCERPT).toWellFormed()}…` : line;
}

interface RpcError extends Error {
  code: number;
}

/** Whether it is an McpError. Compares the name, because an import of the class would load the client. */
export function isRpcError(error: unknown): error is RpcError {
  return error instanceof Error && error.name === 'McpError' && typeof (error as Partial<RpcError>).code === 'number';
}

/** Whether the MCP client raised the error itself, because the server did not respond. */
export function isClientError({ code }: { code: number }): boolean {
  return code === REQUEST_TIMEOUT || code === CONNECTION_CLOSED;
}

/** The HTTP status that made a transport fail. Its errors carry the status as `code`. */
export function httpStatus(error: unknown): number | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === 'number' && code >= 300 && code <= 599 ? code : undefined;
}
