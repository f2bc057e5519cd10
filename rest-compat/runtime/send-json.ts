import type { ServerResponse } from 'node:http';

export function jsonText(value: unknown): string {
  return JSON.stringify(value ?? null);
}

export function sendJson(res: ServerResponse, status: number, value: unknown): void {
  sendJsonText(res, status, jsonText(value));
}

export function sendJsonText(res: ServerResponse, status: number, text: string): void {
  const bytes = Buffer.from(text);
  res.statusCode = status;
  res.setHeader('content-type', 'application/json; charset=utf-8');
  res.setHeader('content-length', bytes.length);
  // Node drops the bytes of an answer to HEAD and keeps the headers.
  res.end(bytes);
}
