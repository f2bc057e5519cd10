import { progressOf, resultOf } from '../../../src/engine/scenario/events/progress.js';
import { RecordedRun } from '../../../src/engine/scenario/events/recorded-run.js';
import type { ScenarioEvent } from '../../../src/engine/scenario/events/run-event.js';
import { runScenario } from '../../../src/engine/scenario/run.js';
import type { ScenarioRunOptions } from '../../../src/engine/scenario/run-options.js';
import type {
  Condition,
  InsertedVariable,
  Message,
  Prompt,
  Scenario,
  Variable,
} from '../../../src/engine/scenario/scenario.js';
import { fakePorts } from '../fake-ports.js';

/** A message of one user prompt; its key is `m<id>`, and it runs in the order of ids. */
export function message(id: number, content: string, more: Partial<Message> = {}): Message {
  return {
    id,
    key: `m${id}`,
    sortId: id,
    returnType: 'text',
    parameters: { model_name: 'echo' },
    isLoop: false,
    isAsync: false,
    prompts: [prompt(id * 100, content)],
    conditions: [],
    ...more,
  };
}

export function prompt(id: number, content: string, more: Partial<Prompt> = {}): Prompt {
  return { id, key: `p${id}`, sortId: id, role: 'user', content, conditions: [], ...more };
}

export function condition(matching: Condition['matching'], value: string, more: Partial<Condition> = {}): Condition {
  return { isEnabled: true, type: 'variable', matching, value, action: 'skip', ...more };
}

/** Its values have the ids `<id>1`, `<id>2`, … */
export function variable(id: number, values: readonly string[], inactive: readonly string[] = []): Variable {
  return {
    id,
    key: `v${id}`,
    values: [...values, ...inactive].map((value, index) => ({
      id: Number(`${id}${index + 1}`),
      name: `n${index + 1}`,
      value,
      isActive: index < values.length,
    })),
  };
}

export function scenario(
  messages: readonly Message[],
  variables: readonly Variable[] = [],
  insertedVariables: readonly InsertedVariable[] = [],
): Scenario {
  return { messages, variables, insertedVariables };
}

export type SampleRunOptions = Partial<Omit<ScenarioRunOptions, 'recorded' | 'scenario'>> & {
  recorded?: readonly ScenarioEvent[];
};

export function start(sample: Scenario, { recorded, ...options }: SampleRunOptions = {}) {
  return runScenario({
    scenario: sample,
    runId: 7,
    ports: fakePorts(),
    signal: new AbortController().signal,
    ...(recorded ? { recorded: new RecordedRun(recorded) } : {}),
    ...options,
  });
}

export async function run(sample: Scenario, options: SampleRunOptions = {}): Promise<ScenarioEvent[]> {
  const events: ScenarioEvent[] = [];
  for await (const event of start(sample, options)) events.push(event);
  return events;
}

/** The result of a scenario run. */
export async function result(sample: Scenario, options: SampleRunOptions = {}) {
  return resultOf(progressOf(sample, await run(sample, options)));
}

/** Events in short: `+1` message 1 was sent, `1=result`, `1!code`, `-1` skipped, `1.2=` in a loop's third round, `run=result`. */
export function short(events: readonly ScenarioEvent[]): string[] {
  return events.map(inShort);
}

function inShort(event: ScenarioEvent): string {
  if (event.type === 'run.finished') return `run${event.isStopped ? '.' : ''}=${event.finalResult}`;
  if (event.type === 'run.failed') return `run!${event.error.code}`;
  const name = event.rounds === 1 ? `${event.message}` : `${event.message}.${event.round}`;
  switch (event.type) {
    case 'message.started':
      return `+${name}${event.attempt === 1 ? '' : ' again'}`;
    case 'message.succeeded':
      return `${name}=${event.result}`;
    case 'message.failed':
      return `${name}!${event.error.code}`;
    case 'message.skipped':
      return `-${name}`;
  }
}

export const V = (variable: number, name: number) => `<variable>-1,${variable},${name}</variable>`;
export const nth = (n: number, variable: number) => `<variable>${n},${variable},0</variable>`;
export const M = (message: number, n = 0) => `<message>${n},${message}</message>`;
