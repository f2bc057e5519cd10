import { ActionIcon, Paper, Text, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { IconArrowUp } from '@/icons';

interface BubbleProps {
  children: ReactNode;
  isOwn?: boolean;
  isPending?: boolean;
  isFailed?: boolean;
}

/** A message or an answer. */
export function Bubble({ children, isOwn = false, isPending = false, isFailed = false }: BubbleProps) {
  return (
    <Paper
      withBorder={!isOwn}
      px="md"
      py="xs"
      maw="85%"
      bg={isOwn ? 'var(--mantine-primary-color-light)' : undefined}
      style={{ alignSelf: isOwn ? 'flex-end' : 'flex-start' }}
    >
      <Text
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
        c={isFailed ? 'red' : isPending ? 'dimmed' : undefined}
      >
        {children}
      </Text>
    </Paper>
  );
}

interface ComposerProps {
  isBusy: boolean;
  problem: string | null;
  /** Resolves with whether the message was accepted. */
  onSend: (text: string) => Promise<boolean>;
}

/** The text field for the next message. Enter sends, Shift-Enter starts a new line. */
export function MessageComposer({ isBusy, problem, onSend }: ComposerProps) {
  const [text, setText] = useState('');
  const canSend = text.trim() !== '' && !isBusy;
  const send = async () => {
    if (!canSend || !(await onSend(text.trim()))) return;
    // Text that was typed during the request is the next message.
    setText(current => (current === text ? '' : current));
  };
  return (
    <Textarea
      aria-label="Message"
      placeholder="Write a message"
      autosize
      minRows={2}
      maxRows={12}
      maxLength={8000}
      autoFocus
      error={problem}
      value={text}
      onChange={event => setText(event.currentTarget.value)}
      onKeyDown={event => {
        if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
        event.preventDefault();
        void send();
      }}
      rightSectionWidth={52}
      rightSection={
        <ActionIcon
          {...{ variant: 'filled', color: 'brand', size: 'lg', radius: 'xl' }}
          aria-label="Send"
          disabled={!canSend}
          onClick={() => void send()}
        >
          <IconArrowUp size={18} />
        </ActionIcon>
      }
    />
  );
}
