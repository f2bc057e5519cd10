import { Menu } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@/icons';
import { useAction } from '@/shared/use-action';
import { PauseWorkflowDocument, ResumeWorkflowDocument } from './workflows.generated';

/** Pauses the triggers of a workflow, or resumes them. */
export function PauseItem({ workflow }: { workflow: { id: number; title: string; pausedAt: string | null } }) {
  const { id, title, pausedAt } = workflow;
  const pause = useAction(PauseWorkflowDocument, {
    failure: 'Not paused',
    success: `The triggers of “${title}” are paused.`,
    refetchQueries: [],
  });
  const resume = useAction(ResumeWorkflowDocument, {
    failure: 'Not resumed',
    success: `The triggers of “${title}” start runs again.`,
    refetchQueries: [],
  });
  return pausedAt === null ? (
    <Menu.Item leftSection={<IconPlayerPause size={16} />} onClick={() => void pause.run({ id })}>
      Pause triggers
    </Menu.Item>
  ) : (
    <Menu.Item leftSection={<IconPlayerPlay size={16} />} onClick={() => void resume.run({ id })}>
      Resume triggers
    </Menu.Item>
  );
}
