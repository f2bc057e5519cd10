import { useApolloClient } from '@apollo/client/react';
import { Button, Group, Modal, Text } from '@mantine/core';
import type { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { notifyProblem } from '@/shared/notify';
import { EditorWorkflowDocument } from '../editor.generated';
import { isMembers } from '../model/json';
import type { Editor } from '../use-editor';
import type { SaveControl } from '../use-save';

interface ConflictProps {
  saving: SaveControl;
  editor: Editor;
  workflowId: number;
}

/** Another user saved while the graph was edited here. */
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
      editor.commands.load(isMembers(data.workflow.data) ? data.workflow.data : {});
      saving.resolve(data.workflow);
    } catch (error) {
      notifyProblem('Not loaded', error);
    }
  };
  return (
    <Modal
      opened={saving.isConflict}
      onClose={saving.dismiss}
      title="Another user saved this workflow"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Text fz="sm" mb="md">
        The workflow changed while you edited it. Replace the stored version with yours, or load it and lose your
        changes. To keep both, export your version first.
      </Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => void loadTheirs()}>
          Load the stored version
        </Button>
        <Button color="red" loading={saving.isSaving} onClick={() => void saving.save(editor.root, true)}>
          Replace it with mine
        </Button>
      </Group>
    </Modal>
  );
}

interface LeaveProps {
  // biome-ignore lint/suspicious/noExplicitAny: the blocker of any route.
  blocker: Extract<ReturnType<typeof useBlocker<any, true>>, { status: string }>;
  save: () => Promise<boolean>;
}

/** Leaving the editor with changes that are not saved. */
export function LeaveDialog({ blocker, save }: LeaveProps) {
  const [isSaving, setIsSaving] = useState(false);
  const isOpen = blocker.status === 'blocked';
  const saveAndLeave = async () => {
    setIsSaving(true);
    const isSaved = await save();
    setIsSaving(false);
    if (isSaved) blocker.proceed?.();
    else blocker.reset?.();
  };
  return (
    <Modal
      opened={isOpen}
      onClose={() => blocker.reset?.()}
      title="Save your changes?"
      size="sm"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Text fz="sm" mb="md">
        The workflow has changes that are not saved.
      </Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => blocker.proceed?.()}>
          Discard
        </Button>
        <Button loading={isSaving} onClick={() => void saveAndLeave()} data-autofocus>
          Save and leave
        </Button>
      </Group>
    </Modal>
  );
}
