import { UnreadableError } from './unreadable.js';

const MAX_CHARACTERS = 20_000_000;

/** Limits the text of a document while it is read, so that reading stops at the limit. */
export class TextLimit {
  #characters = 0;

  constructor(private readonly max = MAX_CHARACTERS) {}

  /** Counts the characters of a part. Returns the part unchanged. Throws an UnreadableError above the limit. */
  addText(text: string): string {
    this.count(text.length);
    return text;
  }

  /** Counts a part by its length. Throws an UnreadableError above the limit. */
  count(characters: number): void {
    this.#characters += characters;
    if (this.#characters > this.max)
      throw new UnreadableError(
        `The document has more than ${this.max.toLocaleString('en')} characters of text. Divide it into several documents.`,
      );
  }
}
