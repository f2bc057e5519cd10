import type { ServerResponse } from 'node:http';

/** Interval of the heartbeats of responses that stay open. */
const HEARTBEAT_MS = 12_000;

/**
 * Writes heartbeats until the returned function is called. A client that leaves data unread is disconnected with the
 * second heartbeat that cannot be written: one to two intervals after it stopped reading.
 */
export function startHeartbeat(response: ServerResponse, text: string, intervalMs = HEARTBEAT_MS): () => void {
  let isStalled = false;
  const onDrain = () => {
    isStalled = false;
  };
  response.on('drain', onDrain);
  const timer = setInterval(() => {
    if (!response.writableNeedDrain) response.write(text);
    else if (isStalled) response.destroy();
    else isStalled = true;
  }, intervalMs);
  return () => {
    clearInterval(timer);
    response.off('drain', onDrain);
  };
}

/** Resolves when a response can take more data, or has closed. */
export async function whenWritable(response: ServerResponse): Promise<void> {
  if (!response.writableNeedDrain || response.destroyed) return;
  await new Promise<void>(resolve => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
