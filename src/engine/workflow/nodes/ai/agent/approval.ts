import type { JsonObject } from '../../../../json-value.js';
import { PortError } from '../../../../ports.js';
import { cutText } from '../../../../text/cut-text.js';
import type { ApprovalDetails } from '../../../graph/approvals/approval.js';
import type { Steps } from '../../../graph/node-kind.js';
import type { AgentSettings, ToolSettings } from './settings.js';
import type { NamedTool } from './tool.js';

/** Maximum bytes of all messages that a request to start shows. */
const MAX_MESSAGES_BYTES = 64 * 1024;

/** Requests approval of the start. Throws a PortError with code `approval_rejected` or `approval_expired`. */
export async function requireStartApproval(
  steps: Steps,
  settings: AgentSettings,
  timeoutSeconds: number,
): Promise<void> {
  const details = startDetails(settings);
  const request = { kind: 'start', tool: null, arguments: null, timeoutSeconds, details } as const;
  const { decision, comment } = await steps.requestApproval({ name: 'start' }, request);
  if (decision === 'approved') return;
  if (decision === 'expired') throw new PortError('approval_expired', 'no one approved the start of the agent in time');
  const message = `a person rejected the start of the agent${comment === undefined ? '' : `: ${comment}`}`;
  throw new PortError('approval_rejected', message, { isFinal: true });
}

/** Result of a request for a tool call: its refusal for the model, or the arguments and a note for the model. */
export type CallApproval = { refusal: string } | { args: JsonObject; note: string };

/** Requests approval of a tool call. */
export async function approveCall(
  steps: Steps,
  call: { position: string; tool: NamedTool; args: JsonObject },
  timeoutSeconds: number,
): Promise<CallApproval> {
  const { position, tool, args } = call;
  const { name, description, parameters } = tool.offered;
  const step = { name: `approval ${position}`, tool: name, arguments: args };
  const { workflowId } = tool;
  const details = { description, schema: parameters, ...(workflowId === undefined ? {} : { workflowId }) };
  const request = { kind: 'tool', tool: name, arguments: args, timeoutSeconds, details } as const;
  const { decision, comment, arguments: edited } = await steps.requestApproval(step, request);
  if (decision === 'rejected') return { refusal: withComment('The call was rejected by a person.', comment) };
  if (decision === 'expired') return { refusal: 'The call was rejected because no one approved it in time.' };
  if (edited === undefined) return { args, note: '' };
  const change = `A person changed the arguments to ${JSON.stringify(edited)} before the call.`;
  return { args: edited, note: `${withComment(change, comment)}\n` };
}

function withComment(sentence: string, comment: string | undefined): string {
  return comment === undefined ? sentence : `${sentence} Comment: ${comment}`;
}

function startDetails({ settings, messages, tools }: AgentSettings): ApprovalDetails {
  let left = MAX_MESSAGES_BYTES;
  const shown = messages.map(({ role, message }) => {
    const content = left > 0 ? cutText(message, left, 'conversation') : '[truncated]';
    left -= Buffer.byteLength(content);
    return { role, content };
  });
  return { model: settings.model_name, messages: shown, tools: (tools ?? []).map(toolSummary) };
}

/** The tools of an MCP server are listed after the approval, because listing calls the server. */
function toolSummary(tool: ToolSettings): { name: string; description: string } {
  switch (tool.kind) {
    case 'mcp': {
      const names = tool.allowed_tools?.join(', ') ?? 'all tools of the server';
      return { name: `MCP server ${hostOf(tool.endpoint_url)}`, description: names };
    }
    case 'http':
      return { name: tool.name, description: tool.description ?? '' };
    case 'workflow':
      return { name: `workflow_${tool.workflow_id}`, description: tool.description ?? '' };
    case 'search':
      return { name: 'search_documents', description: tool.description ?? '' };
  }
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}
