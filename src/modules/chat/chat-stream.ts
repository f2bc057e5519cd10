import { Readable } from 'node:stream';
import type { ChatMeter } from '../../providers/llm/chat/chat-meter.js';
import { eventText } from '../../providers/llm/chat/sse.js';
import type { ModelEndpoint } from '../../providers/llm/endpoints/model-endpoint.js';
import { chatFailure } from './chat-answer.js';
import { asBuffer, type RelayedAnswer } from './chat-relay.js';
import type { TimeLimit } from './time-limit.js';

/** How a stream ended: completely, broken off by the provider, or left by the client. */
export type StreamEnd = 'complete' | 'broken' | 'left';

interface StreamParts {
  relayedAnswer: RelayedAnswer;
  meter: ChatMeter;
  limit: TimeLimit;
  /** The called API, which decides the format of errors. Default: chat completions. */
  endpoint?: ModelEndpoint | undefined;
  /** Called exactly once. */
  onEnd: (end: StreamEnd) => void;
}

/** Relays the stream of a provider to the client, unchanged and with backpressure. */
export function chatStream({ relayedAnswer, meter, limit, endpoint, onEnd }: StreamParts): Readable {
  let end: StreamEnd = 'left';
  const relayStream = async function* (): AsyncGenerator<Buffer> {
    const { first, rest } = relayedAnswer;
    let last = first;
    try {
      for (let chunk = first; chunk; chunk = await nextOf(rest)) {
        last = chunk;
        meter.readEvents(chunk);
        yield chunk;
        limit.touch();
      }
      end = 'complete';
    } catch (error) {
      if (limit.hasClientGone) return;
      end = 'broken';
      // An error event can only follow a complete event.
      if (!endsEvent(last)) throw error;
      const { error: chatError } = chatFailure('upstream_broke_off', 'The model provider broke off its answer.');
      yield Buffer.from(endpoint ? endpoint.errorEvent(chatError) : eventText({ error: chatError }));
    }
  };
  const stream = Readable.from(relayStream(), { objectMode: false });
  // Not in the generator, which never starts if the client disconnects before it reads.
  stream.once('close', () => {
    if (!Buffer.isBuffer(relayedAnswer.reply.body)) relayedAnswer.reply.body.destroy();
    limit.release();
    onEnd(end);
  });
  return stream;
}

async function nextOf(rest: AsyncIterator<Buffer>): Promise<Buffer | undefined> {
  const { value, done } = await rest.next();
  return done ? undefined : asBuffer(value);
}

function endsEvent(chunk: Buffer | undefined): boolean {
  const end = chunk?.subarray(-4).toString('latin1') ?? '';
  return end.endsWith('\n\n') || end.endsWith('\r\n\r\n');
}
