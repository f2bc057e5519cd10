import { useBlocker } from '@tanstack/react-router';
import { useUnsavedWork } from '@/session/unsaved-work';
import { ConfirmDialog } from './confirm-dialog';

export interface UnsavedGuardProps {
  /** Called at the navigation, because a form that was just saved navigates before it is rendered again. */
  isDirty: () => boolean;
  /** The edited object, for example "the message “Greeting”". */
  subject: string;
}

/** Asks for confirmation before a navigation that would lose input, and before the tab is closed. */
export function UnsavedGuard({ isDirty, subject }: UnsavedGuardProps) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: isDirty,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  useUnsavedWork(isDirty());
  return (
    <ConfirmDialog
      isOpen={status === 'blocked'}
      onClose={() => reset?.()}
      title="Leave without saving?"
      confirmLabel="Discard changes"
      onConfirm={() => proceed?.()}
      other={{ label: 'Keep editing', onChoose: () => reset?.() }}
    >
      Your changes to {subject} are not saved.
    </ConfirmDialog>
  );
}
