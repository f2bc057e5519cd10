import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';

/** Asks before a navigation that would lose input. Closing the tab asks too. */
export function UnsavedGuard({ isDirty, what }: { isDirty: boolean; what: string }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isDirty,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  return (
    <Modal
      opened={status === 'blocked'}
      onClose={() => reset?.()}
      title="Leave without saving?"
      size="sm"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack>
        <Text fz="sm">Your changes of {what} are not saved.</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => reset?.()} data-autofocus>
            Keep editing
          </Button>
          <Button color="red" onClick={() => proceed?.()}>
            Discard changes
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
