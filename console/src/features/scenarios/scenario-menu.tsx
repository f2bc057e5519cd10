import { useNavigate } from '@tanstack/react-router';
import { IconPlayerPlay, IconTrash } from '@/icons';
import { useAction } from '@/shared/forms/use-action';
import { RowMenu } from '@/shared/lists/row-menu';
import { useProjectId } from '@/shared/project/use-project';
import { DeleteScenarioDocument } from './scenarios.generated';

export interface ScenarioMenuProps {
  scenario: { id: number; name: string; canEdit: boolean };
  onDeleted?: () => void;
}

/** The actions for a scenario. */
export function ScenarioMenu({ scenario: { id, name, canEdit }, onDeleted }: ScenarioMenuProps) {
  const projectId = String(useProjectId());
  const navigate = useNavigate();
  const remove = useAction(DeleteScenarioDocument, { failure: 'Not deleted', refetchQueries: ['Scenarios'] });
  const run = () =>
    navigate({
      to: '/projects/$projectId/scenarios/$scenarioId/run',
      params: { projectId, scenarioId: String(id) },
    });
  return (
    <RowMenu
      label={`Actions for ${name}`}
      actions={[
        { label: 'Run', icon: IconPlayerPlay, onClick: run },
        canEdit && {
          label: 'Delete',
          icon: IconTrash,
          confirmation: {
            title: `Delete “${name}”?`,
            text: 'Its messages and prompts stay in the project. This cannot be undone.',
            confirmLabel: 'Delete scenario',
            onConfirm: async () => {
              await remove.runOrThrow({ id });
              onDeleted?.();
            },
          },
        },
      ]}
    />
  );
}
