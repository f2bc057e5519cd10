import { Stack, Text } from '@mantine/core';
import { countOf } from '@/shared/lists/count';
import { useProjectRole } from '@/shared/project/use-role';
import { RelativeTime } from '@/shared/time';
import type { ApprovalDetailsFragment } from './approval.generated';

/** Returns true if the viewer is one of the people who may decide. The service checks this again. */
export function useMayDecide({ question, votes }: ApprovalDetailsFragment, canDecide: boolean): boolean {
  const { isOwner, userId } = useProjectRole();
  if (!canDecide || votes.some(({ decidedBy }) => decidedBy !== null && decidedBy.userId === userId)) return false;
  if (question?.deciders === 'OWNERS') return isOwner;
  return question?.deciders !== 'USERS' || (userId !== null && question.userIds.includes(userId));
}

/** Describes the people who may decide, in one sentence. */
export function decidersOf({ question }: ApprovalDetailsFragment): string {
  if (question?.deciders === 'OWNERS') return 'The owner of the project decides.';
  if (question?.deciders === 'USERS') return 'The users that the node lists decide.';
  return question && question.requiredApprovalCount > 1
    ? 'Other editors of the project decide.'
    : 'An editor of the project decides.';
}

/** The decisions so far about a question that several people decide. */
export function VotesView({ approval: { question, votes } }: { approval: ApprovalDetailsFragment }) {
  if (!question || (question.requiredApprovalCount === 1 && question.requiredRejectionCount === 1)) return null;
  const approved = votes.filter(({ decision }) => decision === 'APPROVED').length;
  return (
    <section aria-label="Votes">
      <Text fz="sm">
        {approved} of {countOf(question.requiredApprovalCount, 'approval')}
        {question.requiredRejectionCount > 1 &&
          `, ${votes.length - approved} of ${countOf(question.requiredRejectionCount, 'rejection')}`}
      </Text>
      <Stack gap={2}>
        {votes.map(({ decision, decidedAt, decidedBy, comment }) => (
          <Text key={decidedAt} fz="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {decidedBy === null ? 'A deleted user' : decidedBy.name || decidedBy.email} {decision.toLowerCase()}{' '}
            <RelativeTime at={decidedAt} />
            {comment !== null && `: “${comment}”`}
          </Text>
        ))}
      </Stack>
    </section>
  );
}
