import { ActionIcon, type ActionIconProps, Menu } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import { IconDots } from '@/icons';
import { ConfirmDialog } from './confirm-dialog';
import type { Icon } from './icon';

/** A question before the action. */
export interface ActionQuestion {
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

/** An action does something, asks first, or downloads a file. */
export type MenuAction = MenuActionBase &
  ({ onClick: () => unknown } | { question: ActionQuestion } | { downloadUrl: string });

export interface RowMenuProps {
  /** The accessible name of the button, for example "Actions for Support". */
  label: string;
  /** Absent actions are left out, so that the list may contain conditions. */
  actions: readonly (MenuAction | false | null | undefined)[];
  button?: ActionIconProps;
}

/** The actions of a row, a card or a page, behind three dots. Actions that delete come last. */
export function RowMenu({ label, actions, button }: RowMenuProps) {
  const [question, setQuestion] = useState<ActionQuestion | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const shown = actions.filter(action => !!action);
  if (shown.length === 0) return null;
  const ask = (next: ActionQuestion) => {
    setQuestion(next);
    setIsAsking(true);
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
              <MenuItem action={action} onAsk={ask} />
            </Fragment>
          ))}
        </Menu.Dropdown>
      </Menu>
      {question !== null && (
        <ConfirmDialog
          isOpen={isAsking}
          onClose={() => setIsAsking(false)}
          title={question.title}
          confirmLabel={question.confirmLabel}
          isDangerous={question.isDangerous ?? true}
          onConfirm={question.onConfirm}
        >
          {question.text}
        </ConfirmDialog>
      )}
    </>
  );
}

/** Whether the action loses something: it asks, in red. */
const isDangerous = (action: MenuAction) => 'question' in action && action.question.isDangerous !== false;

function MenuItem({ action, onAsk }: { action: MenuAction; onAsk: (question: ActionQuestion) => void }) {
  const { label, icon: Icon, isDisabled } = action;
  const shared = { leftSection: <Icon size={16} />, disabled: isDisabled, children: label };
  if ('downloadUrl' in action) return <Menu.Item component="a" href={action.downloadUrl} download {...shared} />;
  if ('onClick' in action) return <Menu.Item onClick={() => void action.onClick()} {...shared} />;
  return (
    <Menu.Item color={isDangerous(action) ? 'red' : undefined} onClick={() => onAsk(action.question)} {...shared} />
  );
}
