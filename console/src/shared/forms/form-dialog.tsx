import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode, SubmitEventHandler } from 'react';
import { FormProblem } from './form-problem';

export interface FormDialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** The verb of the form, for example "Create key". */
  submitLabel: string;
  onSubmit: SubmitEventHandler<HTMLFormElement>;
  isBusy: boolean;
  /** An error that belongs to no field. */
  problem: string | null;
  /** The fields. */
  children: ReactNode;
  /** A further action, at the left. */
  extra?: ReactNode;
}

/** A form in a dialog, with its error above its buttons. */
export function FormDialog(props: FormDialogProps) {
  const { isOpen, onClose, title, submitLabel, onSubmit, isBusy, problem, children, extra } = props;
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      <form onSubmit={onSubmit}>
        <Stack>
          {children}
          <FormProblem problem={problem} />
          <Group justify={extra === undefined ? 'flex-end' : 'space-between'} gap="xs">
            {extra}
            <Group gap="xs">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" loading={isBusy}>
                {submitLabel}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
