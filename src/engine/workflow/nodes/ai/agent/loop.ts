import type { JsonObject } from '../../../../json-value.js';
import { type ChatMessage, PortError, type ToolCall } from '../../../../ports.js';
import type { Execution, Outcome } from '../../../graph/node-kind.js';
import { withMemory } from '../memory.js';
import { callModel, type StepAnswer } from '../model-calls.js';
import { approveCall, requireStartApproval } from './approval.js';
import { CostBudget } from './cost-budget.js';
import {
  type ActiveAgent,
  conversationFor,
  DEFAULT_MAX_HANDOFFS,
  type HandoffTool,
  isHandoff,
  prepareAgent,
} from './handoff.js';
import { type AgentSettings, DEFAULT_APPROVAL_SECONDS, DEFAULT_MAX_STEPS } from './settings.js';
import { type NamedTool, toolFailure } from './tool.js';
import { functionName, parseArguments } from './tool-texts.js';

/** Maximum number of tool calls for one model answer. Further calls are rejected. */
const MAX_CALLS = 64;

/**
 * Calls the model and the tools it requests until it answers without a tool call. Throws a PortError with code
 * `max_steps_reached`, `max_cost_reached`, `approval_rejected` or `approval_expired`.
 */
export async function runAgent(configured: Execution<AgentSettings>): Promise<Outcome> {
  const { steps } = configured;
  const settings = await withMemory(configured);
  const execution = { ...configured, settings };
  const timeoutSeconds = settings.approval_timeout_seconds ?? DEFAULT_APPROVAL_SECONDS;
  if (settings.approval === 'always') await requireStartApproval(steps, settings, timeoutSeconds);
  const agents = new Agents(execution);
  return new AgentConversation(execution, agents, await agents.own()).run();
}

/** One conversation: of the agent of the node, and of those to which it is handed over. */
class AgentConversation {
  readonly #timeoutSeconds: number;
  readonly #budget: CostBudget;
  #messages: ChatMessage[];
  #handoffsLeft: number;

  constructor(
    private readonly execution: Execution<AgentSettings>,
    private readonly agents: Agents,
    /** The agent that answers. */
    private active: ActiveAgent,
  ) {
    const { settings } = execution;
    this.#timeoutSeconds = settings.approval_timeout_seconds ?? DEFAULT_APPROVAL_SECONDS;
    this.#budget = new CostBudget(settings.max_cost_usd);
    this.#messages = active.request.messages;
    this.#handoffsLeft = settings.max_handoffs ?? DEFAULT_MAX_HANDOFFS;
  }

  async run(): Promise<Outcome> {
    const maxSteps = this.execution.settings.max_steps ?? DEFAULT_MAX_STEPS;
    for (let step = 1; step <= maxSteps; step++) {
      this.#budget.assertRemaining();
      const { text, toolCalls, costUsd } = await this.#ask(step);
      this.#budget.add(costUsd);
      if (toolCalls.length === 0) return { content: text };
      // After the last step no model call would read the tool results.
      if (step === maxSteps) break;
      const calls = readCalls(toolCalls, step, this.active.tools);
      this.#messages.push({ role: 'assistant', content: text, toolCalls: calls.map(({ echoed }) => echoed) });
      await this.#answerCalls(calls, step);
    }
    throw new PortError('max_steps_reached', `the model needs more than max_steps (${maxSteps}) steps`);
  }

  #ask(step: number): Promise<StepAnswer> {
    const { request, tools, settings } = this.active;
    const { ports, steps } = this.execution;
    // Later requests omit `tool_choice`: a choice that requires a tool call would never let the model answer.
    const { tool_choice: _, ...laterSettings } = request.settings;
    const offered = [...tools.values()].map(tool => tool.offered);
    const completion = {
      ...request,
      settings: step === 1 ? request.settings : laterSettings,
      messages: [...this.#messages],
      ...(offered.length > 0 ? { tools: offered } : {}),
    };
    const caller = { ports, steps, recordsCost: this.#budget.isLimited };
    return callModel(`model ${step}`, completion, settings.fallback_models ?? [], caller);
  }

  /** Adds the results of the calls to the conversation. After a handoff another agent continues. */
  async #answerCalls(calls: ReturnType<typeof readCalls>, step: number): Promise<void> {
    let next: string | undefined;
    const firstHandoff = calls.find(call => 'tool' in call && isHandoff(call.tool));
    const results = await callAll(calls, this.execution.settings.parallel_tools ?? 1, async (call, index) => {
      const position = `${step}.${index + 1}`;
      if ('fault' in call) return toolFailure(call.fault);
      if (!isHandoff(call.tool)) return this.#callTool(call, position);
      if (call !== firstHandoff) return toolFailure('Only the first handoff of an answer counts.');
      if (this.#handoffsLeft === 0) return toolFailure('No further handoff is possible. Answer yourself.');
      const result = await this.#handOver(call.tool, call.args, position);
      if ('agent' in result) next = result.agent;
      return result.text;
    });
    for (const [index, { echoed }] of calls.entries())
      this.#messages.push({ role: 'tool', content: results[index] ?? '', toolCallId: echoed.id });
    if (next === undefined) return;
    this.#handoffsLeft--;
    this.active = await this.agents.peer(next);
    this.#messages = conversationFor(this.active, this.#messages);
  }

  /** Calls a tool after an approval, if one is required. Returns the text for the model. */
  async #callTool({ tool, args }: ReadCall, position: string): Promise<string> {
    const call = (given: JsonObject) =>
      tool.call({ name: `tool ${position}`, tool: tool.offered.name, arguments: given }, given);
    const { steps, settings } = this.execution;
    const needsApproval = [settings, this.active.settings].some(({ approval }) => (approval ?? 'never') !== 'never');
    if (!needsApproval) return call(args);
    const approved = await approveCall(steps, { position, tool, args }, this.#timeoutSeconds);
    return 'refusal' in approved ? approved.refusal : approved.note + (await call(approved.args));
  }

  /** Records the handoff as a step. An agent that requires an approval to start requires it for the handoff too. */
  async #handOver(tool: HandoffTool, args: JsonObject, position: string): Promise<Handover> {
    const { steps } = this.execution;
    if (this.agents.settingsOf(tool.target).approval === 'always') {
      const approved = await approveCall(steps, { position, tool, args }, this.#timeoutSeconds);
      if ('refusal' in approved) return { text: approved.refusal };
    }
    const step = { name: `tool ${position}`, tool: tool.offered.name, arguments: args };
    const text = await steps.call(step, async () => ({ content: await tool.call(step, args) }));
    return { agent: tool.target, text };
  }
}

/** Result of a handoff for the model, and the agent that continues; absent: a person rejected it. */
type Handover = { text: string; agent: string } | { text: string };

/** The agents of one conversation. The tools of each are collected once. */
class Agents {
  readonly #peers = new Map<string, ActiveAgent>();
  readonly #settings = new Map<string, AgentSettings>();

  constructor(private readonly execution: Execution<AgentSettings>) {}

  own(): Promise<ActiveAgent> {
    return prepareAgent(this.execution.settings, this.execution);
  }

  /** Resolves the settings of another agent. */
  settingsOf(id: string): AgentSettings {
    const known = this.#settings.get(id) ?? this.execution.peer(id)?.resolve();
    if (!known) throw new PortError('unknown_agent', `there is no agent node ${id}`, { isFinal: true });
    this.#settings.set(id, known);
    return known;
  }

  async peer(id: string): Promise<ActiveAgent> {
    const known = this.#peers.get(id) ?? (await prepareAgent(this.settingsOf(id), this.execution, id));
    this.#peers.set(id, known);
    return known;
  }
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
interface EchoedCall {
  echoed: ToolCall;
}
type ReadCall = EchoedCall & { tool: NamedTool | HandoffTool; args: Record<string, unknown> };

/** Parses the tool calls of one answer. Replaces the ids if they are not unique, because some servers repeat ids. */
function readCalls(toolCalls: readonly ToolCall[], step: number, tools: ActiveAgent['tools']) {
  const calls = toolCalls.map((call, index) => readCall(call, index, tools));
  const ids = new Set(calls.map(({ echoed }) => echoed.id));
  if (ids.size < calls.length) for (const [index, { echoed }] of calls.entries()) echoed.id = `call_${step}_${index}`;
  return calls;
}

/** Parses one tool call. Returns a fault as feedback for the model if it is not valid. */
function readCall(
  call: ToolCall,
  index: number,
  tools: ActiveAgent['tools'],
): ReadCall | (EchoedCall & { fault: string }) {
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
