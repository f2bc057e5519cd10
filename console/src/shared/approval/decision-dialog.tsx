import { Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { FormDialog } from '@/shared/forms/form-dialog';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { notifySuccess } from '@/shared/notify';
import { type ApprovalDetailsFragment, ApproveRequestDocument, RejectRequestDocument } from './approval.generated';
import { type Arguments, changesOf, toArguments } from './arguments';
import { ArgumentsChanges } from './arguments-changes';
import { ArgumentsForm } from './arguments-form';
import { useDecidedMeanwhile } from './use-decided-meanwhile';

export type Decision = 'approved' | 'rejected';

export interface DecisionDialogProps {
  approval: ApprovalDetailsFragment;
  /** The requested action, for example "Call pay_refund". */
  action: string;
  decision: Decision;
  onClose: () => void;
  onDecided: (decision: Decision) => void;
}

const MAX_COMMENT = 2_000;

/** The decision with a comment; an approval also with changed arguments. */
export function DecisionDialog({ approval, action, decision, onClose, onDecided }: DecisionDialogProps) {
  const { runId, requestId, kind, argumentsSchema } = approval;
  const original = toArguments(approval.arguments);
  const isQuestion = kind === 'DECISION';
  const form = useForm<{ comment: string; editedArguments: Arguments }>({
    initialValues: { comment: '', editedArguments: toArguments(approval.editedArguments ?? original) },
  });
  const [isInvalid, setIsInvalid] = useState(false);
  const noteClose = useDecidedMeanwhile(approval, action);
  const close = () => {
    noteClose();
    onClose();
  };
  const isApproval = decision === 'approved';
  const canEdit = isApproval && argumentsSchema !== null;
  const onDone = () => {
    notifySuccess(isApproval ? (isQuestion ? 'Approved.' : 'Approved. The agent continues.') : 'Rejected.');
    close();
    onDecided(decision);
  };
  const approve = useFormMutation(ApproveRequestDocument, { form, onDone });
  const reject = useFormMutation(RejectRequestDocument, { form, onDone });
  const { editedArguments, comment } = form.values;
  const isChanged = changesOf(original, editedArguments).length > 0;
  const decide = () => {
    const request = { runId, requestId, comment: comment.trim() || null };
    if (!isApproval) return void reject.submit(request);
    // Null: the arguments are unchanged. The form of a question is always sent.
    void approve.submit({ ...request, editedArguments: canEdit && (isChanged || isQuestion) ? editedArguments : null });
  };
  return (
    <FormDialog
      isOpen
      onClose={close}
      title={toQuestion(`${isApproval ? 'Approve' : 'Reject'}: ${action}`)}
      submitLabel={isApproval ? (canEdit && isChanged && !isQuestion ? 'Approve with changes' : 'Approve') : 'Reject'}
      onSubmit={form.onSubmit(() => {
        if (!isInvalid) decide();
      })}
      isBusy={approve.isBusy || reject.isBusy}
      problem={approve.problem ?? reject.problem}
    >
      {canEdit && (
        <ArgumentsForm
          schema={argumentsSchema}
          original={original}
          value={editedArguments}
          onChange={next => form.setFieldValue('editedArguments', next)}
          onInvalid={setIsInvalid}
          errors={memberErrors(form.errors)}
        />
      )}
      {canEdit && !isQuestion && <ArgumentsChanges before={original} after={editedArguments} />}
      <Textarea
        label="Comment"
        description={commentUse(kind, decision)}
        autosize
        maxRows={8}
        maxLength={MAX_COMMENT}
        {...form.getInputProps('comment')}
      />
      <Text fz="sm">{consequence(kind, decision)} The decision cannot be changed.</Text>
    </FormDialog>
  );
}

/** A title that people write may end with a mark of its own. */
const toQuestion = (text: string) => (/[?!.…]$/.test(text.trim()) ? text : `${text}?`);

/** `editedArguments.amount` becomes `amount`. */
function memberErrors(errors: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).flatMap(([path, message]) => {
      const [root, member = ''] = path.split('.');
      return root === 'editedArguments' && typeof message === 'string' ? [[member, message]] : [];
    }),
  );
}

function commentUse(kind: string, decision: Decision): string {
  if (kind === 'DECISION') return 'Recorded with the decision, and part of the content of the node.';
  if (decision === 'approved')
    return 'Recorded with the decision. With changed arguments, the model receives it as well.';
  return kind === 'START' ? 'Recorded with the decision.' : 'Recorded with the decision. The model receives it.';
}

function consequence(kind: string, decision: Decision): string {
  if (kind === 'DECISION') return 'The workflow continues when enough people have decided.';
  if (decision === 'approved')
    return kind === 'START' ? 'The agent starts.' : 'The tool is called with these arguments.';
  return kind === 'START' ? 'The node fails.' : 'The agent continues without the call.';
}
