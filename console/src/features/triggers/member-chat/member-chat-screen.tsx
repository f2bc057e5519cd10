import { useMutation, useQuery } from '@apollo/client/react';
import { Button, Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { problemOf } from '@/api/errors';
import { IconMessagePlus } from '@/icons';
import { PageHeader } from '@/shared/layout/page-header';
import { QueryView } from '@/shared/layout/query-view';
import { Bubble, MessageComposer } from './conversation';
import {
  type ChatMessageFragment,
  MemberChatViewDocument,
  type MemberChatViewQuery,
  SendMemberChatMessageDocument,
} from './member-chat.generated';

type Chat = NonNullable<MemberChatViewQuery['memberChat']>;

/** Milliseconds between two requests while an answer is missing. */
const POLL_MS = 3_000;

/** A chat that members of the project use. */
export function MemberChatScreen() {
  const { triggerId } = useParams({ strict: false }) as { triggerId: string };
  const id = Number(triggerId);
  const [conversationId, restart] = useConversation(id);
  const query = useQuery(MemberChatViewDocument, { variables: { id, conversationId }, fetchPolicy: 'network-only' });
  const isPending = query.data?.memberChat?.messages.some(({ state }) => state === 'PENDING') ?? false;
  const { startPolling, stopPolling } = query;
  useEffect(() => {
    if (!isPending) return;
    startPolling(POLL_MS);
    return stopPolling;
  }, [isPending, startPolling, stopPolling]);
  return (
    <QueryView query={query}>
      {({ memberChat }) =>
        memberChat ? (
          <MemberChat key={conversationId} {...{ id, conversationId }} chat={memberChat} onRestart={restart} />
        ) : (
          <PageHeader title="Chat" />
        )
      }
    </QueryView>
  );
}

/** The id of the conversation, which is kept for the tab, and a function that begins another conversation. */
function useConversation(id: number): [string, () => void] {
  const key = `conversation.${id}`;
  const begin = () => {
    const created = crypto.randomUUID() as string;
    sessionStorage.setItem(key, created);
    return created;
  };
  const [conversationId, setConversationId] = useState(() => sessionStorage.getItem(key) ?? begin());
  return [conversationId, () => setConversationId(begin())];
}

interface PendingMessage {
  id: string;
  text: string;
  /** The run of the last message before this one, which may have the same text. Undefined: this is the first message. */
  previousRunId: string | undefined;
}

interface MemberChatProps {
  id: number;
  conversationId: string;
  chat: Chat;
  onRestart: () => void;
}

function MemberChat({ id, conversationId, chat: { title, greeting, messages }, onRestart }: MemberChatProps) {
  const [problem, setProblem] = useState<string | null>(null);
  /** The message that is being sent. It keeps its id until the service has it, so that it is sent once. */
  const [pending, setPending] = useState<PendingMessage | null>(null);
  const lastMessage = messages.at(-1);
  const [send, { loading }] = useMutation(SendMemberChatMessageDocument, {
    refetchQueries: ['MemberChatView'],
    awaitRefetchQueries: true,
  });
  const submit = async (text: string): Promise<boolean> => {
    const message =
      pending?.text === text ? pending : { id: crypto.randomUUID() as string, text, previousRunId: lastMessage?.runId };
    setPending(message);
    setProblem(null);
    try {
      const { data } = await send({ variables: { id, message: { conversationId, messageId: message.id, text } } });
      const errors = data?.memberChatSend?.errors ?? [];
      if (errors.length === 0) setPending(null);
      else setProblem(errors.map(error => error.message).join(' '));
      return errors.length === 0;
    } catch (error) {
      setProblem(problemOf(error).message);
      return false;
    }
  };
  /** Whether the list already contains the message, because it was loaded during the sending. */
  const isStored = lastMessage?.text === pending?.text && lastMessage?.runId !== pending?.previousRunId;
  return (
    <>
      <PageHeader
        title={title}
        actions={
          <Button variant="default" leftSection={<IconMessagePlus size={16} />} onClick={onRestart}>
            New conversation
          </Button>
        }
      />
      <Stack gap="md" maw="48rem">
        <Stack gap="sm" role="log" aria-label="Conversation">
          {greeting !== '' && <Bubble>{greeting}</Bubble>}
          {messages.map(message => (
            <Exchange key={message.runId} message={message} />
          ))}
          {loading && pending && !isStored && <Bubble isOwn>{pending.text}</Bubble>}
          {loading && <Bubble isPending>…</Bubble>}
        </Stack>
        <MessageComposer isBusy={loading} problem={problem} onSend={submit} />
      </Stack>
    </>
  );
}

function Exchange({ message: { text, answer, state } }: { message: ChatMessageFragment }) {
  return (
    <>
      <Bubble isOwn>{text}</Bubble>
      {state === 'PENDING' && <Bubble isPending>…</Bubble>}
      {state === 'ANSWERED' && <Bubble>{answer || '–'}</Bubble>}
      {state === 'FAILED' && <Bubble isFailed>There is no answer: the chat had a problem.</Bubble>}
    </>
  );
}
