import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { IconApi, IconCoin, IconKey, IconShield, IconTrash, IconUserCheck, IconUserOff } from '@/icons';
import { FormDialog } from '@/shared/forms/form-dialog';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { useAction } from '@/shared/forms/use-action';
import { type MenuAction, RowMenu } from '@/shared/lists/row-menu';
import { Money } from '@/shared/money';
import { notifySuccess } from '@/shared/notify';
import { SecretOnce } from '@/shared/secret-once';
import {
  CreateResetLinkDocument,
  DeleteUserDocument,
  SetOperatorLimitDocument,
  UpdateUserDocument,
  type UserRowFragment,
} from './admin.generated';

/** The actions of administrators for a user. */
export function UserMenu({ user, isSelf }: { user: UserRowFragment; isSelf: boolean }) {
  const { id, isAdmin, isApiAllowed, isDisabled } = user;
  const name = user.name || user.email;
  const [isLimiting, limiting] = useDisclosure(false);
  const [resetAddress, setResetAddress] = useState<string | null>(null);
  const reset = useAction(CreateResetLinkDocument, { failure: 'No link created' });
  const update = useAction(UpdateUserDocument, { failure: 'Not changed' });
  const remove = useAction(DeleteUserDocument, { failure: 'Not deleted', refetchQueries: ['Users'] });
  const createResetLink = async () => {
    const path = (await reset.run({ userId: id }))?.passwordResetLinkCreate?.link?.path;
    if (path !== undefined) setResetAddress(`${location.origin}${path}`);
  };
  const disableAction: MenuAction = {
    label: 'Disable',
    icon: IconUserOff,
    confirmation: {
      title: `Disable ${name}?`,
      text: 'Keys and logins of the user stop working and sessions end. Runs in progress continue. You can enable the user again.',
      confirmLabel: 'Disable user',
      onConfirm: () => update.runOrThrow({ id, input: { isDisabled: true } }),
    },
  };
  const deleteAction: MenuAction = {
    label: 'Delete',
    icon: IconTrash,
    isSeparate: isDisabled,
    confirmation: {
      title: `Delete ${name}?`,
      text: 'The personal data is removed; runs, ledger and audit log stay. A user who owns projects must transfer them first. This cannot be undone.',
      confirmLabel: 'Delete user',
      onConfirm: () => remove.runOrThrow({ id }),
    },
  };
  return (
    <>
      <RowMenu
        label={`Actions for ${name}`}
        actions={[
          {
            label: isApiAllowed ? 'Forbid API keys' : 'Allow API keys',
            icon: IconApi,
            onClick: () => update.run({ id, input: { isApiAllowed: !isApiAllowed } }),
          },
          { label: 'Set operator limit', icon: IconCoin, onClick: limiting.open },
          !isDisabled && { label: 'Create link for a new password', icon: IconKey, onClick: createResetLink },
          !isSelf && {
            label: isAdmin ? 'Remove administrator rights' : 'Make administrator',
            icon: IconShield,
            onClick: () => update.run({ id, input: { isAdmin: !isAdmin } }),
          },
          !isSelf &&
            isDisabled && {
              label: 'Enable',
              icon: IconUserCheck,
              onClick: () => update.run({ id, input: { isDisabled: false } }),
            },
          !isSelf && !isDisabled && disableAction,
          !isSelf && deleteAction,
        ]}
      />
      <SecretOnce
        title={`Link for ${name}`}
        secret={resetAddress}
        onClose={() => setResetAddress(null)}
        label="Link"
        closeLabel="Done"
      >
        With this link, the user can set a new password once within 24 hours. It is shown only now. Earlier links of the
        user are invalid.
      </SecretOnce>
      {isLimiting && <OperatorLimitDialog user={user} onClose={limiting.close} />}
    </>
  );
}

function OperatorLimitDialog({ user, onClose }: { user: UserRowFragment; onClose: () => void }) {
  const { operatorLimit: limit } = user;
  const form = useForm({ initialValues: { limitUsd: limit && !limit.isDefault ? limit.limit.usd : '' } });
  const { submit, isBusy, problem } = useFormMutation(SetOperatorLimitDocument, {
    form,
    refetchQueries: ['Users'],
    onDone: () => {
      notifySuccess('The operator limit is set.');
      onClose();
    },
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={`Operator limit of ${user.name || user.email}`}
      submitLabel="Set limit"
      isBusy={isBusy}
      problem={problem}
      onSubmit={form.onSubmit(({ limitUsd }) =>
        submit({ input: { holder: { userId: user.id }, limitUsd: limitUsd.trim() === '' ? null : limitUsd.trim() } }),
      )}
    >
      <Text fz="sm" c="dimmed">
        The amount that the user may spend with provider keys of the service.
        {limit && (
          <>
            {' '}
            Spent: <Money usd={limit.spent.usd} />.
          </>
        )}
      </Text>
      <TextInput
        label="Limit"
        description="Empty: the default of the service"
        leftSection="$"
        inputMode="decimal"
        data-autofocus
        {...form.getInputProps('limitUsd')}
      />
    </FormDialog>
  );
}
