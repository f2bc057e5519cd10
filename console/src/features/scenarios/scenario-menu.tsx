import { useApolloClient } from '@apollo/client/react';
import { ActionIcon, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { assertAccepted } from '@/api/errors';
import { IconDots, IconPlayerPlay, IconTrash } from '@/icons';
import { ConfirmDialog } from '@/shared/confirm-dialog';
import { useProjectId } from '@/shared/use-project';
import { DeleteScenarioDocument } from './scenarios.generated';

export interface ScenarioMenuProps {
  scenario: { id: number; name: string; canEdit: boolean };
  onDeleted?: () => void;
}

export function ScenarioMenu({ scenario: { id, name, canEdit }, onDeleted }: ScenarioMenuProps) {
  const projectId = String(useProjectId());
  const navigate = useNavigate();
  const client = useApolloClient();
  const [isDeleting, dialog] = useDisclosure(false);
  const remove = async () => {
    const { data } = await client.mutate({
      mutation: DeleteScenarioDocument,
      variables: { id },
      refetchQueries: ['Scenarios'],
      awaitRefetchQueries: true,
    });
    assertAccepted(data);
    onDeleted?.();
  };
  const run = () =>
    void navigate({
      to: '/projects/$projectId/scenarios/$scenarioId/run',
      params: { projectId, scenarioId: String(id) },
    });
  return (
    <>
      <Menu position="bottom-end" shadow="md" withinPortal>
        <Menu.Target>
          <ActionIcon aria-label={`Actions for ${name}`}>
            <IconDots size={17} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPlayerPlay size={16} />} onClick={run}>
            Run
          </Menu.Item>
          {canEdit && (
            <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={dialog.open}>
              Delete
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        isOpen={isDeleting}
        onClose={dialog.close}
        title={`Delete “${name}”?`}
        confirmLabel="Delete scenario"
        onConfirm={remove}
      >
        Its messages and prompts stay in the project. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}
