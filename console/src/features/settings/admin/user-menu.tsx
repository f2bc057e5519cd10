import { ActionIcon, Menu, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { IconApi, IconCoin, IconDots, IconKey, IconShield, IconTrash, IconUserCheck, IconUserOff } from '@/icons';
import { ConfirmDialog } from '@/shared/confirm-dialog';
import { FormDialog } from '@/shared/form-dialog';
import { useFormMutation } from '@/shared/form-mutation';
import { Money } from '@/shared/money';
import { notifySuccess } from '@/shared/notify';
import { SecretOnce } from '@/shared/secret-once';
import { useAction } from '@/shared/use-action';
import {
  CreateResetLinkDocument,
  DeleteUserDocument,
  SetOperatorLimitDocument,
  UpdateUserDocument,
  type UserRowFragment,
} from './admin.generated';

export function UserMenu({ user, isSelf }: { user: UserRowFragment; isSelf: boolean }) {
  const { id, isAdmin, isApiAllowed, isDisabled } = user;
  const name = user.name || user.email;
  const [isDisabling, disabling] = useDisclosure(false);
  const [isDeleting, deletion] = useDisclosure(false);
  const [isLimiting, limiting] = useDisclosure(false);
  const [resetAddress, setResetAddress] = useState<string | null>(null);
  const reset = useAction(CreateResetLinkDocument, { failure: 'No link created' });
  const update = useAction(UpdateUserDocument, { failure: 'Not changed' });
  const remove = useAction(DeleteUserDocument, { failure: 'Not deleted', refetchQueries: ['Users'] });
  const createResetLink = async () => {
    const path = (await reset.run({ userId: id }))?.passwordResetLinkCreate?.link?.path;
    if (path !== undefined) setResetAddress(`${location.origin}${path}`);
  };
  return (
    <>
      <Menu position="bottom-end" shadow="md" withinPortal>
        <Menu.Target>
          <ActionIcon aria-label={`Actions for ${name}`}>
            <IconDots size={17} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconApi size={16} />}
            onClick={() => void update.run({ id, input: { isApiAllowed: !isApiAllowed } })}
          >
            {isApiAllowed ? 'Forbid API keys' : 'Allow API keys'}
          </Menu.Item>
          <Menu.Item leftSection={<IconCoin size={16} />} onClick={limiting.open}>
            Set operator limit
          </Menu.Item>
          {!isDisabled && (
            <Menu.Item leftSection={<IconKey size={16} />} onClick={() => void createResetLink()}>
              Create link for a new password
            </Menu.Item>
          )}
          {!isSelf && (
            <>
              <Menu.Item
                leftSection={<IconShield size={16} />}
                onClick={() => void update.run({ id, input: { isAdmin: !isAdmin } })}
              >
                {isAdmin ? 'Remove administrator rights' : 'Make administrator'}
              </Menu.Item>
              {isDisabled ? (
                <Menu.Item
                  leftSection={<IconUserCheck size={16} />}
                  onClick={() => void update.run({ id, input: { isDisabled: false } })}
                >
                  Enable
                </Menu.Item>
              ) : (
                <Menu.Item leftSection={<IconUserOff size={16} />} onClick={disabling.open}>
                  Disable
                </Menu.Item>
              )}
              <Menu.Divider />
              <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={deletion.open}>
                Delete
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        isOpen={isDisabling}
        onClose={disabling.close}
        title={`Disable ${name}?`}
        confirmLabel="Disable user"
        onConfirm={() => update.runOrThrow({ id, input: { isDisabled: true } })}
      >
        Keys and logins of the user stop working and sessions end. Runs in progress continue. You can enable the user
        again.
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={isDeleting}
        onClose={deletion.close}
        title={`Delete ${name}?`}
        confirmLabel="Delete user"
        onConfirm={() => remove.runOrThrow({ id })}
      >
        The personal data is removed; runs, ledger and audit log stay. A user who owns projects must transfer them
        first. This cannot be undone.
      </ConfirmDialog>
      <SecretOnce
        title={`Link for ${name}`}
        secret={resetAddress}
        onClose={() => setResetAddress(null)}
        label="Link"
        closeLabel="Done"
      >
        The user sets a new password by this link, once, within 24 hours. It is shown only now. Earlier links of the
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
