import { nowSeconds, type RequestBody, type TokenCounts } from '../../chat/chat-format.js';
import { namedEventText } from '../../chat/sse.js';
import { type CallPart, completionParts } from '../completion-parts.js';
import type { EndpointStream } from '../model-endpoint.js';
import { callItem, messageItem, newId, response, statusOf, textPart } from './answer.js';

/** An output item that is being written. */
type OpenItem = { id: string; position: number } & ({ text: string } | { call: CallPart });

/** Translates chat completion chunks to the events of the Responses API. */
export class ResponseStream implements EndpointStream {
  readonly #id = newId('resp');
  readonly #createdAt = nowSeconds();
  #sequence = 0;
  #hasStarted = false;
  #output: object[] = [];
  #open: OpenItem | undefined;
  #finish: string | undefined;
  #model: string | undefined;
  #usage: TokenCounts | undefined;

  constructor(private readonly request: RequestBody) {}

  take(chunk: unknown): string {
    const { text, calls, finish, model, usage } = completionParts(chunk, 'delta');
    this.#model = model ?? this.#model;
    this.#usage = usage ?? this.#usage;
    this.#finish = finish ?? this.#finish;
    let events = this.#start();
    if (text !== '') events += this.#addText(text);
    for (const call of calls) events += this.#addCall(call);
    return events;
  }

  end(): string {
    let events = this.#start();
    // A response without content has an empty message.
    if (!this.#open && this.#output.length === 0) events += this.#addText('');
    events += this.#close();
    const end = statusOf(this.#finish);
    return events + this.#event(`response.${end.status}`, { response: this.#response(end) });
  }

  #start(): string {
    if (this.#hasStarted) return '';
    this.#hasStarted = true;
    const started = { response: this.#response({ status: 'in_progress', incompleteReason: null }) };
    return this.#event('response.created', started) + this.#event('response.in_progress', started);
  }

  #addText(delta: string): string {
    let events = '';
    if (!this.#open || !('text' in this.#open)) {
      events += this.#close();
      const { id, position } = this.#openItem({ text: '' });
      const item = { id, type: 'message', status: 'in_progress', role: 'assistant', content: [] };
      events += this.#event('response.output_item.added', { output_index: position, item });
      const place = { item_id: id, output_index: position, content_index: 0 };
      events += this.#event('response.content_part.added', { ...place, part: textPart('') });
    }
    const open = this.#open as OpenItem & { text: string };
    open.text += delta;
    const place = { item_id: open.id, output_index: open.position, content_index: 0 };
    return delta === ''
      ? events
      : events + this.#event('response.output_text.delta', { ...place, delta, logprobs: [] });
  }

  #addCall(part: CallPart): string {
    let events = '';
    const current = this.#open;
    if (!current || !('call' in current) || current.call.index !== part.index) {
      events += this.#close();
      const { id, position } = this.#openItem({ call: { ...part, arguments: '' } });
      const item = { ...callItem(id, { ...part, arguments: '' }), status: 'in_progress' };
      events += this.#event('response.output_item.added', { output_index: position, item });
    }
    const { call, id, position } = this.#open as OpenItem & { call: CallPart };
    call.arguments += part.arguments;
    if (part.arguments === '') return events;
    const place = { item_id: id, output_index: position };
    return events + this.#event('response.function_call_arguments.delta', { ...place, delta: part.arguments });
  }

  #openItem(content: { text: string } | { call: CallPart }): OpenItem {
    const item = { id: newId('text' in content ? 'msg' : 'fc'), position: this.#output.length, ...content };
    this.#open = item;
    return item;
  }

  /** Completes the open item. */
  #close(): string {
    const open = this.#open;
    if (!open) return '';
    this.#open = undefined;
    const place = { item_id: open.id, output_index: open.position };
    let events: string;
    let item: object;
    if ('text' in open) {
      const { text } = open;
      item = messageItem(open.id, text);
      events =
        this.#event('response.output_text.done', { ...place, content_index: 0, text, logprobs: [] }) +
        this.#event('response.content_part.done', { ...place, content_index: 0, part: textPart(text) });
    } else {
      const { name = '', arguments: text } = open.call;
      item = callItem(open.id, open.call);
      events = this.#event('response.function_call_arguments.done', { ...place, name, arguments: text });
    }
    this.#output.push(item);
    return events + this.#event('response.output_item.done', { output_index: open.position, item });
  }

  #response(end: { status: 'completed' | 'in_progress' | 'incomplete'; incompleteReason: string | null }): object {
    const usage = end.status === 'in_progress' ? undefined : this.#usage;
    const parts = { id: this.#id, createdAt: this.#createdAt, output: this.#output, model: this.#model, usage };
    return response(this.request, { ...parts, ...end });
  }

  #event(type: string, members: object): string {
    return namedEventText(type, { ...members, sequence_number: this.#sequence++ });
  }
}
