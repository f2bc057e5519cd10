import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** Words this long are counted in parts: the tokenizer's time grows with the square of a word's length. */
const LONG_WORD = 1000;
const PART = /[\s\S]{1,1000}/g;
/** A text may say `<|endoftext|>`: there it is a text like any other. */
const plain = { disallowedSpecial: new Set<string>() };

/** Tokens of a text as models of the GPT-4o generation count them (o200k_base). */
export function tokensOf(text: string): number {
  if (!hasLongWord(text)) return countTokens(text, plain);
  return (text.match(PART) ?? []).reduce((sum, part) => sum + countTokens(part, plain), 0);
}

function hasLongWord(text: string): boolean {
  for (const [word] of text.matchAll(/\S+/g)) if (word.length >= LONG_WORD) return true;
  return false;
}
