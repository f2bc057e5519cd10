import { useApolloClient } from '@apollo/client/react';
import type { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from '@/shared/forms/confirm-dialog';
import { isObject } from '@/shared/json/json-value';
import { notifyProblem } from '@/shared/notify';
import { EditorWorkflowDocument } from '../editor.generated';
import type { Editor } from '../use-editor';
import type { SaveControl } from '../use-save';

interface ConflictProps {
  saving: SaveControl;
  editor: Editor;
  workflowId: number;
}

/** Asks what to do when the workflow was saved elsewhere, by any user, while it was edited here. */
export function SaveConflictDialog({ saving, editor, workflowId }: ConflictProps) {
  const client = useApolloClient();
  const loadTheirs = async () => {
    try {
      const { data } = await client.query({
        query: EditorWorkflowDocument,
        variables: { id: workflowId },
        fetchPolicy: 'network-only',
      });
      if (!data?.workflow) return;
      editor.commands.load(isObject(data.workflow.data) ? data.workflow.data : {});
      saving.resolve(data.workflow);
    } catch (error) {
      notifyProblem('Not loaded', error);
    }
  };
  return (
    <ConfirmDialog
      isOpen={saving.isConflict}
      onClose={saving.dismiss}
      title="This workflow was saved elsewhere"
      confirmLabel="Replace it with mine"
      onConfirm={() => saving.save(editor.root, true)}
      other={{ label: 'Load the stored version', onChoose: loadTheirs }}
    >
      Another user, or you in another tab, saved it while you edited it here. Replace the stored version with yours, or
      load it and lose your changes. To keep both, export your version first.
    </ConfirmDialog>
  );
}

interface LeaveProps {
  // biome-ignore lint/suspicious/noExplicitAny: the blocker of any route.
  blocker: Extract<ReturnType<typeof useBlocker<any, true>>, { status: string }>;
  save: () => Promise<number | null>;
}

/** Asks before a navigation leaves the editor with changes that are not saved. */
export function LeaveDialog({ blocker, save }: LeaveProps) {
  const saveAndLeave = async () => {
    if ((await save()) !== null) blocker.proceed?.();
    else blocker.reset?.();
  };
  return (
    <ConfirmDialog
      isOpen={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      title="Save your changes?"
      confirmLabel="Save and leave"
      isDangerous={false}
      onConfirm={saveAndLeave}
      other={{ label: 'Discard', onChoose: () => blocker.proceed?.() }}
    >
      The workflow has changes that are not saved.
    </ConfirmDialog>
  );
}
