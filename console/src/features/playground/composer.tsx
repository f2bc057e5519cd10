import { ActionIcon, Textarea, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { IconArrowUp, IconPlayerStopFilled } from '@/icons';

interface ComposerProps {
  isRunning: boolean;
  /** Why nothing can be sent. */
  problem: string | null;
  onSend: (text: string) => void;
  onStop: () => void;
}

/** The text field for the next message. Enter sends, Shift-Enter starts a new line. */
export function Composer({ isRunning, problem, onSend, onStop }: ComposerProps) {
  const [text, setText] = useState('');
  const canSend = text.trim() !== '' && problem === null && !isRunning;
  const send = () => {
    if (!canSend) return;
    onSend(text);
    setText('');
  };
  return (
    <Textarea
      aria-label="Message"
      placeholder="Ask all models"
      autosize
      minRows={2}
      maxRows={12}
      size="md"
      autoFocus
      error={problem}
      value={text}
      onChange={event => setText(event.currentTarget.value)}
      onKeyDown={event => {
        if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
        event.preventDefault();
        send();
      }}
      rightSectionWidth={52}
      rightSection={
        <Tooltip label={isRunning ? 'Stop' : 'Send (Enter)'}>
          {isRunning ? (
            <ActionIcon variant="default" size="lg" radius="xl" aria-label="Stop" onClick={onStop}>
              <IconPlayerStopFilled size={16} />
            </ActionIcon>
          ) : (
            <ActionIcon
              variant="filled"
              color="brand"
              size="lg"
              radius="xl"
              aria-label="Send"
              disabled={!canSend}
              onClick={send}
            >
              <IconArrowUp size={18} />
            </ActionIcon>
          )}
        </Tooltip>
      }
    />
  );
}
