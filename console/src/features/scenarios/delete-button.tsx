import type { OperationVariables, TypedDocumentNode } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { ActionIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { assertAccepted } from '@/api/errors';
import { IconTrash } from '@/icons';
import { ConfirmDialog } from '@/shared/forms/confirm-dialog';

export interface DeleteButtonProps<TData, TVariables extends OperationVariables> {
  name: string;
  /** For example "prompt". */
  noun: string;
  /** The effect of the deletion. */
  note: string;
  mutation: TypedDocumentNode<TData, TVariables>;
  variables: TVariables;
  refetchQueries?: string[];
  onDeleted?: () => void;
}

/** A button that deletes after a confirmation. */
export function DeleteButton<TData, TVariables extends OperationVariables>(
  props: DeleteButtonProps<TData, TVariables>,
) {
  const { name, noun, note, mutation, variables, refetchQueries = [], onDeleted } = props;
  const client = useApolloClient();
  const [isOpen, dialog] = useDisclosure(false);
  const remove = async () => {
    const { data } = await client.mutate({ mutation, variables, refetchQueries, awaitRefetchQueries: true });
    assertAccepted(data as object | null | undefined);
    onDeleted?.();
  };
  return (
    <>
      <ActionIcon aria-label={`Delete ${name}`} onClick={dialog.open}>
        <IconTrash size={16} />
      </ActionIcon>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={dialog.close}
        title={`Delete “${name}”?`}
        confirmLabel={`Delete ${noun}`}
        onConfirm={remove}
      >
        {note} This cannot be undone.
      </ConfirmDialog>
    </>
  );
}
