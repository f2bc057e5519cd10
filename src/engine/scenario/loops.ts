import { danglingReference, ScenarioError } from './failure.js';
import type { Message } from './scenario.js';
import type { LoopItem, Variables } from './variables.js';

/** Maximum number of rounds of a loop. A larger number fails the run before its first request. */
const MAX_ROUNDS = 1000;

/**
 * Returns the rounds of a message, each with its item if the message loops over a variable. A loop without items has no
 * rounds. Throws a ScenarioError for an invalid loop.
 */
export function roundsOf(message: Message, variables: Variables): (LoopItem | undefined)[] {
  const { key, isLoop, loopCount, loopVariable } = message;
  if (!isLoop) return [undefined];
  if (typeof loopVariable === 'number') {
    const variable = variables.get(loopVariable);
    if (!variable)
      throw danglingReference(`variable ${loopVariable}`, `does not exist, but message ${key} loops over it`);
    const values = variables.activeValues(variable);
    checkCount(key, values.length);
    return values.map(value => ({ variable, value }));
  }
  if (typeof loopCount !== 'number')
    throw new ScenarioError('invalid_loop', `the loop of message ${key} must have a loop_count or a loop_variable`);
  checkCount(key, loopCount);
  return new Array(loopCount).fill(undefined);
}

function checkCount(key: string, count: number): void {
  if (Number.isInteger(count) && count >= 0 && count <= MAX_ROUNDS) return;
  throw new ScenarioError('invalid_loop', `the loop of message ${key} must have 0-${MAX_ROUNDS} rounds, not ${count}`);
}
