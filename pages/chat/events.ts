/** A Server-Sent Event whose data is JSON. */
export interface ServerEvent {
  event: string;
  data: unknown;
}

/** Reads the events of a response. Comments are skipped; the service writes the data of each event in one line. */
export async function* eventsOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<ServerEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const lines = new Map(block.split('\n').map(line => [line.slice(0, line.indexOf(':')), line]));
        const [event, data] = [lines.get('event'), lines.get('data')];
        if (event && data)
          yield { event: event.slice('event: '.length), data: JSON.parse(data.slice('data: '.length)) };
      }
    }
  } finally {
    // A loop that ends early would leave the connection open.
    void reader.cancel().catch(() => undefined);
  }
}
