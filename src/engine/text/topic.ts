import { foldedWords } from './words.js';

/** Two words with a common prefix of at least this many letters count as forms of one word. */
const STEM = 4;
/** Number of keywords to examine for each requested keyword. */
const CANDIDATES_PER_KEYWORD = 3;

/**
 * Returns `count` keywords. Those that share a word with the topic come first; both groups keep the order of `find`.
 */
export function preferOnTopic(topic: string, count: number, find: (count: number) => string[]): string[] {
  const topicWords = foldedWords(topic).filter(word => word.length >= STEM || /[^\p{ASCII}]/u.test(word));
  if (topicWords.length === 0) return find(count);
  const isOnTopic = (keyword: string) =>
    foldedWords(keyword).some(word => topicWords.some(other => areForms(word, other)));
  const onTopic: string[] = [];
  const others: string[] = [];
  for (const keyword of find(count * CANDIDATES_PER_KEYWORD)) (isOnTopic(keyword) ? onTopic : others).push(keyword);
  return [...onTopic, ...others].slice(0, count);
}

function areForms(word: string, other: string): boolean {
  const [shorter, longer] = word.length < other.length ? [word, other] : [other, word];
  return word === other || (shorter.length >= STEM && longer.startsWith(shorter));
}
