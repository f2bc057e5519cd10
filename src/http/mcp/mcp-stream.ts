import type { ServerResponse } from 'node:http';
import { whenWritable } from '../../graphql/subscriptions/result-stream.js';
import type { McpEvent } from '../../modules/mcp-server/protocol/tool-calls.js';

/** Interval of heartbeats. A client that reads nothing for one interval, while data waits for it, is disconnected. */
const HEARTBEAT_MS = 12_000;
/** Milliseconds after which a client resumes an interrupted stream. */
const RETRY_MS = 1_000;

/** Sends events as Server-Sent Events until they end or the client disconnects. */
export async function sendEvents(response: ServerResponse, events: AsyncIterable<McpEvent>): Promise<void> {
  // Without the last header, nginx collects the response before it forwards it.
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-cache, no-transform',
    'X-Accel-Buffering': 'no',
  });
  response.flushHeaders();
  const stopHeartbeat = startHeartbeat(response);
  try {
    for await (const event of events) {
      if (response.destroyed) break;
      response.write(formatEvent(event));
      await whenWritable(response);
    }
  } finally {
    stopHeartbeat();
    if (!response.writableEnded) response.end();
  }
}

function formatEvent({ id, message }: McpEvent): string {
  if (message === null) return `id: ${id}\nretry: ${RETRY_MS}\ndata:\n\n`;
  return `event: message\nid: ${id}\ndata: ${JSON.stringify(message)}\n\n`;
}

function startHeartbeat(response: ServerResponse): () => void {
  let isStalled = false;
  const onDrain = () => {
    isStalled = false;
  };
  response.on('drain', onDrain);
  const timer = setInterval(() => {
    if (!response.writableNeedDrain) response.write(':\n\n');
    else if (isStalled) response.destroy();
    else isStalled = true;
  }, HEARTBEAT_MS);
  return () => {
    clearInterval(timer);
    response.off('drain', onDrain);
  };
}
