import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconCoin, IconGauge, IconTrash } from '@/icons';
import { FormDialog } from '@/shared/forms/form-dialog';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { useAction } from '@/shared/forms/use-action';
import { RowMenu } from '@/shared/lists/row-menu';
import { notifySuccess } from '@/shared/notify';
import { DeleteApiKeyDocument, SetApiKeyBudgetDocument, UpdateApiKeyDocument } from './keys.generated';
import type { ApiKeyRow } from './keys-section';

/** The actions for an API key. Only administrators of the service set its limits. */
export function KeyMenu({ apiKey: key, isAdmin }: { apiKey: ApiKeyRow; isAdmin: boolean }) {
  const [isLimiting, limiting] = useDisclosure(false);
  const [isBudgeting, budgeting] = useDisclosure(false);
  const remove = useAction(DeleteApiKeyDocument, { failure: 'Not deleted', refetchQueries: ['ApiKeys'] });
  return (
    <>
      <RowMenu
        label={`Actions for ${key.name}`}
        actions={[
          isAdmin && { label: 'Set request limit', icon: IconGauge, onClick: limiting.open },
          isAdmin && { label: 'Set spending limit', icon: IconCoin, onClick: budgeting.open },
          {
            label: 'Delete',
            icon: IconTrash,
            confirmation: {
              title: `Delete the key “${key.name}”?`,
              text: 'Programs that use it are refused at once. This cannot be undone.',
              confirmLabel: 'Delete key',
              onConfirm: () => remove.runOrThrow({ id: key.id }),
            },
          },
        ]}
      />
      {isLimiting && <RateLimitDialog apiKey={key} onClose={limiting.close} />}
      {isBudgeting && <KeyBudgetDialog apiKey={key} onClose={budgeting.close} />}
    </>
  );
}

interface LimitDialogProps {
  apiKey: ApiKeyRow;
  onClose: () => void;
}

function RateLimitDialog({ apiKey: { id, rateLimit }, onClose }: LimitDialogProps) {
  const form = useForm({ initialValues: { rateLimit: rateLimit === null ? '' : String(rateLimit) } });
  const { submit, isBusy, problem } = useFormMutation(UpdateApiKeyDocument, {
    form,
    onDone: () => {
      notifySuccess('The limit is set.');
      onClose();
    },
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Request limit"
      submitLabel="Set limit"
      isBusy={isBusy}
      problem={problem}
      onSubmit={form.onSubmit(values =>
        submit({ id, input: { rateLimit: values.rateLimit.trim() === '' ? null : Number(values.rateLimit) } }),
      )}
    >
      <TextInput
        label="Requests per minute"
        description="Empty: the limit of the service. 0: unlimited."
        inputMode="numeric"
        pattern="[0-9]*"
        data-autofocus
        {...form.getInputProps('rateLimit')}
      />
    </FormDialog>
  );
}

function KeyBudgetDialog({ apiKey: { id, budget }, onClose }: LimitDialogProps) {
  const form = useForm({ initialValues: { limitUsd: budget?.limit.usd ?? '' } });
  const { submit, isBusy, problem } = useFormMutation(SetApiKeyBudgetDocument, {
    form,
    onDone: () => {
      notifySuccess('The spending limit is set.');
      onClose();
    },
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Spending limit"
      submitLabel="Set limit"
      isBusy={isBusy}
      problem={problem}
      onSubmit={form.onSubmit(({ limitUsd }) =>
        submit({ id, limitUsd: limitUsd.trim() === '' ? null : limitUsd.trim() }),
      )}
    >
      <TextInput
        label="Limit"
        description="For chat completions over the lifetime of the key. Empty: no limit. A key with a limit cannot create keys."
        leftSection="$"
        inputMode="decimal"
        data-autofocus
        {...form.getInputProps('limitUsd')}
      />
    </FormDialog>
  );
}
