import { z } from 'zod';
import { isObject, type JsonObject, parseJsonText } from '../../../json-value.js';
import { MAX_INTEGER } from '../../../max-integer.js';
import type { ApprovalAnswer, ApprovalQuestion } from '../../graph/approvals/approval.js';
import { DECIDERS } from '../../graph/approvals/approval.js';
import { nodeKind } from '../../graph/node-kind.js';
import { branchTargets, namedBranches } from '../named-branches.js';
import { answerForm, formFields, formSchema, formValues } from './approval-form.js';

const MAX_SECONDS = 30 * 86_400;
const DEFAULT_SECONDS = 86_400;
const MAX_VOTES = 20;

const HANDLES = ['approved', 'rejected', 'expired'] as const;

export const approval = nodeKind({
  type: 'approval-node',
  nodeType: 'ApprovalNode',
  title: 'Approval',
  description:
    'Asks people for a decision and waits for it without occupying a worker. The content is the decision with its comment, the values of the form and all votes as JSON.',
  category: 'logic',
  effects: 'steps',
  outputs: [
    { handle: 'approved', title: 'Approved', description: 'Followed after enough approvals.' },
    { handle: 'rejected', title: 'Rejected', description: 'Followed after enough rejections.' },
    { handle: 'expired', title: 'Expired', description: 'Followed when the time for the decision is over.' },
  ],
  defaults: { title: 'Continue?', message: '{{ previous.content }}' },
  defaultTimeout: null,
  form: {
    icon: 'user-check',
    color: '#0d9488',
    fields: {
      title: { title: 'Question', widget: 'text' },
      message: { title: 'Message', widget: 'textarea' },
      ...formFields,
      deciders: { title: 'Who may decide', widget: 'select', group: 'approval' },
      user_ids: {
        title: 'People who may decide',
        widget: 'json',
        group: 'approval',
        optionsFrom: 'members',
        showIf: { path: 'deciders', equals: ['users'] },
      },
      approvals: { title: 'Approvals needed', widget: 'number', group: 'approval' },
      rejections: { title: 'Rejections needed', widget: 'number', group: 'approval' },
      approval_timeout_seconds: { title: 'Seconds to wait for a decision', widget: 'number', group: 'approval' },
      approved_nodes: { title: 'Next nodes if approved', widget: 'hidden' },
      rejected_nodes: { title: 'Next nodes if rejected', widget: 'hidden' },
      expired_nodes: { title: 'Next nodes if expired', widget: 'hidden' },
    },
    content: {
      sample:
        '{"decision": "approved", "comment": "Looks good.", "values": {"amount": 20}, "votes": [{"user_id": 7, "decision": "approved", "comment": "Looks good.", "decided_at": "2026-01-31T09:30:00.000Z"}]}',
      schema: {
        type: 'object',
        properties: {
          decision: { type: 'string', enum: [...HANDLES] },
          comment: { type: ['string', 'null'] },
          values: { type: 'object' },
          votes: { type: 'array', items: { type: 'object' } },
        },
        required: ['decision', 'comment', 'values', 'votes'],
      },
    },
  },
  settings: setting =>
    z.looseObject({
      title: setting.text(z.string().min(1).max(200)).describe('The question, 1-200 characters.'),
      message: setting
        .text(z.string().max(20_000))
        .nullish()
        .describe('What people should know to decide, at most 20000 characters. Default: none.'),
      fields: answerForm(setting),
      deciders: setting
        .value(z.enum(DECIDERS))
        .nullish()
        .describe(
          'Who may decide: `members` (default: every member with the role editor or a stronger one), `owners` (the owner of the project), or `users` (those of `user_ids`).',
        ),
      user_ids: setting
        .value(z.array(z.number().int().min(1).max(MAX_INTEGER)).max(100))
        .nullish()
        .describe(
          'Ids of the users who may decide, at most 100, required for `users`. Each of them needs the role editor or a stronger one.',
        ),
      approvals: setting
        .value(z.number().int().min(1).max(MAX_VOTES))
        .nullish()
        .describe('Number of people who must approve, 1-20. Default 1.'),
      rejections: setting
        .value(z.number().int().min(1).max(MAX_VOTES))
        .nullish()
        .describe('Number of people after whose rejection the request is rejected, 1-20. Default 1.'),
      approval_timeout_seconds: setting
        .value(z.number().int().min(1).max(MAX_SECONDS))
        .nullish()
        .describe('Seconds after which the output `expired` is followed, 1-2592000 (30 days). Default 86400 (1 day).'),
      approved_nodes: branchTargets('approved'),
      rejected_nodes: branchTargets('rejected'),
      expired_nodes: branchTargets('expired'),
    }),
  branches: data => namedBranches(HANDLES, data),
  branchOf: content => decisionOf(content),
  references: ({ user_ids: value }) =>
    value === undefined || value === null ? [] : [{ kind: 'user', path: 'user_ids', value }],
  check: ({ deciders, user_ids: ids, approvals }) => {
    const fault = (path: string, message: string) => [{ code: 'invalid_setting', path, message }];
    if (deciders !== 'users') return [];
    if (ids === undefined || ids === null || (Array.isArray(ids) && ids.length === 0))
      return fault('user_ids', 'required, because deciders is users');
    if (Array.isArray(ids) && typeof approvals === 'number' && approvals > new Set(ids).size)
      return fault('approvals', 'must be at most the number of users in user_ids');
    return [];
  },
  execute: async ({ settings, steps }) => {
    const { fields, title, message, deciders, user_ids: userIds, approvals, rejections } = settings;
    const question: ApprovalQuestion = {
      title,
      message: message ?? '',
      deciders: deciders ?? 'members',
      userIds: deciders === 'users' ? (userIds ?? []) : [],
      requiredApprovalCount: approvals ?? 1,
      requiredRejectionCount: rejections ?? 1,
    };
    const values = formValues(fields ?? []);
    const answer = await steps.requestApproval(
      { name: 'decision' },
      {
        kind: 'decision',
        tool: null,
        arguments: values,
        timeoutSeconds: settings.approval_timeout_seconds ?? DEFAULT_SECONDS,
        details: { question, ...(fields?.length ? { schema: formSchema(fields) } : {}) },
      },
    );
    return { content: contentOf(answer, values), branch: answer.decision };
  },
});

function contentOf({ decision, comment, arguments: edited, votes }: ApprovalAnswer, values: JsonObject): string {
  return JSON.stringify({
    decision,
    comment: comment ?? null,
    values: edited ?? values,
    votes: (votes ?? []).map(vote => ({
      user_id: vote.userId,
      decision: vote.decision,
      comment: vote.comment,
      decided_at: vote.decidedAt,
    })),
  });
}

/** The decision in a content, or the decision as the content. */
function decisionOf(content: string): string {
  const value = parseJsonText(content);
  return isObject(value) ? String(value.decision) : content;
}
