import { IconDownload, IconTrash } from '@/icons';
import { useAction } from '@/shared/forms/use-action';
import { type Confirmation, RowMenu } from '@/shared/lists/row-menu';
import { DeleteDocumentDocument } from './documents.generated';

export interface DocumentMenuProps {
  document: { id: number; filename: string; resultUrl: string };
  canEdit: boolean;
}

/** The actions of a document in the list. */
export function DocumentMenu({ document: { id, filename, resultUrl }, canEdit }: DocumentMenuProps) {
  const confirmation = useDeleteDocument({ id, filename });
  return (
    <RowMenu
      label={`Actions for ${filename}`}
      actions={[
        { label: 'Download', icon: IconDownload, downloadUrl: resultUrl },
        canEdit && { label: 'Delete', icon: IconTrash, confirmation },
      ]}
    />
  );
}

export interface DeleteDocumentOptions {
  id: number;
  filename: string;
  onDeleted?: () => unknown;
}

/** Returns the confirmation that deletes a document. Without `onDeleted`, the list of documents is loaded again. */
export function useDeleteDocument({ id, filename, onDeleted }: DeleteDocumentOptions): Confirmation {
  const remove = useAction(DeleteDocumentDocument, {
    failure: 'Not deleted',
    refetchQueries: onDeleted ? [] : ['Documents'],
  });
  return {
    title: `Delete “${filename}”?`,
    text: 'Its text and chunks are deleted too, so searches no longer find it. This cannot be undone.',
    confirmLabel: 'Delete document',
    onConfirm: async () => {
      await remove.runOrThrow({ id });
      await onDeleted?.();
    },
  };
}
