import type { ApprovalVote, Decision } from '../../../engine/wait-ports.js';
import type { ApprovalDetails, ApprovalQuestion } from '../../../engine/workflow/graph/approvals/approval.js';
import { ForbiddenError } from '../../../platform/errors/errors.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { ProjectRole } from '../../projects/rights.js';

/** Requests of agents are decided by the first person. */
const ONE_OF_EACH = { requiredApprovalCount: 1, requiredRejectionCount: 1 };

/** Returns the decision that follows from the votes. Null: more votes are needed. */
export function decisionOf(votes: readonly ApprovalVote[], question: ApprovalQuestion | undefined): Decision | null {
  const { requiredApprovalCount, requiredRejectionCount } = question ?? ONE_OF_EACH;
  const count = (decision: Decision) => votes.filter(vote => vote.decision === decision).length;
  if (count('rejected') >= requiredRejectionCount) return 'rejected';
  return count('approved') >= requiredApprovalCount ? 'approved' : null;
}

/** Asserts that the viewer is one of the people who may decide. Throws ForbiddenError. */
export function assertMayDecide({ question }: ApprovalDetails, viewer: Viewer, role: ProjectRole | null): void {
  if (question?.deciders === 'owners' && role !== 'owner')
    throw new ForbiddenError('Only the owner of the project decides this request.');
  if (question?.deciders === 'users' && !question.userIds.includes(viewer.userId))
    throw new ForbiddenError('Only the users that the approval node lists decide this request.');
}
