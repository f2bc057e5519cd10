import { RE2JS, RE2JSException } from 're2js';
import { ScenarioError } from './failure.js';

/** Maximum length of a pattern in characters. */
const MAX_PATTERN = 1000;
/** Maximum number of instructions of all compiled patterns of a run. `x{1000}` has several thousand. */
const MAX_INSTRUCTIONS = 50_000;
/** Matching cost budget of a round, as instructions × characters. This amount takes about 200 ms. */
export const MAX_MATCH_COST = 20_000_000;

/** Matching cost that is left for one round. */
export interface MatchBudget {
  remaining: number;
}

/** The regular expressions of one run, in RE2 syntax: without backtracking, matching time is linear in the text. */
export class Patterns {
  readonly #compiled = new Map<string, RE2JS>();
  #instructions = 0;

  /**
   * Compiles a pattern and returns its matcher. Throws a ScenarioError that names `owner` if the pattern is invalid or
   * too large.
   */
  compile(
    pattern: string,
    owner: string,
    { ignoresCase = false } = {},
  ): (text: string, budget: MatchBudget) => boolean {
    const flags = ignoresCase ? RE2JS.CASE_INSENSITIVE : 0;
    const compiled = this.#compiled.get(`${flags} ${pattern}`) ?? this.#add(pattern, flags, owner);
    const size = compiled.programSize();
    return (text, budget) => {
      budget.remaining -= size * (text.length + 1);
      if (budget.remaining < 0)
        throw new ScenarioError('regex_too_costly', 'the text is too long for the regex to match');
      return compiled.test(text);
    };
  }

  #add(pattern: string, flags: number, owner: string): RE2JS {
    if (pattern.length > MAX_PATTERN) throw invalid(owner, `must have at most ${MAX_PATTERN} characters`);
    const compiled = compileRe2(pattern, flags, owner);
    this.#instructions += compiled.programSize();
    if (this.#instructions > MAX_INSTRUCTIONS)
      throw invalid(owner, 'must be smaller: its repetitions make it too large');
    this.#compiled.set(`${flags} ${pattern}`, compiled);
    return compiled;
  }
}

function compileRe2(pattern: string, flags: number, owner: string): RE2JS {
  try {
    return RE2JS.compile(pattern, flags);
  } catch (error) {
    if (error instanceof RE2JSException)
      throw invalid(owner, `must be a pattern in the syntax of RE2: ${error.message}`);
    throw error;
  }
}

function invalid(owner: string, reason: string): ScenarioError {
  return new ScenarioError('invalid_regex', `the regex of ${owner} ${reason}`);
}
