import { foldedWords } from './words.js';

/** Beginnings of this many letters tell forms of one word from other words. */
const STEM = 4;
/** Keywords that are looked through for those on the topic, for each that is wanted. */
const LOOKED_THROUGH = 3;

/** `count` keywords, those that share a word with the topic first, each part in the order of `find`. */
export function onTopic(topic: string, count: number, find: (count: number) => string[]): string[] {
  const wanted = foldedWords(topic).filter(word => word.length >= STEM || /[^\p{ASCII}]/u.test(word));
  if (wanted.length === 0) return find(count);
  const isOn = (keyword: string) => foldedWords(keyword).some(word => wanted.some(other => areForms(word, other)));
  const found = find(count * LOOKED_THROUGH).map(keyword => ({ keyword, isOff: isOn(keyword) ? 0 : 1 }));
  return found
    .toSorted((a, b) => a.isOff - b.isOff)
    .slice(0, count)
    .map(({ keyword }) => keyword);
}

function areForms(word: string, other: string): boolean {
  const [shorter, longer] = word.length < other.length ? [word, other] : [other, word];
  return word === other || (shorter.length >= STEM && longer.startsWith(shorter));
}
