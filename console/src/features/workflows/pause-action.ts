import { IconPlayerPause, IconPlayerPlay } from '@/icons';
import { useAction } from '@/shared/forms/use-action';
import type { MenuAction } from '@/shared/lists/row-menu';
import { PauseWorkflowDocument, ResumeWorkflowDocument } from './workflows.generated';

/** The menu action that pauses the triggers of a workflow, or resumes them. */
export function usePauseAction(workflow: { id: number; title: string; pausedAt: string | null }): MenuAction {
  const { id, title, pausedAt } = workflow;
  const pause = useAction(PauseWorkflowDocument, {
    failure: 'Not paused',
    success: `The triggers of “${title}” are paused.`,
  });
  const resume = useAction(ResumeWorkflowDocument, {
    failure: 'Not resumed',
    success: `The triggers of “${title}” start runs again.`,
  });
  return pausedAt === null
    ? { label: 'Pause triggers', icon: IconPlayerPause, onClick: () => pause.run({ id }) }
    : { label: 'Resume triggers', icon: IconPlayerPlay, onClick: () => resume.run({ id }) };
}
