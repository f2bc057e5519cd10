import { ActionIcon, Menu, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconCoin, IconDots, IconGauge, IconTrash } from '@/icons';
import { ConfirmDialog } from '@/shared/confirm-dialog';
import { FormDialog } from '@/shared/form-dialog';
import { useFormMutation } from '@/shared/form-mutation';
import { notifySuccess } from '@/shared/notify';
import { useAction } from '@/shared/use-action';
import { DeleteApiKeyDocument, SetApiKeyBudgetDocument, UpdateApiKeyDocument } from './keys.generated';
import type { ApiKeyRow } from './keys-section';

/** Limits are set by administrators only. */
export function KeyMenu({ apiKey: key, isAdmin }: { apiKey: ApiKeyRow; isAdmin: boolean }) {
  const [isDeleting, deletion] = useDisclosure(false);
  const [isLimiting, limiting] = useDisclosure(false);
  const [isBudgeting, budgeting] = useDisclosure(false);
  const remove = useAction(DeleteApiKeyDocument, { failure: 'Not deleted', refetchQueries: ['ApiKeys'] });
  return (
    <>
      <Menu position="bottom-end" shadow="md" withinPortal>
        <Menu.Target>
          <ActionIcon aria-label={`Actions for ${key.name}`}>
            <IconDots size={17} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {isAdmin && (
            <>
              <Menu.Item leftSection={<IconGauge size={16} />} onClick={limiting.open}>
                Set request limit
              </Menu.Item>
              <Menu.Item leftSection={<IconCoin size={16} />} onClick={budgeting.open}>
                Set spending limit
              </Menu.Item>
              <Menu.Divider />
            </>
          )}
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={deletion.open}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        isOpen={isDeleting}
        onClose={deletion.close}
        title={`Delete the key “${key.name}”?`}
        confirmLabel="Delete key"
        onConfirm={() => remove.runOrThrow({ id: key.id })}
      >
        Programs that use it are refused at once. This cannot be undone.
      </ConfirmDialog>
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
