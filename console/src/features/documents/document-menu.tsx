import { useApolloClient } from '@apollo/client/react';
import { ActionIcon, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { assertAccepted } from '@/api/errors';
import { IconDots, IconDownload, IconTrash } from '@/icons';
import { ConfirmDialog } from '@/shared/confirm-dialog';
import { DeleteDocumentDocument } from './documents.generated';

export interface DocumentMenuProps {
  document: { id: number; filename: string; resultUrl: string };
  canEdit: boolean;
}

export function DocumentMenu({ document: { id, filename, resultUrl }, canEdit }: DocumentMenuProps) {
  const [isDeleting, dialog] = useDisclosure(false);
  return (
    <>
      <Menu position="bottom-end" shadow="md" withinPortal>
        <Menu.Target>
          <ActionIcon aria-label={`Actions for ${filename}`}>
            <IconDots size={17} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component="a" href={resultUrl} download leftSection={<IconDownload size={16} />}>
            Download
          </Menu.Item>
          {canEdit && (
            <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={dialog.open}>
              Delete
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <DeleteDocumentDialog id={id} filename={filename} isOpen={isDeleting} onClose={dialog.close} />
    </>
  );
}

export interface DeleteDocumentDialogProps {
  id: number;
  filename: string;
  isOpen: boolean;
  onClose: () => void;
  onDeleted?: () => void;
}

export function DeleteDocumentDialog({ id, filename, isOpen, onClose, onDeleted }: DeleteDocumentDialogProps) {
  const client = useApolloClient();
  const remove = async () => {
    const { data } = await client.mutate({
      mutation: DeleteDocumentDocument,
      variables: { id },
      refetchQueries: onDeleted ? [] : ['Documents'],
      awaitRefetchQueries: true,
    });
    assertAccepted(data);
    onDeleted?.();
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Delete “${filename}”?`}
      confirmLabel="Delete document"
      onConfirm={remove}
    >
      Its text and chunks are deleted too, so searches no longer find it. This cannot be undone.
    </ConfirmDialog>
  );
}
