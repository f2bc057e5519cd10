import type { JsonObject } from '../../../json-value.js';
import { type CallContext, type ModelTool, PortError } from '../../../ports.js';
import { TemplateError } from '../../../template.js';
import type { Execution, Step, StepOutcome } from '../../graph/node-kind.js';
import { truncateText } from './tool-texts.js';

/** What tools need of the node that they belong to. */
export type ToolContext = Pick<Execution<unknown>, 'ports' | 'steps' | 'pins'>;

/** A tool before it has the name by which the model calls it. */
export interface AgentTool {
  readonly name: string;
  /** Somebody chose the name for the model; else it is made one that functions may have. */
  readonly isNameFixed?: true;
  readonly description: string;
  /** JSON Schema of the arguments, an object. */
  readonly parameters: JsonObject;
  /** What to tell the model about arguments of the wrong form; undefined: they will do. */
  faultOf?(args: JsonObject): string | undefined;
  /** What the model is told; failures that it can do something about included. */
  call(step: Step, args: JsonObject): Promise<string>;
}

export interface NamedTool extends AgentTool {
  readonly offered: ModelTool;
}

/** Of the tool itself, not of one call: no other arguments would help. */
const FATAL = new Set(['mcp_tool_changed']);

/** Runs one call of a tool; a failure is an answer for the model unless it concerns the node or the run. */
export async function answered({ signal }: CallContext, work: () => Promise<string>): Promise<StepOutcome> {
  try {
    return { content: truncateText(await work()) };
  } catch (error) {
    const isForModel = error instanceof TemplateError || (error instanceof PortError && !FATAL.has(error.code));
    if (signal.aborted || !isForModel) throw error;
    return { content: toolFailure(error.message) };
  }
}

export function toolFailure(message: string): string {
  return truncateText(`Error: ${message}`);
}
