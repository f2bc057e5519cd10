import type { ServerResponse } from 'node:http';
import { whenWritable } from '../graphql/subscriptions/result-stream.js';

/** Interval of heartbeats. A client that reads nothing for one interval, while data waits for it, is disconnected. */
const HEARTBEAT_MS = 12_000;

/** Sends formatted Server-Sent Events until they end or the client disconnects. */
export async function sendEventStream(response: ServerResponse, events: AsyncIterable<string>): Promise<void> {
  // Without the last header, nginx buffers the response instead of forwarding each event.
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
      response.write(event);
      await whenWritable(response);
    }
  } finally {
    stopHeartbeat();
    if (!response.writableEnded) response.end();
  }
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
