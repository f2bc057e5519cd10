import type { RequestBody, TokenCounts } from '../../chat/chat-format.js';
import { namedEventText } from '../../chat/sse.js';
import { type CallPart, completionParts } from '../completion-parts.js';
import type { EndpointStream } from '../model-endpoint.js';
import { anthropicUsage, newMessageId, stopReasonOf } from './answer.js';

/** Translates chat completion chunks to the events of the Messages API. */
export class MessageStream implements EndpointStream {
  #hasStarted = false;
  /** Number of content blocks so far. */
  #blocks = 0;
  /** The open block: `text`, or the position of a tool call. */
  #open: 'text' | number | undefined;
  #finish: string | undefined;
  #usage: TokenCounts | undefined;

  constructor(private readonly request: RequestBody) {}

  take(chunk: unknown): string {
    const { text, calls, finish, model, usage } = completionParts(chunk, 'delta');
    this.#usage = usage ?? this.#usage;
    this.#finish = finish ?? this.#finish;
    let events = this.#start(model);
    if (text !== '') events += this.#addText(text);
    for (const call of calls) events += this.#addCall(call);
    return events;
  }

  end(): string {
    const events = this.#start(undefined) + this.#close();
    const delta = { stop_reason: stopReasonOf(this.#finish), stop_sequence: null };
    // Without usage the event must not report zero tokens.
    const usage = this.#usage ? anthropicUsage(this.#usage) : { output_tokens: null };
    return events + namedEventText('message_delta', { delta, usage }) + namedEventText('message_stop');
  }

  #start(model: string | undefined): string {
    if (this.#hasStarted) return '';
    this.#hasStarted = true;
    const message = {
      id: newMessageId(),
      type: 'message',
      role: 'assistant',
      model: model ?? this.request.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: anthropicUsage(undefined),
    };
    return namedEventText('message_start', { message });
  }

  #addText(text: string): string {
    const events = this.#openBlock('text', { type: 'text', text: '' });
    return events + this.#delta({ type: 'text_delta', text });
  }

  #addCall({ index, id, name, arguments: json }: CallPart): string {
    const block = { type: 'tool_use', id: id ?? `toolu_${index}`, name: name ?? '', input: {} };
    const events = this.#openBlock(index, block);
    return json === '' ? events : events + this.#delta({ type: 'input_json_delta', partial_json: json });
  }

  #openBlock(kind: 'text' | number, block: object): string {
    if (this.#open === kind) return '';
    const events = this.#close();
    this.#open = kind;
    return events + namedEventText('content_block_start', { index: this.#blocks++, content_block: block });
  }

  #delta(delta: object): string {
    return namedEventText('content_block_delta', { index: this.#blocks - 1, delta });
  }

  #close(): string {
    if (this.#open === undefined) return '';
    this.#open = undefined;
    return namedEventText('content_block_stop', { index: this.#blocks - 1 });
  }
}
