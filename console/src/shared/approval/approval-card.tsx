import { Button, Group, Paper, Stack, Text, ThemeIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { IconPlayerPlay, IconTool, IconUserCheck } from '@/icons';
import { StatusBadge } from '@/shared/status-badge';
import { RelativeTime } from '@/shared/time';
import type { ApprovalDetailsFragment } from './approval.generated';
import { Countdown } from './countdown';
import { decidersOf, useMayDecide, VotesView } from './deciders';
import { type Decision, DecisionDialog } from './decision-dialog';
import { RequestView } from './request-view';

export interface ApprovalCardProps {
  approval: ApprovalDetailsFragment;
  /** Where the request comes from: a link to the run. */
  origin?: ReactNode;
  canDecide: boolean;
  onDecided: (decision: Decision) => void;
  onExpired?: () => void;
}

const ICONS = { START: IconPlayerPlay, TOOL: IconTool, DECISION: IconUserCheck };

function titleOf({ kind, tool, question }: ApprovalDetailsFragment): string {
  if (kind === 'DECISION') return question?.title ?? 'Decide';
  return kind === 'START' ? 'Start the agent' : `Call ${tool ?? 'a tool'}`;
}

/** A request of an agent or an approval node: what it is about, and the decision. */
export function ApprovalCard({ approval, origin, canDecide, onDecided, onExpired }: ApprovalCardProps) {
  const { requestId, kind, status, requestedAt, expiresAt } = approval;
  const mayDecide = useMayDecide(approval, canDecide);
  const [decision, setDecision] = useState<Decision>('approved');
  const [isOpen, dialog] = useDisclosure(false);
  const isPending = status === 'PENDING';
  const Icon = ICONS[kind];
  const action = titleOf(approval);
  const ask = (next: Decision) => {
    setDecision(next);
    dialog.open();
  };
  return (
    <Paper component="article" p="md" aria-label={action} data-request={requestId}>
      <Group align="flex-start" wrap="nowrap" gap="sm">
        <ThemeIcon variant="light" size={34} radius="md">
          <Icon size={19} stroke={1.7} />
        </ThemeIcon>
        <Stack gap="xs" style={{ flex: 1, minWidth: 0 }}>
          <Group justify="space-between" gap="xs" align="flex-start">
            <div style={{ minWidth: 0 }}>
              <Text fw={550} style={{ overflowWrap: 'anywhere' }}>
                {action}
              </Text>
              <Text fz="xs" c="dimmed" component="div">
                {origin}
                {origin && ' · '}
                requested <RelativeTime at={requestedAt} />
                {approval.iteration !== null && ` · iteration ${approval.iteration}`}
              </Text>
            </div>
            {isPending ? <Countdown at={expiresAt} onEnd={onExpired} /> : <StatusBadge state={status} />}
          </Group>
          <RequestView approval={approval} />
          <VotesView approval={approval} />
          <DecisionView approval={approval} />
          {isPending && mayDecide && (
            <Group gap="xs">
              <Button size="xs" onClick={() => ask('approved')}>
                Approve
              </Button>
              <Button size="xs" variant="default" onClick={() => ask('rejected')}>
                Reject
              </Button>
            </Group>
          )}
          {isPending && !mayDecide && (
            <Text fz="xs" c="dimmed">
              {decidersOf(approval)}
            </Text>
          )}
        </Stack>
      </Group>
      {isOpen && isPending && (
        <DecisionDialog
          approval={approval}
          action={action}
          decision={decision}
          onClose={dialog.close}
          onDecided={onDecided}
        />
      )}
    </Paper>
  );
}

function DecisionView({ approval: { decidedAt, decidedBy, status, comment } }: Pick<ApprovalCardProps, 'approval'>) {
  if (decidedAt === null) return null;
  const name = decidedBy === null ? 'A deleted user' : decidedBy.name || decidedBy.email;
  return (
    <div>
      <Text fz="sm" component="div">
        {name} {status.toLowerCase()} <RelativeTime at={decidedAt} />
      </Text>
      {comment !== null && (
        <Text fz="sm" c="dimmed" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          “{comment}”
        </Text>
      )}
    </div>
  );
}
