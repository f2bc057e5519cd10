import { RE2JS, RE2JSException } from 're2js';
import { ConditionError, RIGHT_OPERAND } from './condition-error.js';

/** Maximum number of characters of a pattern, and of instructions of its compiled program. */
const MAX_PATTERN = 1000;
const MAX_INSTRUCTIONS = 20_000;
/** Maximum total of instructions × characters for all tests of one matcher. This amount takes about 200 ms. */
const MAX_COST = 20_000_000;

/** Returns true if the text contains a match of a pattern in RE2 syntax. Throws a ConditionError. */
export function matchesPattern(text: string, pattern: string, ignoresCase: boolean): boolean {
  return patternMatcher(pattern, ignoresCase)(text);
}

/**
 * Returns a function that tests texts against the pattern. All its calls share one cost limit (`MAX_COST`). Both this
 * function and the returned one throw a ConditionError.
 */
export function patternMatcher(pattern: string, ignoresCase: boolean): (text: string) => boolean {
  const compiled = compilePattern(pattern, ignoresCase);
  const size = compiled.programSize();
  let remainingCost = MAX_COST;
  return text => {
    remainingCost -= size * (text.length + 1);
    if (remainingCost < 0) throw new ConditionError('left: the text is too long for the pattern');
    return compiled.test(text);
  };
}

/** Returns the fault of a pattern; undefined: it is valid. */
export function patternFault(pattern: string): string | undefined {
  try {
    compilePattern(pattern, false);
    return undefined;
  } catch (error) {
    if (error instanceof ConditionError) return error.messageOfValue;
    throw error;
  }
}

function compilePattern(pattern: string, ignoresCase: boolean): RE2JS {
  if (pattern.length > MAX_PATTERN)
    throw new ConditionError(`${RIGHT_OPERAND}must have at most ${MAX_PATTERN} characters`);
  try {
    const compiled = RE2JS.compile(pattern, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0);
    if (compiled.programSize() <= MAX_INSTRUCTIONS) return compiled;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new ConditionError(`${RIGHT_OPERAND}must be a pattern in the syntax of RE2: ${error.message}`);
  }
  throw new ConditionError(`${RIGHT_OPERAND}must be smaller: its repetitions make it too large`);
}
