import { assertComplete } from '../../../model-answer.js';
import { type CallContext, type ModelRequest, PortError, type ToolCall, type Usage } from '../../../ports.js';
import { addCosts } from '../../../usage.js';
import type { Execution, StepOutcome } from '../../graph/node-kind.js';

/** Codes of failures that the provider caused, after which a fallback model is called. */
const PROVIDER_FAILURES: ReadonlySet<string> = new Set([
  'upstream_error',
  'upstream_timeout',
  'upstream_unreachable',
  'rate_limited_upstream',
  'bad_upstream_answer',
  'provider_busy',
  'provider_not_configured',
  'model_not_found',
]);

/** The answer of a recorded model call. */
export interface StepAnswer extends StepCost {
  text: string;
  toolCalls: readonly ToolCall[];
}

/** Cost of a recorded call in US dollars as an exact decimal text. Absent: unknown or not recorded. */
interface StepCost {
  costUsd?: string;
}

/** The recorded outcome of a model call that a fallback model follows. */
interface StepFailure extends StepCost {
  failure: string;
}

interface Caller extends Pick<Execution<unknown>, 'ports' | 'steps'> {
  /** True if the cost of each call is recorded with its answer, for a node with a budget. */
  recordsCost?: boolean;
}

/**
 * Calls a model as the recorded step `name`. After a failure of its provider the fallback models are called in order,
 * each as a step of its own. `costUsd` of the answer is the cost of all these calls. Throws the PortError of the last model.
 */
export async function callModel(
  name: string,
  request: ModelRequest,
  fallbackModels: readonly string[],
  caller: Caller,
): Promise<StepAnswer> {
  let costUsd = '0';
  const requests = [request, ...fallbackModels.map(model => withModel(request, model))];
  for (const [index, each] of requests.entries()) {
    const step = { name: index === 0 ? name : `${name} fallback ${index}` };
    const isLast = index === requests.length - 1;
    const recorded = await caller.steps.call(step, call =>
      isLast ? complete(caller, each, call) : attemptCall(caller, each, call),
    );
    const outcome: StepAnswer | StepFailure = JSON.parse(recorded);
    costUsd = addCosts(costUsd, outcome.costUsd);
    if (!('failure' in outcome)) return { ...outcome, costUsd };
  }
  throw new Error('the last model neither answered nor failed');
}

function withModel({ provider: _, settings, ...request }: ModelRequest, model: string): ModelRequest {
  return { ...request, settings: { ...settings, model_name: model } };
}

async function complete(caller: Caller, request: ModelRequest, call: CallContext): Promise<StepOutcome> {
  const answer = await caller.ports.llm.complete(request, call);
  assertComplete(answer, request.settings);
  const { text, toolCalls = [], usage } = answer;
  const recorded: StepAnswer = { text, toolCalls, ...costOf(caller, usage) };
  return { content: JSON.stringify(recorded), usage };
}

/** Records a failure of the provider as the outcome of the step, so that a resumed run does not repeat the call. */
async function attemptCall(caller: Caller, request: ModelRequest, call: CallContext): Promise<StepOutcome> {
  try {
    return await complete(caller, request, call);
  } catch (error) {
    if (call.signal.aborted || !(error instanceof PortError) || !PROVIDER_FAILURES.has(error.code)) throw error;
    const failure: StepFailure = { failure: error.code, ...costOf(caller, error.usage) };
    return { content: JSON.stringify(failure), ...(error.usage && { usage: error.usage }) };
  }
}

function costOf({ recordsCost }: Caller, usage: Usage | undefined): StepCost {
  return recordsCost && usage?.costUsd ? { costUsd: usage.costUsd } : {};
}
