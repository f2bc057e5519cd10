import { randomUUID } from 'node:crypto';
import { nowSeconds, type TokenCounts, usageOf } from './chat-format.js';

/** Creates the chunks of one streamed completion. */
export class ChunkMaker {
  #id: string;
  readonly #created = nowSeconds();

  constructor(private model: string) {
    this.#id = `chatcmpl-${randomUUID()}`;
  }

  /** Sets the id and the model that the provider reports. Missing values keep the current ones. */
  identify(id: unknown, model: unknown): void {
    if (typeof id === 'string' && id !== '') this.#id = id;
    if (typeof model === 'string' && model !== '') this.model = model;
  }

  delta(index: number, delta: object, finishReason: string | null = null): object {
    return this.#chunk([{ index, delta, finish_reason: finishReason }]);
  }

  usage(used: TokenCounts): object {
    return { ...this.#chunk([]), usage: usageOf(used) };
  }

  #chunk(choices: object[]): object {
    return { id: this.#id, object: 'chat.completion.chunk', created: this.#created, model: this.model, choices };
  }
}
