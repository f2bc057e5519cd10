import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/**
 * A text with a word of this length is counted in parts, because the tokenizer's time grows with the square of the word length. The sum
 * may be slightly too high.
 */
const LONG_WORD = 1000;
const PART = /[\s\S]{1,1000}/g;
/** Counts special tokens such as `<|endoftext|>` as ordinary text. */
const plain = { disallowedSpecial: new Set<string>() };

/** Counts the tokens of a text with the vocabulary of GPT-4o (o200k_base). */
export function tokensOf(text: string): number {
  if (!hasLongWord(text)) return countTokens(text, plain);
  return (text.match(PART) ?? []).reduce((sum, part) => sum + countTokens(part, plain), 0);
}

function hasLongWord(text: string): boolean {
  for (const [word] of text.matchAll(/\S+/g)) if (word.length >= LONG_WORD) return true;
  return false;
}
