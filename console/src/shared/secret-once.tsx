import { ActionIcon, Alert, Button, Code, CopyButton, Group, Modal, Stack, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy, IconKey } from '@/icons';

export interface SecretOnceProps {
  title: string;
  /** Null: the dialog is closed. */
  secret: string | null;
  onClose: () => void;
  /** The name of the value for screen readers, for example "API key". */
  label: string;
  /** Instructions for the user. */
  children: string;
  closeLabel?: string;
}

/** A secret that the service shows once. A click outside the dialog does not close it. */
export function SecretOnce({
  title,
  secret,
  onClose,
  label,
  children,
  closeLabel = 'I have stored it',
}: SecretOnceProps) {
  return (
    <Modal opened={secret !== null} onClose={onClose} title={title} closeOnClickOutside={false} closeOnEscape={false}>
      <Stack>
        <Alert color="yellow" icon={<IconKey size={18} />}>
          {children}
        </Alert>
        <Group wrap="nowrap" gap="xs">
          <Code
            block
            style={{ flex: 1, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
            aria-label={label}
            role="group"
          >
            {secret}
          </Code>
          <CopyButton value={secret ?? ''}>
            {({ copied, copy }) => (
              <Tooltip label={copied ? 'Copied' : 'Copy'}>
                <ActionIcon aria-label={`Copy ${label}`} variant="default" size="lg" onClick={copy} data-autofocus>
                  {copied ? <IconCheck size={17} /> : <IconCopy size={17} />}
                </ActionIcon>
              </Tooltip>
            )}
          </CopyButton>
        </Group>
        <Group justify="flex-end">
          <Button onClick={onClose}>{closeLabel}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
