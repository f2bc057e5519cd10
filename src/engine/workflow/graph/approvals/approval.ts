import type { JsonObject } from '../../../json-value.js';
import type { ApprovalDecision, ApprovalVote } from '../../../wait-ports.js';
import { applyEdit } from './approval-edit.js';

/** `start`: the start of an agent; `tool`: one tool call of an agent; `decision`: a question of an approval node. */
export const APPROVAL_KINDS = ['start', 'tool', 'decision'] as const;
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

/** Who may decide: owners of the project, every member who may decide requests of agents, or listed users among them. */
export const DECIDERS = ['members', 'owners', 'users'] as const;
export type Deciders = (typeof DECIDERS)[number];

/** An approval that a node requests. */
export interface PendingApproval {
  kind: ApprovalKind;
  tool: string | null;
  arguments: unknown;
  timeoutSeconds: number;
  /** The text that the person sees in addition to the arguments. It is stored with the request, but not in the journal. */
  details?: ApprovalDetails;
}

/** The requested action. Secrets are masked before it is stored. */
export interface ApprovalDetails {
  description?: string;
  /** JSON Schema against which edited arguments are checked. Absent: the arguments cannot be edited. */
  schema?: JsonObject;
  /** The workflow that is about to be started. */
  workflowId?: number;
  /** For the start of an agent: its model, messages and tools. */
  model?: string;
  messages?: readonly { role: string; content: string }[];
  tools?: readonly { name: string; description: string }[];
  /** For a question of an approval node. */
  question?: ApprovalQuestion;
}

/** A question that an approval node asks, and who decides it. */
export interface ApprovalQuestion {
  title: string;
  /** Empty: no message. */
  message: string;
  deciders: Deciders;
  /** Ids of the users who may decide, for the deciders `users`. */
  userIds: readonly number[];
  /** Number of approvals after which the request is approved. */
  requiredApprovalCount: number;
  /** Number of rejections after which the request is rejected. */
  requiredRejectionCount: number;
}

/** Result of an approval. `arguments` is present only if a person changed them. */
export interface ApprovalAnswer {
  decision: 'approved' | 'rejected' | 'expired';
  comment?: string;
  arguments?: JsonObject;
  votes?: readonly ApprovalVote[];
}

/** Returns the answer to a request, with the edited arguments applied to the original ones. */
export function toAnswer({ decision, comment, edit, votes }: ApprovalDecision, original: unknown): ApprovalAnswer {
  return {
    decision,
    ...(votes === undefined ? {} : { votes }),
    ...(comment === undefined ? {} : { comment }),
    ...(edit === undefined ? {} : { arguments: applyEdit(edit, original) as JsonObject }),
  };
}

/** Formats an answer as the result of its step: the decision, or JSON if there is more. */
export function formatAnswer(answer: ApprovalAnswer): string {
  return Object.keys(answer).length === 1 ? answer.decision : JSON.stringify(answer);
}

/** Parses the result of `formatAnswer`. */
export function parseAnswer(content: string): ApprovalAnswer {
  return content.startsWith('{') ? JSON.parse(content) : { decision: content as ApprovalAnswer['decision'] };
}
