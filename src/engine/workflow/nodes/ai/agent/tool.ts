import { TemplateError } from '../../../../expressions/expression.js';
import type { JsonObject } from '../../../../json-value.js';
import { type CallContext, type ModelTool, PortError } from '../../../../ports.js';
import type { Execution, Step, StepOutcome } from '../../../graph/node-kind.js';
import { truncateText } from './tool-texts.js';

/** The parts of a node's execution that tools use. */
export interface ToolContext extends Pick<Execution<unknown>, 'ports' | 'steps' | 'pins'> {
  /** Start of the names of steps that list tools. Empty for the tools of the node itself. */
  stepPrefix: string;
}

/** A tool without its final name for the model. */
export interface AgentTool {
  readonly name: string;
  /** True if the user chose the name. Other names are converted to valid function names. */
  readonly isNameFixed?: true;
  readonly description: string;
  /** JSON Schema of the arguments; its type is `object`. */
  readonly parameters: JsonObject;
  /** The workflow that a call starts. */
  readonly workflowId?: number;
  /** Returns feedback for the model about invalid arguments, or undefined. */
  faultOf?(args: JsonObject): string | undefined;
  /** Executes a call and returns the text for the model, including failures that it can react to. */
  call(step: Step, args: JsonObject): Promise<string>;
}

/** A tool with its definition for the model. */
export interface NamedTool extends AgentTool {
  readonly offered: ModelTool;
}

/** Errors of the tool itself that no other arguments can avoid. */
const FATAL = new Set(['mcp_tool_changed']);

/** Executes one tool call. Converts a failure to an answer for the model unless it concerns the node or the run. */
export async function executeCall({ signal }: CallContext, work: () => Promise<string>): Promise<StepOutcome> {
  try {
    return { content: truncateText(await work()) };
  } catch (error) {
    const isForModel = error instanceof TemplateError || (error instanceof PortError && !FATAL.has(error.code));
    if (signal.aborted || !isForModel) throw error;
    return { content: toolFailure(error.message) };
  }
}

/** Formats a failure as a tool result for the model. */
export function toolFailure(message: string): string {
  return truncateText(`Error: ${message}`);
}
