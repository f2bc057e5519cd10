import type { ServerResponse } from 'node:http';
import { startHeartbeat, whenWritable } from '../platform/streams/response-flow.js';

/**
 * Sends formatted Server-Sent Events until they end or the client disconnects. If reading them fails, the connection is
 * closed without the end of the response, so that the client does not take the events for complete.
 */
export async function sendEventStream(response: ServerResponse, events: AsyncIterable<string>): Promise<void> {
  // Without the last header, nginx buffers the response instead of forwarding each event.
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-cache, no-transform',
    'X-Accel-Buffering': 'no',
  });
  response.flushHeaders();
  const stopHeartbeat = startHeartbeat(response, ':\n\n');
  try {
    for await (const event of events) {
      if (response.destroyed) break;
      response.write(event);
      await whenWritable(response);
    }
    response.end();
  } catch (error) {
    response.destroy();
    throw error;
  } finally {
    stopHeartbeat();
  }
}
