import { ConnectionError } from './errors.js';

export interface ServerSentEvent {
  /** Type of the event; `message` by default. */
  readonly event: string;
  readonly data: string;
}

/**
 * The events of a response in the format `text/event-stream` (HTML standard, section 9.2). Comments are skipped. An event with a type but
 * without data is returned too, because `complete` of graphql-sse may have none.
 */
export async function* eventsOf(response: Response, signal?: AbortSignal): AsyncGenerator<ServerSentEvent> {
  if (!response.body) return;
  let event = 'message';
  let data: string[] = [];
  for await (const line of linesOf(response.body, signal)) {
    if (line === '') {
      if (data.length > 0 || event !== 'message') yield { event, data: data.join('\n') };
      event = 'message';
      data = [];
      continue;
    }
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
  }
}

async function* linesOf(body: ReadableStream<Uint8Array>, signal?: AbortSignal): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await read(reader, signal);
      // An event that the stream does not complete is discarded (HTML standard, section 9.2.6).
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r?\n/);
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } finally {
    // Ends the request if the caller stops early.
    await reader.cancel().catch(() => undefined);
  }
}

async function read(reader: ReadableStreamDefaultReader<Uint8Array>, signal?: AbortSignal) {
  try {
    return await reader.read();
  } catch (error) {
    signal?.throwIfAborted();
    throw new ConnectionError('The connection ended before the last event.', { cause: error });
  }
}
