import { ActionIcon, type ActionIconProps, Menu } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import { IconDots } from '@/icons';
import { ConfirmDialog } from '@/shared/forms/confirm-dialog';
import type { Icon } from '@/shared/icon';

/** The dialog that the user must confirm before the action runs. */
export interface Confirmation {
  title: string;
  /** The effect of the action, and whether it can be undone. */
  text: ReactNode;
  /** The verb of the action, for example "Delete workflow". */
  confirmLabel: string;
  isDangerous?: boolean;
  /** Rejects if the action is refused: the dialog shows why. */
  onConfirm: () => Promise<unknown>;
}

interface MenuActionBase {
  label: string;
  icon: Icon;
  isDisabled?: boolean;
  /** Whether a line separates it from the actions above. Default: if it is dangerous. */
  isSeparate?: boolean;
}

/** An action runs immediately, runs after a confirmation, or downloads a file. */
export type MenuAction = MenuActionBase &
  ({ onClick: () => unknown } | { confirmation: Confirmation } | { downloadUrl: string });

export interface RowMenuProps {
  /** The accessible name of the button, for example "Actions for Support". */
  label: string;
  /** Absent actions are left out, so that the list may contain conditions. Callers place actions that delete last. */
  actions: readonly (MenuAction | false | null | undefined)[];
  button?: ActionIconProps;
}

/** A button with three dots that opens the actions of a row, a card or a page. */
export function RowMenu({ label, actions, button }: RowMenuProps) {
  // Kept after the dialog is closed, so that its text does not change while it disappears.
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const shown = actions.filter(action => !!action);
  if (shown.length === 0) return null;
  const openDialog = (next: Confirmation) => {
    setConfirmation(next);
    setIsDialogOpen(true);
  };
  return (
    <>
      <Menu position="bottom-end" shadow="md" withinPortal>
        <Menu.Target>
          <ActionIcon aria-label={label} {...button}>
            <IconDots size={17} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {shown.map((action, index) => (
            <Fragment key={action.label}>
              {index > 0 && (action.isSeparate ?? isDangerous(action)) && <Menu.Divider />}
              <MenuItem action={action} onConfirmationNeeded={openDialog} />
            </Fragment>
          ))}
        </Menu.Dropdown>
      </Menu>
      {confirmation !== null && (
        <ConfirmDialog
          isOpen={isDialogOpen}
          onClose={() => setIsDialogOpen(false)}
          title={confirmation.title}
          confirmLabel={confirmation.confirmLabel}
          isDangerous={confirmation.isDangerous ?? true}
          onConfirm={confirmation.onConfirm}
        >
          {confirmation.text}
        </ConfirmDialog>
      )}
    </>
  );
}

/** Whether the action is destructive: it requires confirmation and is shown in red. */
const isDangerous = (action: MenuAction) => 'confirmation' in action && action.confirmation.isDangerous !== false;

interface MenuItemProps {
  action: MenuAction;
  onConfirmationNeeded: (confirmation: Confirmation) => void;
}

function MenuItem({ action, onConfirmationNeeded }: MenuItemProps) {
  const { label, icon: Icon, isDisabled } = action;
  const shared = { leftSection: <Icon size={16} />, disabled: isDisabled, children: label };
  if ('downloadUrl' in action) return <Menu.Item component="a" href={action.downloadUrl} download {...shared} />;
  if ('onClick' in action) return <Menu.Item onClick={() => void action.onClick()} {...shared} />;
  return (
    <Menu.Item
      color={isDangerous(action) ? 'red' : undefined}
      onClick={() => onConfirmationNeeded(action.confirmation)}
      {...shared}
    />
  );
}
