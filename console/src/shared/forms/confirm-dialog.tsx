import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { problemOf } from '@/api/errors';

export interface ConfirmDialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** The effect of the action, and whether it can be undone. */
  children: ReactNode;
  /** The verb of the action, for example "Delete workflow". */
  confirmLabel: string;
  isDangerous?: boolean;
  /** The dialog closes when it resolves and shows the message when it rejects. */
  onConfirm: () => unknown;
  /** The other answer, if it does more than close the dialog. Default: "Cancel". */
  other?: { label: string; onChoose: () => unknown };
}

/** Asks the user to confirm an action that cannot be undone, or to choose one of two ways to continue. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, onClose, title, children, confirmLabel, isDangerous = true, onConfirm, other } = props;
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const close = () => {
    setFailure(null);
    onClose();
  };
  const confirm = async () => {
    setIsBusy(true);
    setFailure(null);
    try {
      await onConfirm();
      close();
    } catch (error) {
      setFailure(problemOf(error).message);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Modal opened={isOpen} onClose={close} title={title} size="sm">
      <Stack>
        <Text fz="sm">{children}</Text>
        {failure !== null && (
          <Text fz="sm" c="red" role="alert">
            {failure}
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={other ? () => void other.onChoose() : close} data-autofocus={isDangerous}>
            {other?.label ?? 'Cancel'}
          </Button>
          <Button
            color={isDangerous ? 'red.9' : undefined}
            loading={isBusy}
            onClick={() => void confirm()}
            data-autofocus={!isDangerous}
          >
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
