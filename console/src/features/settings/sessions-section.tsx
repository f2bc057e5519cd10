import { useQuery } from '@apollo/client/react';
import { Badge, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ConfirmDialog } from '@/shared/forms/confirm-dialog';
import { useAction } from '@/shared/forms/use-action';
import { Section } from '@/shared/layout/section';
import { type Column, DataTable } from '@/shared/lists/data-table';
import { RelativeTime } from '@/shared/time';
import { RevokeSessionsDocument, SessionsDocument, type SessionsQuery } from './sessions.generated';

type SessionRow = SessionsQuery['sessions'][number];

const columns: Column<SessionRow>[] = [
  {
    id: 'client',
    header: 'Client',
    cell: ({ userAgent, isCurrent }) => (
      <Group gap="xs" wrap="nowrap">
        <Text fz="sm" fw={500} title={userAgent ?? undefined}>
          {clientOf(userAgent)}
        </Text>
        {isCurrent && (
          <Badge size="sm" variant="light">
            This session
          </Badge>
        )}
      </Group>
    ),
  },
  { id: 'address', header: 'Address', isWide: true, cell: ({ address }) => address ?? 'Unknown' },
  { id: 'created', header: 'Signed in', isWide: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  { id: 'used', header: 'Last used', cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} /> },
  {
    id: 'actions',
    header: '',
    align: 'end',
    cell: session => (session.isCurrent ? null : <RevokeButton session={session} />),
  },
];

/** The sessions of the viewer, which can be ended. */
export function SessionsSection() {
  const { data, error, refetch } = useQuery(SessionsDocument, { fetchPolicy: 'cache-and-network' });
  const [isOpen, dialog] = useDisclosure(false);
  const { runOrThrow } = useAction(RevokeSessionsDocument, {
    failure: 'Not ended',
    success: 'All other sessions have ended.',
    refetchQueries: [SessionsDocument],
  });
  const others = data?.sessions.filter(({ isCurrent }) => !isCurrent).map(({ id }) => id) ?? [];
  return (
    <Section
      title="Sessions"
      actions={
        <Button variant="default" disabled={others.length === 0} onClick={dialog.open}>
          End all others
        </Button>
      }
    >
      <DataTable
        query={{ error, refetch }}
        label="Sessions"
        columns={columns}
        rows={data?.sessions}
        keyOf={({ id }) => id}
        empty={<Text fz="sm">No session.</Text>}
      />
      <ConfirmDialog
        isOpen={isOpen}
        onClose={dialog.close}
        title="End all other sessions?"
        confirmLabel="End sessions"
        onConfirm={() => runOrThrow({ ids: others })}
      >
        Other browsers and programs that signed in with your password have to sign in again.
      </ConfirmDialog>
    </Section>
  );
}

function RevokeButton({ session: { id, userAgent } }: { session: SessionRow }) {
  const { run, isBusy } = useAction(RevokeSessionsDocument, {
    failure: 'Not ended',
    refetchQueries: [SessionsDocument],
  });
  return (
    <Button
      size="xs"
      variant="subtle"
      color="red"
      loading={isBusy}
      aria-label={`End the session of ${clientOf(userAgent)}`}
      onClick={() => void run({ ids: [id] })}
    >
      End
    </Button>
  );
}

// The order matters: the header of Edge contains Chrome and Safari, that of Android contains Linux, that of an iPhone Mac OS X.
const BROWSERS = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari', 'curl'] as const;
const BROWSER_NAMES: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera' };
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS X', 'Linux'] as const;

/** The client in a `User-Agent` header: "Firefox on Linux", or the start of the header if the browser is unknown. */
function clientOf(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown client';
  const browser = BROWSERS.find(name => userAgent.includes(`${name}/`));
  const system = SYSTEMS.find(name => userAgent.includes(name));
  if (browser === undefined) return userAgent.slice(0, 40);
  return `${BROWSER_NAMES[browser] ?? browser}${system === undefined ? '' : ` on ${system}`}`;
}
