import { useMutation } from '@apollo/client/react';
import { ActionIcon, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { assertAccepted } from '@/api/errors';
import {
  IconBolt,
  IconBuildingStore,
  IconCopy,
  IconDots,
  IconHistory,
  IconPlayerPlay,
  IconPlug,
  IconTrash,
} from '@/icons';
import { ConfirmDialog } from '@/shared/confirm-dialog';
import { notifyProblem, notifySuccess } from '@/shared/notify';
import { useProjectId } from '@/shared/use-project';
import { McpToolDialog } from './mcp-tool-dialog';
import { PauseItem } from './pause-item';
import { DeleteWorkflowDocument, DuplicateWorkflowDocument } from './workflows.generated';

const SCREENS = [
  { label: 'Run', Icon: IconPlayerPlay, to: '/projects/$projectId/workflows/$workflowId/run' },
  { label: 'Triggers', Icon: IconBolt, to: '/projects/$projectId/workflows/$workflowId/triggers' },
  { label: 'Versions', Icon: IconHistory, to: '/projects/$projectId/workflows/$workflowId/versions' },
  { label: 'Marketplace', Icon: IconBuildingStore, to: '/projects/$projectId/workflows/$workflowId/marketplace' },
] as const;

interface WorkflowOfMenu {
  id: number;
  title: string;
  canEdit: boolean;
  pausedAt: string | null;
}

export function WorkflowMenu({ workflow }: { workflow: WorkflowOfMenu }) {
  const { id, title, canEdit } = workflow;
  const projectId = String(useProjectId());
  const navigate = useNavigate();
  const [isDeleting, dialog] = useDisclosure(false);
  const [isTool, toolDialog] = useDisclosure(false);
  const refresh = { refetchQueries: ['Workflows'], awaitRefetchQueries: true };
  const [duplicate] = useMutation(DuplicateWorkflowDocument, refresh);
  const [remove] = useMutation(DeleteWorkflowDocument, refresh);
  const copy = async () => {
    try {
      assertAccepted((await duplicate({ variables: { id } })).data);
      notifySuccess(`“${title}” was duplicated.`);
    } catch (error) {
      notifyProblem('Not duplicated', error);
    }
  };
  return (
    <>
      <Menu position="bottom-end" shadow="md" withinPortal>
        <Menu.Target>
          <ActionIcon aria-label={`Actions for ${title}`}>
            <IconDots size={17} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {SCREENS.map(({ label, Icon, to }) => (
            <Menu.Item
              key={to}
              leftSection={<Icon size={16} />}
              onClick={() => void navigate({ to, params: { projectId, workflowId: String(id) } })}
            >
              {label}
            </Menu.Item>
          ))}
          {canEdit && (
            <>
              <Menu.Item leftSection={<IconPlug size={16} />} onClick={toolDialog.open}>
                MCP tool
              </Menu.Item>
              <PauseItem workflow={workflow} />
              <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => void copy()}>
                Duplicate
              </Menu.Item>
              <Menu.Divider />
              <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={dialog.open}>
                Delete
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {isTool && <McpToolDialog workflow={workflow} onClose={toolDialog.close} />}
      <ConfirmDialog
        isOpen={isDeleting}
        onClose={dialog.close}
        title={`Delete “${title}”?`}
        confirmLabel="Delete workflow"
        onConfirm={async () => assertAccepted((await remove({ variables: { id } })).data)}
      >
        Its runs stay in the history. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}
