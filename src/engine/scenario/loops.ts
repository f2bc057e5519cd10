import { danglingReference, ScenarioError } from './failure.js';
import type { Message } from './scenario.js';
import type { LoopItem, Variables } from './variables.js';

/** More fail the run before anything is asked. */
const MAX_ROUNDS = 1000;

/** The rounds of a message, each with its item where it is a loop over a variable; none for a loop over nothing. */
export function roundsOf(message: Message, variables: Variables): (LoopItem | undefined)[] {
  const { key, isLoop, loopCount, loopVariable } = message;
  if (!isLoop) return [undefined];
  if (typeof loopVariable === 'number') {
    const variable = variables.get(loopVariable);
    if (!variable)
      throw danglingReference(`variable ${loopVariable}`, `is what message ${key} loops over, and there is none`);
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
