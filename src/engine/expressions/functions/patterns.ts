import { type Matcher, RE2JS, RE2JSException } from 're2js';
import { type Evaluation, failure } from '../evaluation.js';

/** Maximum number of characters of a pattern. */
const MAX_PATTERN = 500;
/** Maximum number of instructions of a compiled pattern. */
const MAX_INSTRUCTIONS = 2000;
/** Matching work that costs one step of the evaluation, in instructions × characters. */
const WORK_PER_STEP = 5;
/** Steps that compiling a pattern costs. */
const COMPILE_STEPS = 1000;
/** Maximum number of compiled patterns that all runs of the process share. */
const MAX_CACHED = 200;
const cache = new Map<string, RE2JS>();

/**
 * Returns a matcher of a regular expression in RE2 syntax: without backtracking, matching time is linear in the text.
 * Throws a TemplateError for an invalid or large pattern, and if the evaluation has too few steps left.
 */
export function createMatcher(evaluation: Evaluation, text: string, pattern: string): Matcher {
  let compiled = cache.get(pattern);
  if (!compiled) {
    if (pattern.length > MAX_PATTERN) throw failure(`a pattern must have at most ${MAX_PATTERN} characters`);
    evaluation.charge(COMPILE_STEPS);
    compiled = compile(pattern);
    const [oldest] = cache.keys();
    if (oldest !== undefined && cache.size >= MAX_CACHED) cache.delete(oldest);
    cache.set(pattern, compiled);
  }
  evaluation.charge(1 + Math.ceil((compiled.programSize() * (text.length + 1)) / WORK_PER_STEP));
  return compiled.matcher(text);
}

function compile(pattern: string): RE2JS {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern);
  } catch (error) {
    if (error instanceof RE2JSException) throw failure(`a pattern must be in the syntax of RE2: ${error.message}`);
    throw error;
  }
  if (compiled.programSize() > MAX_INSTRUCTIONS) throw failure('the repetitions of a pattern make it too large');
  return compiled;
}
