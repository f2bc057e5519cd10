import type { ServerResponse } from 'node:http';

/** JSON text of a value; undefined becomes null. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value ?? null);
}

/** Sends a value as JSON. */
export function sendJson(res: ServerResponse, status: number, value: unknown): void {
  sendJsonText(res, status, jsonText(value));
}

/** Sends a JSON text with its length. */
export function sendJsonText(res: ServerResponse, status: number, text: string): void {
  const length = String(Buffer.byteLength(text));
  res.writeHead(status, ['content-type', 'application/json; charset=utf-8', 'content-length', length]);
  // For HEAD, Node omits the body and keeps the headers.
  res.end(text);
}
