import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import {
  IconBolt,
  IconBuildingStore,
  IconCopy,
  IconHistory,
  IconPlayerPlay,
  IconPlug,
  IconTable,
  IconTrash,
} from '@/icons';
import { useAction } from '@/shared/forms/use-action';
import { RowMenu } from '@/shared/lists/row-menu';
import { useProjectId } from '@/shared/project/use-project';
import { McpToolDialog } from './mcp-tool-dialog';
import { usePauseAction } from './pause-action';
import { DeleteWorkflowDocument, DuplicateWorkflowDocument } from './workflows.generated';

/** The screens of editors. */
const RUN_SCREENS = [
  { label: 'Run', icon: IconPlayerPlay, to: '/projects/$projectId/workflows/$workflowId/run' },
  { label: 'Run many', icon: IconTable, to: '/projects/$projectId/workflows/$workflowId/run-many' },
] as const;
const SCREENS = [
  { label: 'Triggers', icon: IconBolt, to: '/projects/$projectId/workflows/$workflowId/triggers' },
  { label: 'Versions', icon: IconHistory, to: '/projects/$projectId/workflows/$workflowId/versions' },
  { label: 'Marketplace', icon: IconBuildingStore, to: '/projects/$projectId/workflows/$workflowId/marketplace' },
] as const;

interface WorkflowOfMenu {
  id: number;
  title: string;
  canEdit: boolean;
  pausedAt: string | null;
}

/** The actions for a workflow. */
export function WorkflowMenu({ workflow }: { workflow: WorkflowOfMenu }) {
  const { id, title, canEdit } = workflow;
  const projectId = String(useProjectId());
  const navigate = useNavigate();
  const [isTool, toolDialog] = useDisclosure(false);
  const refetchQueries = ['Workflows'];
  const duplicate = useAction(DuplicateWorkflowDocument, {
    failure: 'Not duplicated',
    success: `“${title}” was duplicated.`,
    refetchQueries,
  });
  const pause = usePauseAction(workflow);
  const remove = useAction(DeleteWorkflowDocument, { failure: 'Not deleted', refetchQueries });
  return (
    <>
      <RowMenu
        label={`Actions for ${title}`}
        actions={[
          ...[...(canEdit ? RUN_SCREENS : []), ...SCREENS].map(({ label, icon, to }) => ({
            label,
            icon,
            onClick: () => navigate({ to, params: { projectId, workflowId: String(id) } }),
          })),
          canEdit && { label: 'MCP tool', icon: IconPlug, onClick: toolDialog.open },
          canEdit && pause,
          canEdit && { label: 'Duplicate', icon: IconCopy, onClick: () => duplicate.run({ id }) },
          canEdit && {
            label: 'Delete',
            icon: IconTrash,
            confirmation: {
              title: `Delete “${title}”?`,
              text: 'Its runs stay in the history. This cannot be undone.',
              confirmLabel: 'Delete workflow',
              onConfirm: () => remove.runOrThrow({ id }),
            },
          },
        ]}
      />
      {isTool && <McpToolDialog workflow={workflow} onClose={toolDialog.close} />}
    </>
  );
}
