import { setImmediate } from 'node:timers/promises';
import { isObject } from '../../../engine/json-value.js';
import { jsonOf } from '../../../platform/json/parse-json.js';
import { countTokens } from '../count-tokens.js';
import { type ChatRequest, reportedUsage, type TokenCounts, textOf } from './chat-format.js';
import { EventReader } from './sse.js';

/** Characters of an answer that are kept to be counted; what goes beyond is estimated. */
const MAX_KEPT = 1024 * 1024;
/** Characters that are counted at a stretch: between two of them others have their turn. */
const SLICE = 4096;
/** What the format adds to each message, and to the whole. */
const FRAME_TOKENS = 3;

export interface MeteredUsage extends TokenCounts {
  /** Whether the provider left it to us to count. */
  isCounted: boolean;
}

/** Learns what a chat completion used, by looking at what passes. */
export class ChatMeter {
  #reader: EventReader | undefined;
  readonly #kept: string[] = [];
  #keptLength = 0;
  #beyondLength = 0;
  #reported: TokenCounts | undefined;

  constructor(
    private readonly request: ChatRequest,
    /** What the provider has reported apart from the bytes. */
    private readonly aside: () => TokenCounts | undefined = () => undefined,
  ) {}

  /** Takes in bytes of an event stream. */
  see(bytes: Buffer): void {
    this.#reader ??= new EventReader();
    for (const event of this.#reader.push(bytes)) this.#event(event);
  }

  /** Takes in the bytes of a whole answer. */
  seeAnswer(bytes: Buffer): void {
    this.#reported = reportedUsage(endOf(bytes));
    if (this.#reported) return;
    const answer = jsonOf(bytes.toString('utf8'));
    this.#reported = reportedUsage(answer);
    if (!this.#reported) this.#keepChoices(answer, 'message');
  }

  /** As reported; counted where nothing was, or the stream broke off before. */
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
 * The members of an answer from `usage` on, which comes after all that the model said. Undefined where they are not an
 * object's by themselves: then it is no member of the answer itself.
 */
function endOf(bytes: Buffer): unknown {
  const at = bytes.lastIndexOf('"usage"');
  return at < 0 ? undefined : jsonOf(`{${bytes.toString('utf8', at)}`);
}

/** All of a request that is text to a model; pictures are none. */
function promptText({ value: { messages, tools } }: ChatRequest): string {
  const said = messages.filter(isObject).map(({ content, tool_calls: calls }) => {
    return textOf(content) + (calls === undefined ? '' : JSON.stringify(calls));
  });
  return said.join('\n') + (Array.isArray(tools) ? JSON.stringify(tools) : '');
}

/** Files inside a request are no text. */
const EMBEDDED = /;base64,[\w+/=-]+/g;

/** What a call is expected to use before it is made: cheap, and rather too much. */
export function expectedUse({ text, value }: ChatRequest, answerTokens: number): TokenCounts {
  const choices = typeof value.n === 'number' && value.n > 1 ? value.n : 1;
  return { promptTokens: countTokens(text.replaceAll(EMBEDDED, '')), completionTokens: answerTokens * choices };
}

let tokenizer: Promise<typeof import('../../text/count-tokens.js')> | undefined;

/** As the tokenizer counts; long texts a slice at a time, so that nobody waits for them. */
async function measuredTokens(text: string): Promise<number> {
  if (text === '') return 0;
  // 20 MB: a process whose providers report what they use goes without.
  tokenizer ??= import('../../text/count-tokens.js');
  const { tokensOf } = await tokenizer;
  let sum = 0;
  for (let at = 0; at < text.length; at += SLICE) {
    if (at > 0) await setImmediate();
    sum += tokensOf(text.slice(at, at + SLICE));
  }
  return sum;
}
