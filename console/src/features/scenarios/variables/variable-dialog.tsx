import { useQuery } from '@apollo/client/react';
import { Modal } from '@mantine/core';
import { QueryView } from '@/shared/layout/query-view';
import { VariableDetailDocument } from '../library.generated';
import { VariableForm } from './variable-form';

export interface VariableDialogProps {
  /** "new", the id of a variable, or null while the dialog is closed. */
  open: 'new' | number | null;
  onClose: () => void;
  refetchQueries: string[];
  isReadOnly?: boolean;
}

/** Creates a variable or changes a stored one. */
export function VariableDialog({ open, onClose, ...props }: VariableDialogProps) {
  return (
    <Modal opened={open !== null} onClose={onClose} title={open === 'new' ? 'New variable' : 'Variable'} size="lg">
      {open === 'new' && <VariableForm {...props} variable={null} onSaved={onClose} onCancel={onClose} />}
      {typeof open === 'number' && <StoredVariable {...props} id={open} onClose={onClose} />}
    </Modal>
  );
}

function StoredVariable({ id, onClose, ...props }: Omit<VariableDialogProps, 'open'> & { id: number }) {
  // Not from the cache: a keyword run supplies the values of some variables, which change with its keywords.
  const query = useQuery(VariableDetailDocument, { variables: { id }, fetchPolicy: 'network-only' });
  return (
    <QueryView query={query}>
      {({ variable }) => <VariableForm {...props} variable={variable} onSaved={onClose} onCancel={onClose} />}
    </QueryView>
  );
}
