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
export function callModel(
  name: string,
  request: ModelRequest,
  fallbackModels: readonly string[],
  caller: Caller,
): Promise<StepAnswer> {
  return callInTurn<Omit<StepAnswer, 'costUsd'>>(
    name,
    [request, ...fallbackModels.map(model => withModel(request, model))],
    async (each, call) => {
      const answer = await caller.ports.llm.complete(each, call);
      assertComplete(answer, each.settings);
      const { text, toolCalls = [], usage } = answer;
      return { answer: { text, toolCalls }, usage };
    },
    caller,
  );
}

/** Performs a request and returns the parts of the answer that the node uses, as JSON. */
type ModelCall<Answer> = (request: ModelRequest, call: CallContext) => Promise<{ answer: Answer; usage: Usage }>;

/** Calls a model. With fallback models each call is a recorded step, whose usage is recorded there. */
export async function callWithFallbacks<Answer extends object>(
  request: ModelRequest,
  fallbackModels: readonly string[] | null | undefined,
  perform: ModelCall<Answer>,
  { call, steps }: Pick<Execution<unknown>, 'call' | 'steps'>,
): Promise<{ answer: Answer; usage?: Usage }> {
  if (!fallbackModels?.length) return perform(request, call);
  const requests = [request, ...fallbackModels.map(model => withModel(request, model))];
  return { answer: await callInTurn('model 1', requests, perform, { steps }) };
}

/** Performs the requests in order, as recorded steps, until a provider does not fail. */
async function callInTurn<Answer extends object>(
  name: string,
  requests: readonly ModelRequest[],
  perform: ModelCall<Answer>,
  { steps, recordsCost = false }: Pick<Caller, 'steps' | 'recordsCost'>,
): Promise<Answer & StepCost> {
  let costUsd = '0';
  for (const [index, each] of requests.entries()) {
    const step = { name: index === 0 ? name : `${name} fallback ${index}` };
    const isLast = index === requests.length - 1;
    const recorded = await steps.call(step, call =>
      isLast ? complete(perform, each, call, recordsCost) : attemptCall(perform, each, call, recordsCost),
    );
    const outcome: (Answer & StepCost) | StepFailure = JSON.parse(recorded);
    costUsd = addCosts(costUsd, outcome.costUsd);
    if (!('failure' in outcome)) return { ...outcome, costUsd };
  }
  throw new Error('the last model neither answered nor failed');
}

function withModel({ provider: _, settings, ...request }: ModelRequest, model: string): ModelRequest {
  return { ...request, settings: { ...settings, model_name: model } };
}

async function complete<Answer extends object>(
  perform: ModelCall<Answer>,
  request: ModelRequest,
  call: CallContext,
  recordsCost: boolean,
): Promise<StepOutcome> {
  const { answer, usage } = await perform(request, call);
  return { content: JSON.stringify({ ...answer, ...costOf(usage, recordsCost) }), usage };
}

/** Records a failure of the provider as the outcome of the step, so that a resumed run does not repeat the call. */
async function attemptCall<Answer extends object>(
  perform: ModelCall<Answer>,
  request: ModelRequest,
  call: CallContext,
  recordsCost: boolean,
): Promise<StepOutcome> {
  try {
    return await complete(perform, request, call, recordsCost);
  } catch (error) {
    if (call.signal.aborted || !(error instanceof PortError) || !PROVIDER_FAILURES.has(error.code)) throw error;
    const failure: StepFailure = { failure: error.code, ...costOf(error.usage, recordsCost) };
    return { content: JSON.stringify(failure), ...(error.usage && { usage: error.usage }) };
  }
}

function costOf(usage: Usage | undefined, recordsCost: boolean): StepCost {
  return recordsCost && usage?.costUsd ? { costUsd: usage.costUsd } : {};
}
