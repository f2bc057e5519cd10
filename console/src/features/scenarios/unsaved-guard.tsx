import { useBlocker } from '@tanstack/react-router';
import { useUnsavedWork } from '@/session/unsaved-work';
import { ConfirmDialog } from '@/shared/forms/confirm-dialog';

/**
 * Asks for confirmation before a navigation that would lose input, and before the tab is closed. `subject` is the edited object, for
 * example "the message “Greeting”".
 */
export function UnsavedGuard({ isDirty, subject }: { isDirty: boolean; subject: string }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isDirty,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  useUnsavedWork(isDirty);
  return (
    <ConfirmDialog
      isOpen={status === 'blocked'}
      onClose={() => reset?.()}
      title="Leave without saving?"
      confirmLabel="Discard changes"
      onConfirm={() => proceed?.()}
      other={{ label: 'Keep editing', onChoose: () => reset?.() }}
    >
      Your changes of {subject} are not saved.
    </ConfirmDialog>
  );
}
