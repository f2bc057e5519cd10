import type { JsonObject } from '../../../../json-value.js';
import { type ChatMessage, PortError, type ToolCall } from '../../../../ports.js';
import type { Execution, Outcome } from '../../../graph/node-kind.js';
import { callModel, type StepAnswer } from '../model-calls.js';
import { modelRequest } from '../model-settings.js';
import { approveCall, requireStartApproval } from './approval.js';
import { CostBudget } from './cost-budget.js';
import { type AgentSettings, DEFAULT_APPROVAL_SECONDS, DEFAULT_MAX_STEPS } from './settings.js';
import { type NamedTool, toolFailure } from './tool.js';
import { functionName, parseArguments } from './tool-texts.js';
import { gatherTools } from './tools.js';

/** Maximum number of tool calls for one model answer. Further calls are rejected. */
const MAX_CALLS = 64;

/**
 * Calls the model and the tools it requests until it answers without a tool call. Throws a PortError with code
 * `max_steps_reached`, `max_cost_reached`, `approval_rejected` or `approval_expired`.
 */
export async function runAgent({ settings, ports, steps, pins }: Execution<AgentSettings>): Promise<Outcome> {
  const approval = settings.approval ?? 'never';
  const timeoutSeconds = settings.approval_timeout_seconds ?? DEFAULT_APPROVAL_SECONDS;
  if (approval === 'always') await requireStartApproval(steps, settings, timeoutSeconds);
  const tools = await gatherTools(settings.tools ?? [], { ports, steps, pins });
  const request = modelRequest(settings);
  // Later requests omit `tool_choice`: a choice that requires a tool call would never let the model answer.
  const { tool_choice: _, ...laterSettings } = request.settings;
  const offered = [...tools.values()].map(tool => tool.offered);
  const messages: ChatMessage[] = request.messages;
  const maxSteps = settings.max_steps ?? DEFAULT_MAX_STEPS;
  const budget = new CostBudget(settings.max_cost_usd);

  const ask = (step: number): Promise<StepAnswer> => {
    const completion = {
      ...request,
      settings: step === 1 ? request.settings : laterSettings,
      messages: [...messages],
      ...(offered.length > 0 ? { tools: offered } : {}),
    };
    return callModel(`model ${step}`, completion, settings.fallback_models ?? [], {
      ports,
      steps,
      recordsCost: budget.isLimited,
    });
  };

  const act = async ({ tool, args }: ReadCall, position: string): Promise<string> => {
    const call = (given: JsonObject) =>
      tool.call({ name: `tool ${position}`, tool: tool.offered.name, arguments: given }, given);
    if (approval === 'never') return call(args);
    const approved = await approveCall(steps, { position, tool, args }, timeoutSeconds);
    return 'refusal' in approved ? approved.refusal : approved.note + (await call(approved.args));
  };

  for (let step = 1; step <= maxSteps; step++) {
    budget.assertRemaining();
    const { text, toolCalls, costUsd } = await ask(step);
    budget.add(costUsd);
    if (toolCalls.length === 0) return { content: text };
    // After the last step no model call would read the tool results.
    if (step === maxSteps) break;
    const calls = readCalls(toolCalls, step, tools);
    messages.push({ role: 'assistant', content: text, toolCalls: calls.map(({ echoed }) => echoed) });
    const results = await callAll(calls, settings.parallel_tools ?? 1, (call, index) =>
      'fault' in call ? toolFailure(call.fault) : act(call, `${step}.${index + 1}`),
    );
    for (const [index, { echoed }] of calls.entries())
      messages.push({ role: 'tool', content: results[index] ?? '', toolCallId: echoed.id });
  }
  throw new PortError('max_steps_reached', `the model needs more than max_steps (${maxSteps}) steps`);
}

/**
 * Calls `work` for all items, at most `parallel` at the same time, and returns the results in their order. After a failure no
 * further call starts; it is thrown when the calls in flight have ended, so that their steps are recorded.
 */
async function callAll<T>(
  items: readonly T[],
  parallel: number,
  work: (item: T, index: number) => string | Promise<string>,
): Promise<string[]> {
  const results: string[] = [];
  const waiting = items.entries();
  let hasFailed = false;
  const worker = async () => {
    for (const [index, item] of waiting) {
      if (hasFailed) return;
      try {
        results[index] = await work(item, index);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(parallel, items.length) }, worker));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return results;
}

/** A tool call as it is repeated to the model, in a form that every provider accepts. */
interface ConversationView {
  echoed: ToolCall;
}
type ReadCall = ConversationView & { tool: NamedTool; args: Record<string, unknown> };

/** Parses the tool calls of one answer. Replaces the ids if they are not unique, because some servers repeat ids. */
function readCalls(toolCalls: readonly ToolCall[], step: number, tools: ReadonlyMap<string, NamedTool>) {
  const calls = toolCalls.map((call, index) => readCall(call, index, tools));
  const ids = new Set(calls.map(({ echoed }) => echoed.id));
  if (ids.size < calls.length) for (const [index, { echoed }] of calls.entries()) echoed.id = `call_${step}_${index}`;
  return calls;
}

/** Parses one tool call. Returns a fault as feedback for the model if it is not valid. */
function readCall(
  call: ToolCall,
  index: number,
  tools: ReadonlyMap<string, NamedTool>,
): ReadCall | (ConversationView & { fault: string }) {
  const tool = tools.get(call.name);
  const parsed = parseArguments(call.arguments);
  const echoed = {
    id: call.id,
    name: tool ? call.name : functionName(call.name, NONE),
    arguments: 'args' in parsed ? JSON.stringify(parsed.args) : '{}',
  };
  if (index >= MAX_CALLS) return { echoed, fault: `At most ${MAX_CALLS} tools are called for one answer.` };
  if (!tool) return { echoed, fault: 'There is no tool with this name.' };
  if ('fault' in parsed) return { echoed, fault: parsed.fault };
  const fault = tool.faultOf?.(parsed.args);
  if (fault !== undefined) return { echoed, fault: `The arguments are not valid: ${fault}.` };
  return { echoed, tool, args: parsed.args };
}

const NONE: ReadonlySet<string> = new Set();
