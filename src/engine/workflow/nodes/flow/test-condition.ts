import { ConditionError } from '../../../conditions/condition-error.js';
import { PortError } from '../../../ports.js';

/** Evaluates a condition. A failure of it fails the node with `invalid_condition`. */
export function testCondition<T>(test: () => T): T {
  try {
    return test();
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    throw new PortError('invalid_condition', error.message, { isFinal: true });
  }
}
