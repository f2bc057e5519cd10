import { type Condition, holds as holdsCondition } from '../../../conditions/condition.js';
import { parseJsonText, textOf } from '../../../json-value.js';
import { PortError } from '../../../ports.js';
import type { IterationEnd } from '../../graph/node-kind.js';
import type { ExecuteIteration } from './iterations.js';
import { DEFAULT_MAX_ITERATIONS, type LoopSettings, loopCondition } from './loop-settings.js';
import { testCondition } from './test-condition.js';

type RepeatSettings = LoopSettings & { repeat: 'while' | 'until' };

/** Returns true for a loop with a condition instead of items. */
export function isRepeated(settings: LoopSettings): settings is RepeatSettings {
  return settings.repeat === 'while' || settings.repeat === 'until';
}

/** Names of the arguments that the condition reads. */
const ARGS: ReadonlySet<string> = new Set(['index', 'output', 'json']);

/**
 * Executes iterations in sequence. A failed one ends the loop by an exception if `on_item_error` is `stop`. Otherwise the loop
 * continues, and `output` is still that of the last iteration that succeeded.
 */
export async function repeat(settings: RepeatSettings, executeIteration: ExecuteIteration): Promise<IterationEnd[]> {
  const max = settings.max_rounds ?? DEFAULT_MAX_ITERATIONS;
  const neverAborted = new AbortController().signal;
  const ends: IterationEnd[] = [];
  let output: unknown = '';
  // `until` ends when the condition holds, `while` when it does not.
  const isDone = () => holds(settings, ends.length, output) === (settings.repeat === 'until');
  if (settings.repeat === 'while' && isDone()) return ends;
  do {
    if (ends.length === max) {
      const message = `the condition did not end the loop within max_rounds (${max})`;
      throw new PortError('too_many_rounds', message, { isFinal: true });
    }
    const end = await executeIteration(ends.length, { index: ends.length, output }, neverAborted);
    ends.push(end);
    if ('output' in end) output = end.output ?? '';
  } while (!isDone());
  return ends;
}

function holds({ condition }: LoopSettings, index: number, output: unknown): boolean {
  const text = textOf(output);
  const values = { index, output: text, json: parseJsonText(text) };
  const checked = loopCondition.safeParse(condition?.render({ values, declared: ARGS }));
  if (!checked.success)
    throw new PortError('invalid_settings', 'condition must be a comparison or a group', { isFinal: true });
  return testCondition(() => holdsCondition(checked.data as Condition));
}
