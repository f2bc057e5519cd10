import type { IncomingMessage } from 'node:http';
import { RPC_CODES, RpcError } from '../../modules/mcp-server/protocol/json-rpc.js';
import { PROTOCOL_VERSIONS } from '../../modules/mcp-server/protocol/mcp-sessions.js';

/** A rejection of an HTTP request before its message is read. */
export interface Rejection {
  status: number;
  error: RpcError;
}

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;
const MAX_HEADER_CHARACTERS = 100;

/**
 * Checks `Origin`, against pages that reach this service under another name (DNS rebinding). Permitted are the origins of CORS_ORIGINS, and
 * this service on a loopback address.
 */
export function originRejection({ headers }: IncomingMessage, corsOrigins: readonly string[]): Rejection | undefined {
  const { origin, host = '' } = headers;
  if (origin === undefined || corsOrigins.includes('*') || corsOrigins.includes(origin)) return undefined;
  if (LOOPBACK.test(host) && URL.parse(origin)?.host === host) return undefined;
  return rejection(403, 'Pages of this origin may not call the service: add it to CORS_ORIGINS.');
}

/** Checks the headers that MCP requires of a POST request. */
export function postRejection(request: IncomingMessage): Rejection | undefined {
  const { accept = '', 'content-type': type = '' } = request.headers;
  if (!accepts(accept, 'application/json') || !accepts(accept, 'text/event-stream'))
    return rejection(406, 'The header Accept must contain both application/json and text/event-stream.');
  if (type.split(';', 1)[0]!.trim().toLowerCase() !== 'application/json')
    return rejection(415, 'The header Content-Type must be application/json.');
  return versionRejection(request);
}

export function versionRejection({ headers }: IncomingMessage): Rejection | undefined {
  const version = headers['mcp-protocol-version'];
  if (version === undefined || PROTOCOL_VERSIONS.some(known => known === version)) return undefined;
  const sent = String(version).slice(0, MAX_HEADER_CHARACTERS);
  const available = PROTOCOL_VERSIONS.join(', ');
  return rejection(400, `MCP-Protocol-Version "${sent}" is not supported. Available: ${available}.`);
}

export function parseBody(body: unknown): unknown {
  try {
    return JSON.parse(Buffer.isBuffer(body) ? body.toString('utf8') : '');
  } catch {
    throw new RpcError(RPC_CODES.parse, 'The body is not valid JSON.');
  }
}

export function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

function accepts(accept: string, type: string): boolean {
  const ranges = accept.split(',').map(range => range.split(';', 1)[0]!.trim().toLowerCase());
  return ranges.some(range => range === type || range === '*/*' || range === `${type.split('/')[0]}/*`);
}

function rejection(status: number, message: string): Rejection {
  return { status, error: new RpcError(RPC_CODES.invalidRequest, message) };
}
