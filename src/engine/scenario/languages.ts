import { listOf } from '../conditions/condition.js';
import { quote } from './failure.js';
import type { Condition, Matching, Message, Scenario } from './scenario.js';

/** Maximum number of characters of a text that the detection examines. */
export const MAX_EXAMINED = 500;
/** Share of the matching cost of a round that one detection takes: at most 2 ms. */
export const DETECTION_COST = 200_000;

/** Returns the code of the language that a text is written in: one of `LANGUAGES`, or the empty text if it is not recognised. */
export type DetectLanguage = (text: string) => string;

/** Recognises languages. */
export interface LanguagePort {
  /** Loads the data of the detection. The returned function examines at most the first `MAX_EXAMINED` characters of a text. */
  loadDetector(): Promise<DetectLanguage>;
}

/** Codes of the languages that are recognised, in ISO 639-1. */
export const LANGUAGES: readonly string[] =
  `am ar az be bg bn ca cs da de el en es et eu fa fi fr gu he hi hr hu hy is it ja ka kn ko ku lo lt lv ml mr ms nl no or
  pa pl pt ro ru sk sl sq sr sv ta te th tl tr uk ur vi yo zh`.split(/\s+/);

/** Returns the detector for the conditions of a scenario. It is loaded only if an enabled condition needs it. */
export async function detectorFor({ messages }: Scenario, languages: LanguagePort): Promise<DetectLanguage> {
  return messages.some(needsDetector) ? languages.loadDetector() : () => '';
}

function needsDetector({ conditions, prompts }: Message): boolean {
  return [conditions, ...prompts.map(prompt => prompt.conditions)]
    .flat()
    .some(condition => condition.isEnabled && comparesLanguage(condition));
}

/** Whether a condition compares the language of its subject, and not only whether there is one. */
export function comparesLanguage({ type, matching }: Condition): boolean {
  return type === 'language' && matching !== 'exists' && matching !== 'not_exists';
}

/** Returns the fault of a value that no language is compared with; undefined: it is valid. */
export function languageFault(matching: Matching, value: string): string | undefined {
  const unknown = codesIn(matching, value).find(code => !LANGUAGES.includes(code.toLowerCase()));
  if (unknown === undefined) return undefined;
  return `must consist of codes of languages, not ${JSON.stringify(quote(unknown))}. Available: ${LANGUAGES.join(', ')}`;
}

/** Returns the items of a value that are compared with the whole code. */
function codesIn(matching: Matching, value: string): string[] {
  if (matching === 'equal' || matching === 'not_equal') return [value.trim()];
  return matching === 'in' || matching === 'not_in' ? listOf(value).map(String) : [];
}
