import type { ServerResponse } from 'node:http';

export function jsonText(value: unknown): string {
  return JSON.stringify(value ?? null);
}

export function sendJson(res: ServerResponse, status: number, value: unknown): void {
  sendJsonText(res, status, jsonText(value));
}

export function sendJsonText(res: ServerResponse, status: number, text: string): void {
  const length = String(Buffer.byteLength(text));
  res.writeHead(status, ['content-type', 'application/json; charset=utf-8', 'content-length', length]);
  // Node drops the text of an answer to HEAD and keeps the headers.
  res.end(text);
}
