import { RE2JS, RE2JSException } from 're2js';
import { ConditionError } from './condition-error.js';

const MAX_PATTERN = 1000;
const MAX_INSTRUCTIONS = 20_000;
/** Limit of instructions × characters of one match. This amount takes about 200 ms. */
const MAX_COST = 20_000_000;

/** Returns true if the text contains a match of a pattern in RE2 syntax. Throws a ConditionError. */
export function matchesPattern(text: string, pattern: string, ignoresCase: boolean): boolean {
  return patternMatcher(pattern, ignoresCase)(text);
}

/** Returns a test of many texts, whose cost together is limited like that of one. Throws a ConditionError, also when called. */
export function patternMatcher(pattern: string, ignoresCase: boolean): (text: string) => boolean {
  const compiled = compilePattern(pattern, ignoresCase);
  const size = compiled.programSize();
  let left = MAX_COST;
  return text => {
    left -= size * (text.length + 1);
    if (left < 0) throw new ConditionError('left: the text is too long for the pattern');
    return compiled.test(text);
  };
}

/** Returns the fault of a pattern; undefined: it is valid. */
export function patternFault(pattern: string): string | undefined {
  try {
    compilePattern(pattern, false);
    return undefined;
  } catch (error) {
    if (error instanceof ConditionError) return error.message.replace('right: ', '');
    throw error;
  }
}

function compilePattern(pattern: string, ignoresCase: boolean): RE2JS {
  if (pattern.length > MAX_PATTERN) throw new ConditionError(`right: must have at most ${MAX_PATTERN} characters`);
  try {
    const compiled = RE2JS.compile(pattern, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0);
    if (compiled.programSize() <= MAX_INSTRUCTIONS) return compiled;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new ConditionError(`right: must be a pattern in the syntax of RE2: ${error.message}`);
  }
  throw new ConditionError('right: must be smaller: its repetitions make it too large');
}
