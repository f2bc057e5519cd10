import type { ServerResponse } from 'node:http';
import type { McpEvent } from '../../modules/mcp-server/protocol/tool-calls.js';
import { sendEventStream } from '../event-stream.js';

/** Milliseconds after which a client resumes an interrupted stream. */
const RETRY_MS = 1_000;

/** Sends events as Server-Sent Events until they end or the client disconnects. */
export function sendEvents(response: ServerResponse, events: AsyncIterable<McpEvent>): Promise<void> {
  return sendEventStream(response, formatEvents(events));
}

async function* formatEvents(events: AsyncIterable<McpEvent>): AsyncGenerator<string> {
  for await (const event of events) yield formatEvent(event);
}

function formatEvent({ id, message }: McpEvent): string {
  if (message === null) return `id: ${id}\nretry: ${RETRY_MS}\ndata:\n\n`;
  const idLine = id === null ? '' : `id: ${id}\n`;
  return `event: message\n${idLine}data: ${JSON.stringify(message)}\n\n`;
}
