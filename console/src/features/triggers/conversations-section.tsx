import { useQuery } from '@apollo/client/react';
import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { ConfirmDialog } from '@/shared/forms/confirm-dialog';
import { useAction } from '@/shared/forms/use-action';
import { Section } from '@/shared/layout/section';
import { type Column, DataTable } from '@/shared/lists/data-table';
import { shownData } from '@/shared/lists/shown-data';
import { RelativeTime } from '@/shared/time';
import {
  DeleteTriggerConversationDocument,
  TriggerConversationsDocument,
  type TriggerConversationsQuery,
} from './triggers.generated';

type Conversation = TriggerConversationsQuery['triggerConversations']['items'][number];

const SIZE = 10;

const columns: Column<Conversation>[] = [
  {
    id: 'beginning',
    header: 'First message',
    cell: ({ beginning }) => (
      <Text fz="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
        {beginning}
      </Text>
    ),
  },
  { id: 'messages', header: 'Messages', align: 'end', cell: ({ messageCount }) => messageCount },
  { id: 'changed', header: 'Changed', isWide: true, cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
  { id: 'actions', header: '', align: 'end', cell: conversation => <DeleteConversation {...conversation} /> },
];

/** The conversations of a chat. Only editors may read them. */
export function ConversationsSection({ triggerId }: { triggerId: number }) {
  const [page, setPage] = useState(1);
  const { data, previousData, error, refetch } = useQuery(TriggerConversationsDocument, {
    variables: { triggerId, page, size: SIZE },
    fetchPolicy: 'cache-and-network',
  });
  const list = shownData({ data, previousData, error })?.triggerConversations;
  return (
    <Section
      isPlain
      title="Conversations"
      description="Conversations are deleted 30 days after their last message."
      actions={
        <Button variant="default" onClick={() => void refetch().catch(() => undefined)}>
          Refresh
        </Button>
      }
    >
      <DataTable
        query={{ error, refetch }}
        label="Conversations"
        columns={columns}
        rows={list?.items}
        keyOf={({ id }) => id}
        empty={
          <Text fz="sm" c="dimmed">
            There are no conversations yet.
          </Text>
        }
        pages={{ page, size: SIZE, total: list?.total ?? 0, onPage: setPage }}
      />
    </Section>
  );
}

function DeleteConversation({ id, beginning }: Conversation) {
  const [isOpen, confirmation] = useDisclosure(false);
  const remove = useAction(DeleteTriggerConversationDocument, {
    failure: 'Not deleted',
    success: 'The conversation is deleted.',
    refetchQueries: ['TriggerConversations'],
  });
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Delete “${beginning.slice(0, 40)}”`}
        onClick={confirmation.open}
      >
        Delete
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={confirmation.close}
        title="Delete the conversation?"
        confirmLabel="Delete conversation"
        onConfirm={() => remove.runOrThrow({ id })}
      >
        Its messages and answers are deleted. Its runs stay. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}
