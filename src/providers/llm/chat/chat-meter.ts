import { setImmediate } from 'node:timers/promises';
import { isObject } from '../../../engine/json-value.js';
import { tryParseJson } from '../../../platform/json/try-parse-json.js';
import type { UsageReader } from '../endpoints/model-endpoint.js';
import { estimateTokens } from '../estimate-tokens.js';
import type { ProxyRequest } from '../provider.js';
import { type ChatRequest, reportedUsage, type TokenCounts, textOf } from './chat-format.js';
import { EventReader } from './sse.js';

/** Characters of a response that are kept for counting. The tokens of further characters are estimated. */
const MAX_CHARACTERS = 1024 * 1024;
/** Characters that are counted at a time, so that counting does not block the event loop. */
const SLICE = 4096;
/** For the estimate of further characters. */
const CHARACTERS_PER_TOKEN = 4;
/** Tokens that the chat format adds to each message and to the request. */
const FRAME_TOKENS = 3;

export interface MeteredUsage extends TokenCounts {
  /** Whether the tokens were counted here, because the provider did not report them. */
  isCounted: boolean;
}

/** Measures the token usage of a call from the bytes of its response. */
export class ChatMeter {
  #reader: EventReader | undefined;
  readonly #texts: string[] = [];
  #textLength = 0;
  #excessLength = 0;
  #reported: TokenCounts | undefined;
  /** Set for APIs other than chat completions. */
  readonly #usageReader: UsageReader | undefined;

  constructor(
    private readonly request: ProxyRequest,
    /** Returns the usage that the provider has reported outside of the relayed bytes. */
    private readonly outOfBandUsage: () => TokenCounts | undefined = () => undefined,
  ) {
    this.#usageReader = request.endpoint?.createUsageReader();
  }

  /** Reads bytes of an event stream. */
  readEvents(bytes: Buffer): void {
    this.#reader ??= new EventReader();
    for (const event of this.#reader.push(bytes)) this.#readEvent(event);
  }

  /** Reads the bytes of a complete response. */
  readResponse(bytes: Buffer): void {
    if (this.#usageReader) {
      this.#read(this.#usageReader, parseUsageTail(bytes));
      if (!this.#reported) this.#read(this.#usageReader, tryParseJson(bytes.toString('utf8')));
      return;
    }
    this.#reported = reportedUsage(parseUsageTail(bytes));
    if (this.#reported) return;
    const answer = tryParseJson(bytes.toString('utf8'));
    this.#reported = reportedUsage(answer);
    if (!this.#reported) this.#addChoices(answer, 'message');
  }

  /** The reported usage; counted if none was reported or the stream broke off before it. */
  counts(): MeteredUsage | Promise<MeteredUsage> {
    const reported = this.#reported ?? this.outOfBandUsage();
    return reported ? { ...reported, isCounted: false } : this.#countTokens();
  }

  async #countTokens(): Promise<MeteredUsage> {
    const { request } = this;
    const promptTokens = await countWithTokenizer(
      request.endpoint ? request.endpoint.promptText(request.value) : promptText(request),
    );
    const completionTokens = await countWithTokenizer(this.#texts.join(''));
    const frames = request.endpoint ? 0 : FRAME_TOKENS * (request.value.messages.length + 1);
    return {
      promptTokens: promptTokens + frames,
      completionTokens: completionTokens + Math.ceil(this.#excessLength / CHARACTERS_PER_TOKEN),
      isCounted: true,
    };
  }

  #readEvent(data: string): void {
    const event = data === '[DONE]' ? undefined : tryParseJson(data);
    if (event === undefined) return;
    if (this.#usageReader) return this.#read(this.#usageReader, event);
    this.#reported = reportedUsage(event) ?? this.#reported;
    this.#addChoices(event, 'delta');
  }

  #read(reader: UsageReader, body: unknown): void {
    for (const text of reader.read(body)) this.#addText(text);
    this.#reported = reader.usage();
  }

  #addChoices(answer: unknown, member: 'delta' | 'message'): void {
    const choices = isObject(answer) && Array.isArray(answer.choices) ? answer.choices : [];
    for (const choice of choices) {
      const message = isObject(choice) ? choice[member] : undefined;
      if (!isObject(message)) continue;
      this.#addText(textOf(message.content));
      this.#addText(textOf(message.reasoning_content));
      for (const call of Array.isArray(message.tool_calls) ? message.tool_calls : []) {
        const { name, arguments: args } = isObject(call) && isObject(call.function) ? call.function : {};
        this.#addText(textOf(name));
        this.#addText(textOf(args));
      }
    }
  }

  #addText(text: string): void {
    if (text === '') return;
    if (this.#textLength + text.length > MAX_CHARACTERS) {
      this.#excessLength += text.length;
      return;
    }
    this.#textLength += text.length;
    this.#texts.push(text);
  }
}

/**
 * Parses the end of a response from the last `"usage"` on, which providers send after the content. Undefined if the rest is not a valid
 * object, so that the text was not a member of the response.
 */
function parseUsageTail(bytes: Buffer): unknown {
  const at = bytes.lastIndexOf('"usage"');
  return at < 0 ? undefined : tryParseJson(`{${bytes.toString('utf8', at)}`);
}

/** The text of a request: contents, tool calls and tools, without images. */
function promptText({ value: { messages, tools } }: ChatRequest): string {
  const texts = messages.filter(isObject).map(({ content, tool_calls: calls }) => {
    return textOf(content) + (calls === undefined ? '' : JSON.stringify(calls));
  });
  return texts.join('\n') + (Array.isArray(tools) ? JSON.stringify(tools) : '');
}

/** Embedded files, which do not count as text. */
const EMBEDDED = /;base64,[\w+/=-]+/g;

/** Estimates the token usage of a call in advance. The estimate is fast and tends to be too high. */
export function expectedUse({ text, value }: ProxyRequest, answerTokens: number): TokenCounts {
  const choices = typeof value.n === 'number' && value.n > 1 ? value.n : 1;
  return { promptTokens: estimateTokens(text.replaceAll(EMBEDDED, '')), completionTokens: answerTokens * choices };
}

let tokenizer: Promise<typeof import('../../text/count-tokens.js')> | undefined;

/** Counts tokens with the tokenizer. Long texts are counted in slices, so that the event loop is not blocked. */
async function countWithTokenizer(text: string): Promise<number> {
  if (text === '') return 0;
  // Loaded on first use, because it takes 20 MB and most providers report their usage.
  tokenizer ??= import('../../text/count-tokens.js');
  const { tokensOf } = await tokenizer;
  let sum = 0;
  for (let at = 0; at < text.length; at += SLICE) {
    if (at > 0) await setImmediate();
    sum += tokensOf(text.slice(at, at + SLICE));
  }
  return sum;
}
