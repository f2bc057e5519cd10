import type { JsonObject } from '../../../../json-value.js';
import type { ChatMessage } from '../../../../ports.js';
import type { Execution, KindFault } from '../../../graph/node-kind.js';
import { INSTRUCTION_ROLES } from '../memory.js';
import { modelRequest } from '../model-settings.js';
import type { AgentSettings } from './settings.js';
import type { NamedTool } from './tool.js';
import { functionName } from './tool-texts.js';
import { gatherTools } from './tools.js';

export const DEFAULT_MAX_HANDOFFS = 5;

const REASON = 'Why the other agent continues, and what it has to know. It sees the whole conversation.';
const parameters: JsonObject = { type: 'object', properties: { reason: { type: 'string', description: REASON } } };

/** A tool that hands the conversation over to another agent. */
export interface HandoffTool extends NamedTool {
  readonly target: string;
}

/** The agent that answers: the node itself, or one that a handoff reached. */
export interface ActiveAgent {
  settings: AgentSettings;
  request: ReturnType<typeof modelRequest>;
  tools: ReadonlyMap<string, NamedTool | HandoffTool>;
}

type Parts = Pick<Execution<AgentSettings>, 'ports' | 'steps' | 'pins' | 'peer'>;

/** Collects the request and the tools of an agent. `target` is the id of another node whose settings are used. */
export async function prepareAgent(settings: AgentSettings, parts: Parts, target?: string): Promise<ActiveAgent> {
  const { ports, steps, peer } = parts;
  const pins = (target === undefined ? undefined : peer(target)?.pins) ?? parts.pins;
  const stepPrefix = target === undefined ? '' : `${target}: `;
  const own = await gatherTools(settings.tools ?? [], { ports, steps, pins, stepPrefix });
  const tools = new Map<string, NamedTool | HandoffTool>(own);
  for (const id of settings.handoffs ?? []) {
    const label = peer(id)?.label ?? id;
    const name = functionName(`handoff_to_${label}`, tools);
    tools.set(name, handoffTool(id, name, label));
  }
  return { settings, request: modelRequest(settings), tools };
}

/** The conversation with the instructions of the agent that continues. Its other messages are not sent. */
export function conversationFor({ request }: ActiveAgent, messages: readonly ChatMessage[]): ChatMessage[] {
  const isInstruction = ({ role }: ChatMessage) => INSTRUCTION_ROLES.has(role);
  return [...request.messages.filter(isInstruction), ...messages.filter(message => !isInstruction(message))];
}

/** Returns true for a tool that hands the conversation over. */
export function isHandoff(tool: NamedTool | HandoffTool): tool is HandoffTool {
  return 'target' in tool;
}

function handoffTool(target: string, name: string, label: string): HandoffTool {
  const description = `Hands the conversation over to the agent "${label}", which answers in place of you.`;
  return {
    name,
    description,
    parameters,
    target,
    offered: { name, description, parameters },
    call: async () => `The agent "${label}" continues.`,
  };
}

/** Returns the faults of handoffs to nodes that are not agents of the same graph. `kindOf` undefined: there is no such node. */
export function handoffFaults(
  { id, data: { handoffs } }: { id: string; data: JsonObject },
  kindOf: (id: string) => string | undefined,
): KindFault[] {
  if (!Array.isArray(handoffs)) return [];
  const seen = new Set<unknown>();
  return handoffs.flatMap((target, index) => {
    if (typeof target !== 'string') return [];
    const fault = (message: string) => [{ path: `handoffs.${index}`, code: 'invalid_setting', message }];
    if (target === id) return fault('must be another node');
    if (seen.has(target)) return fault('is listed twice');
    seen.add(target);
    const type = kindOf(target);
    if (type === undefined) return fault(`must be the id of an agent-node of this graph; there is no node ${target}`);
    return type === 'agent-node' ? [] : fault(`must be the id of an agent-node; ${target} is of the type ${type}`);
  });
}
