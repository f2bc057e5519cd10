import { setImmediate } from 'node:timers/promises';
import { isObject } from '../../../engine/json-value.js';
import { jsonOf } from '../../../platform/json/parse-json.js';
import { countTokens } from '../count-tokens.js';
import { type ChatRequest, reportedUsage, type TokenCounts, textOf } from './chat-format.js';
import { EventReader } from './sse.js';

/** Characters of a response that are kept for counting. The tokens of further characters are estimated. */
const MAX_KEPT = 1024 * 1024;
/** Characters that are counted at a time, so that counting does not block the event loop. */
const SLICE = 4096;
/** Tokens that the chat format adds to each message and to the request. */
const FRAME_TOKENS = 3;

export interface MeteredUsage extends TokenCounts {
  /** Whether the tokens were counted here, because the provider did not report them. */
  isCounted: boolean;
}

/** Measures the token usage of a chat completion from the bytes of its response. */
export class ChatMeter {
  #reader: EventReader | undefined;
  readonly #kept: string[] = [];
  #keptLength = 0;
  #beyondLength = 0;
  #reported: TokenCounts | undefined;

  constructor(
    private readonly request: ChatRequest,
    /** Returns the usage that the provider has reported outside of the relayed bytes. */
    private readonly aside: () => TokenCounts | undefined = () => undefined,
  ) {}

  /** Reads bytes of an event stream. */
  see(bytes: Buffer): void {
    this.#reader ??= new EventReader();
    for (const event of this.#reader.push(bytes)) this.#event(event);
  }

  /** Reads the bytes of a complete response. */
  seeAnswer(bytes: Buffer): void {
    this.#reported = reportedUsage(endOf(bytes));
    if (this.#reported) return;
    const answer = jsonOf(bytes.toString('utf8'));
    this.#reported = reportedUsage(answer);
    if (!this.#reported) this.#keepChoices(answer, 'message');
  }

  /** The reported usage; counted if none was reported or the stream broke off before it. */
  counts(): MeteredUsage | Promise<MeteredUsage> {
    const reported = this.#reported ?? this.aside();
    return reported ? { ...reported, isCounted: false } : this.#counted();
  }

  async #counted(): Promise<MeteredUsage> {
    const promptTokens = await measuredTokens(promptText(this.request));
    const completionTokens = await measuredTokens(this.#kept.join(''));
    const frames = FRAME_TOKENS * (this.request.value.messages.length + 1);
    return {
      promptTokens: promptTokens + frames,
      completionTokens: completionTokens + Math.ceil(this.#beyondLength / 4),
      isCounted: true,
    };
  }

  #event(data: string): void {
    const event = data === '[DONE]' ? undefined : jsonOf(data);
    if (event === undefined) return;
    this.#reported = reportedUsage(event) ?? this.#reported;
    this.#keepChoices(event, 'delta');
  }

  #keepChoices(answer: unknown, member: 'delta' | 'message'): void {
    const choices = isObject(answer) && Array.isArray(answer.choices) ? answer.choices : [];
    for (const choice of choices) {
      const said = isObject(choice) ? choice[member] : undefined;
      if (!isObject(said)) continue;
      this.#keep(textOf(said.content));
      this.#keep(textOf(said.reasoning_content));
      for (const call of Array.isArray(said.tool_calls) ? said.tool_calls : []) {
        const { name, arguments: given } = isObject(call) && isObject(call.function) ? call.function : {};
        this.#keep(textOf(name));
        this.#keep(textOf(given));
      }
    }
  }

  #keep(text: string): void {
    if (text === '') return;
    if (this.#keptLength + text.length > MAX_KEPT) {
      this.#beyondLength += text.length;
      return;
    }
    this.#keptLength += text.length;
    this.#kept.push(text);
  }
}

/**
 * Parses the end of a response from the last `"usage"` on, which providers send after the content. Undefined if the rest is not a valid
 * object, so that the text was not a member of the response.
 */
function endOf(bytes: Buffer): unknown {
  const at = bytes.lastIndexOf('"usage"');
  return at < 0 ? undefined : jsonOf(`{${bytes.toString('utf8', at)}`);
}

/** The text of a request: contents, tool calls and tools, without images. */
function promptText({ value: { messages, tools } }: ChatRequest): string {
  const said = messages.filter(isObject).map(({ content, tool_calls: calls }) => {
    return textOf(content) + (calls === undefined ? '' : JSON.stringify(calls));
  });
  return said.join('\n') + (Array.isArray(tools) ? JSON.stringify(tools) : '');
}

/** Embedded files, which do not count as text. */
const EMBEDDED = /;base64,[\w+/=-]+/g;

/** Estimates the token usage of a call in advance. The estimate is fast and rather too high. */
export function expectedUse({ text, value }: ChatRequest, answerTokens: number): TokenCounts {
  const choices = typeof value.n === 'number' && value.n > 1 ? value.n : 1;
  return { promptTokens: countTokens(text.replaceAll(EMBEDDED, '')), completionTokens: answerTokens * choices };
}

let tokenizer: Promise<typeof import('../../text/count-tokens.js')> | undefined;

/** Counts tokens with the tokenizer. Long texts are counted in slices, so that the event loop is not blocked. */
async function measuredTokens(text: string): Promise<number> {
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
