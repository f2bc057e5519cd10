import { useQuery } from '@apollo/client/react';
import { Modal } from '@mantine/core';
import { QueryView } from '@/shared/layout/query-view';
import { PromptDetailDocument } from '../library.generated';
import type { Names } from '../names';
import { PromptForm, type PromptValues } from './prompt-form';

const EMPTY: PromptValues = { key: '', role: 'USER', content: '', promptConditions: [] };

export interface PromptDialogProps {
  /** "new", the id of a prompt, or null while the dialog is closed. */
  open: 'new' | number | null;
  onClose: () => void;
  /** The variables and messages that placeholders and conditions of the prompt can refer to. */
  names: Names;
  refetchQueries: string[];
  /** Suggested for a new prompt. */
  suggestion?: Partial<PromptValues>;
  isReadOnly?: boolean;
  onSaved?: (id: number) => void | Promise<void>;
}

/** Creates a prompt or changes a stored one. */
export function PromptDialog(props: PromptDialogProps) {
  const { open, onClose, suggestion, onSaved, ...rest } = props;
  const saved = async (id: number) => {
    await onSaved?.(id);
    onClose();
  };
  return (
    <Modal opened={open !== null} onClose={onClose} title={open === 'new' ? 'New prompt' : 'Prompt'} size="xl">
      {open === 'new' && (
        <PromptForm {...rest} initial={{ ...EMPTY, ...suggestion }} onSaved={saved} onCancel={onClose} />
      )}
      {typeof open === 'number' && <StoredPrompt {...rest} id={open} onSaved={saved} onCancel={onClose} />}
    </Modal>
  );
}

type StoredPromptProps = Omit<PromptDialogProps, 'open' | 'onClose' | 'suggestion'> & {
  id: number;
  onCancel: () => void;
};

function StoredPrompt({ id, ...props }: StoredPromptProps) {
  const query = useQuery(PromptDetailDocument, { variables: { id } });
  return (
    <QueryView query={query}>
      {({ prompt: { key, role, content, promptConditions } }) => (
        <PromptForm {...props} id={id} initial={{ key, role, content, promptConditions }} />
      )}
    </QueryView>
  );
}
