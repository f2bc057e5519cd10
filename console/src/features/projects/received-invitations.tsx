import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useAction } from '@/shared/forms/use-action';
import { useWholeList } from '@/shared/lists/whole-list';
import { labelOfState } from '@/shared/status-badge';
import { RelativeTime } from '@/shared/time';
import {
  AcceptInvitationDocument,
  DeclineInvitationDocument,
  ReceivedInvitationsDocument,
  type ReceivedInvitationsQuery,
} from './invitations.generated';

type Invitation = ReceivedInvitationsQuery['projectInvitationsReceived']['items'][number];

/** Milliseconds between two requests for new invitations. */
const POLL_MS = 15_000;

/** Invitations that the viewer has not answered. Renders nothing if there are none. */
export function ReceivedInvitations() {
  const { items } = useWholeList(ReceivedInvitationsDocument, 'projectInvitationsReceived', {
    variables: {},
    pollInterval: POLL_MS,
  });
  if (items.length === 0) return null;
  return (
    <Stack gap="xs" mb="lg" component="section" aria-label="Invitations">
      {items.map(item => (
        <ReceivedInvitation key={item.id} invitation={item} />
      ))}
    </Stack>
  );
}

function ReceivedInvitation({ invitation }: { invitation: Invitation }) {
  const { id, projectName, role, invitedBy, expiresAt } = invitation;
  const accept = useAction(AcceptInvitationDocument, {
    failure: 'Not accepted',
    success: `You are a member of “${projectName}” now.`,
    refetchQueries: ['ReceivedInvitations', 'Projects', 'ProjectChoices'],
  });
  const decline = useAction(DeclineInvitationDocument, {
    failure: 'Not declined',
    refetchQueries: ['ReceivedInvitations'],
  });
  return (
    <Paper px="md" py="sm" bg="light-dark(var(--mantine-color-brand-0), var(--mantine-color-dark-7))">
      <Group justify="space-between" gap="sm">
        <div>
          <Text fz="sm">
            {invitedBy ?? 'Somebody'} invites you to{' '}
            <Text span fw={600}>
              {projectName}
            </Text>{' '}
            as {labelOfState(role).toLowerCase()}.
          </Text>
          <Text fz="xs" c="dimmed">
            Expires <RelativeTime at={expiresAt} />
          </Text>
        </div>
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            loading={decline.isBusy}
            aria-label={`Decline ${projectName}`}
            onClick={() => void decline.run({ id })}
          >
            Decline
          </Button>
          <Button
            size="xs"
            loading={accept.isBusy}
            aria-label={`Accept ${projectName}`}
            onClick={() => void accept.run({ id })}
          >
            Accept
          </Button>
        </Group>
      </Group>
    </Paper>
  );
}
