import { isObject, type JsonObject } from '../../../engine/json-value.js';
import type { ApprovalDetails } from '../../../engine/workflow/graph/approvals/approval.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { AgentApprovalService, ApprovalRequest } from '../../workflow-runs/approvals/agent-approval.service.js';
import type { RpcId } from './json-rpc.js';

const REQUEST_ID = /^approval\/([0-9a-f-]{36})\/([0-9a-f-]{36})$/;
const MAX_ARGUMENTS_CHARACTERS = 2_000;
const MAX_MESSAGE_CHARACTERS = 8_000;
const COMMENT_SCHEMA: JsonObject = {
  type: 'object',
  properties: { comment: { type: 'string', title: 'Comment', maxLength: 2_000 } },
};

/**
 * Asks the user of a client to decide about approval requests. The id of a question names the request, so any process takes the
 * answer.
 */
export class Elicitations {
  constructor(private readonly approvals: AgentApprovalService) {}

  /** Returns the question about a pending request. Undefined: it is decided already. */
  async ask(viewer: Viewer, runId: string, requestId: string): Promise<JsonObject | undefined> {
    const request = await this.approvals.find(viewer, runId, requestId);
    if (request.status !== 'pending') return undefined;
    return {
      ...{ jsonrpc: '2.0', id: `approval/${runId}/${requestId}`, method: 'elicitation/create' },
      params: { mode: 'form', message: messageOf(request), requestedSchema: schemaOf(request) },
    };
  }

  /** Records the answer of a client as a decision. An answer without a decision changes nothing: others can still decide. */
  async answer(viewer: Viewer, id: RpcId, result: JsonObject | null): Promise<void> {
    const [, runId, requestId] = REQUEST_ID.exec(String(id)) ?? [];
    if (runId === undefined || requestId === undefined || result === null) return;
    const { action } = result;
    if (action !== 'accept' && action !== 'decline') return;
    const { kind } = await this.approvals.find(viewer, runId, requestId);
    const decision = action === 'accept' ? 'approved' : 'rejected';
    const parts = decisionPartsOf(kind, decision, result.content);
    await this.approvals.decide(viewer, runId, requestId, { decision, ...parts });
  }
}

/** Reads the content of an answer: the values of a form, or a comment. */
function decisionPartsOf(kind: ApprovalRequest['kind'], decision: 'approved' | 'rejected', content: unknown) {
  const values = isObject(content) ? content : {};
  if (kind !== 'decision')
    return { comment: typeof values.comment === 'string' ? values.comment : null, editedArguments: null };
  const isFilled = decision === 'approved' && Object.keys(values).length > 0;
  return { comment: null, editedArguments: isFilled ? values : null };
}

function messageOf({ kind, tool, arguments: values, details }: ApprovalRequest): string {
  const { question, description } = details;
  if (question) return limit([question.title, question.message].filter(Boolean).join('\n\n'));
  if (kind === 'start') return 'An agent of the workflow asks to start. Accept to approve, decline to reject.';
  const shown = JSON.stringify(values ?? {}).slice(0, MAX_ARGUMENTS_CHARACTERS);
  const about = description ? ` (${description})` : '';
  return limit(`An agent asks to call the tool "${tool}"${about} with ${shown}. Accept to approve, decline to reject.`);
}

/** The form of a question with its values as defaults, or a comment. */
function schemaOf({ kind, arguments: values, details }: ApprovalRequest): JsonObject {
  const { schema }: ApprovalDetails = details;
  if (kind !== 'decision') return COMMENT_SCHEMA;
  const properties = isObject(schema?.properties) ? schema.properties : {};
  const shown = isObject(values) ? values : {};
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        { ...(property as JsonObject), ...(Object.hasOwn(shown, name) ? { default: shown[name] } : {}) },
      ]),
    ),
    required: Array.isArray(schema?.required) ? schema.required : [],
  };
}

function limit(text: string): string {
  return text.slice(0, MAX_MESSAGE_CHARACTERS).toWellFormed();
}
