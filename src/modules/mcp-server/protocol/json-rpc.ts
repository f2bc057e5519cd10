import { isObject, type JsonObject } from '../../../engine/json-value.js';
import type { DomainError } from '../../../platform/errors/errors.js';

export type RpcId = string | number;

/** A message of a client (JSON-RPC 2.0). */
export type RpcMessage =
  | { kind: 'request'; id: RpcId; method: string; params: JsonObject }
  | { kind: 'notification'; method: string; params: JsonObject }
  /** The answer to a request of the server. `result` null: the client answered with an error. */
  | { kind: 'response'; id: RpcId; result: JsonObject | null };

/** Error codes of JSON-RPC 2.0 and MCP. */
export const RPC_CODES = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** An error of the service; `data.code` has its code. */
  service: -32000,
  sessionNotFound: -32001,
  resourceNotFound: -32002,
} as const;

/** An error that a client sees. The message names the culprit and the remedy. */
export class RpcError extends Error {
  constructor(
    readonly code: (typeof RPC_CODES)[keyof typeof RPC_CODES],
    message: string,
    readonly data?: JsonObject,
  ) {
    super(message);
    this.name = 'RpcError';
  }
}

/** Request ids and progress tokens are part of event ids, which are sent as a header. */
const MAX_ID_CHARACTERS = 200;
const MAX_METHOD_CHARACTERS = 100;

/** @throws RpcError for anything but one message */
export function parseMessage(body: unknown): RpcMessage {
  if (Array.isArray(body)) throw invalid('Send one message per request: batches are not supported.');
  if (!isObject(body) || body.jsonrpc !== '2.0') throw invalid('The body must be a JSON object with "jsonrpc": "2.0".');
  const { method, params = {} } = body;
  const id = readId(body);
  if (id !== undefined && isResponse(body))
    return { kind: 'response', id, result: isObject(body.result) ? body.result : null };
  if (typeof method !== 'string' || method.length > MAX_METHOD_CHARACTERS)
    throw invalid(`"method" must be a text of at most ${MAX_METHOD_CHARACTERS} characters.`);
  if (!isObject(params)) throw invalid('"params" must be an object.');
  return id === undefined ? { kind: 'notification', method, params } : { kind: 'request', id, method, params };
}

function isResponse(body: JsonObject): boolean {
  return body.method === undefined && ('result' in body || 'error' in body);
}

function readId({ id }: JsonObject): RpcId | undefined {
  if (id === undefined || isRpcId(id)) return id;
  throw invalid(`"id" must be an integer or a text of at most ${MAX_ID_CHARACTERS} characters.`);
}

/** Ids are integers, or texts of at most 200 characters. */
export function isRpcId(value: unknown): value is RpcId {
  return Number.isSafeInteger(value) || (typeof value === 'string' && value.length <= MAX_ID_CHARACTERS);
}

export function toResult(id: RpcId, result: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id, result };
}

/** `id` null: the request could not be read. */
export function toErrorMessage(id: RpcId | null, { code, message, data }: RpcError): JsonObject {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data ? { data } : {}) } };
}

export function toNotification(method: string, params: JsonObject): JsonObject {
  return { jsonrpc: '2.0', method, params };
}

/** Converts an error of a service. */
export function toRpcError({ message, extensions }: DomainError): RpcError {
  const { code, fields, retryAfter } = extensions;
  const isInput = code === 'BAD_USER_INPUT';
  const details = Object.entries(fields ?? {}).map(([field, messages]) => `${field}: ${messages.join(' ')}`);
  return new RpcError(
    isInput ? RPC_CODES.invalidParams : RPC_CODES.service,
    details.length === 0 ? message : details.join('; '),
    { code, ...(retryAfter === undefined ? {} : { retryAfter }) },
  );
}

export function invalidParams(message: string): RpcError {
  return new RpcError(RPC_CODES.invalidParams, message);
}

function invalid(message: string): RpcError {
  return new RpcError(RPC_CODES.invalidRequest, message);
}
