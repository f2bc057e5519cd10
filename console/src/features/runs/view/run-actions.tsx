import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { addCommands } from '@/app/commands';
import {
  IconArrowsDiff,
  IconCheck,
  IconDownload,
  IconGitFork,
  IconPencil,
  IconPlayerStop,
  IconRefresh,
  IconStar,
} from '@/icons';
import { ConfirmDialog } from '@/shared/forms/confirm-dialog';
import { useAction } from '@/shared/forms/use-action';
import { downloadFile } from '@/shared/lists/download-file';
import { RowMenu } from '@/shared/lists/row-menu';
import { ACTIVE_STATES } from '../list/run-filter';
import { CancelEffects } from '../repair/effects-view';
import { RepairDialog } from '../repair/repair-dialog';
import { CancelRunDocument, ReleaseRunDocument, RestartRunDocument } from './actions.generated';
import { CompareDialog } from './compare-dialog';
import { EditInputDialog } from './edit-input-dialog';
import type { RunDetailsFragment } from './run.generated';
import { useRunFlags } from './run-flags';

/** The buttons and the menu of a run. Without the right to edit the project a user can only compare and download. */
export function RunActions({ run }: { run: RunDetailsFragment }) {
  const { id, state, workflowId } = run;
  const projectId = String(run.project.id);
  const navigate = useNavigate();
  const [isCancelling, cancelling] = useDisclosure(false);
  const [isEditing, editing] = useDisclosure(false);
  const [isComparing, comparing] = useDisclosure(false);
  const [isRepairing, repairing] = useDisclosure(false);
  const { runOrThrow: cancel } = useAction(CancelRunDocument, { failure: 'Not cancelled' });
  const { run: release, isBusy: isReleasing } = useAction(ReleaseRunDocument, {
    failure: 'Not started',
    success: 'The run was started.',
  });
  const { run: restart, isBusy: isRestarting } = useAction(RestartRunDocument, { failure: 'Not started' });
  const canEdit = run.project.canEdit;
  const isActive = ACTIVE_STATES.includes(state);
  const canRestart = canEdit && workflowId !== null && state !== 'DRAFT';
  const canRepair = canEdit && state !== 'DRAFT' && !isActive;
  const again = async () => {
    if (workflowId === null) return;
    const next = (await restart({ id, workflowId }))?.workflowRunRestart?.run?.id;
    if (next) await navigate({ to: '/projects/$projectId/runs/$runId', params: { projectId, runId: next } });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the commands change with the run only.
  useEffect(
    () =>
      addCommands([
        ...(canRestart ? [{ id: 'run-again', label: 'Run again', run: () => void again() }] : []),
        ...(canRepair ? [{ id: 'run-repair', label: 'Repair and continue', run: repairing.open }] : []),
        ...(canEdit && isActive ? [{ id: 'run-cancel', label: 'Cancel the run', run: cancelling.open }] : []),
        { id: 'run-compare', label: 'Compare with another run', run: comparing.open },
      ]),
    [id, workflowId, state, canEdit],
  );
  return (
    <>
      {canEdit && isActive && (
        <Button variant="default" leftSection={<IconPlayerStop size={16} />} onClick={cancelling.open}>
          Cancel run
        </Button>
      )}
      {canEdit && state === 'DRAFT' && (
        <Button loading={isReleasing} onClick={() => void release({ id })}>
          Start
        </Button>
      )}
      {canRestart && (
        <>
          <Button variant="default" leftSection={<IconPencil size={16} />} onClick={editing.open} visibleFrom="xs">
            Edit input
          </Button>
          <Button
            variant={isActive ? 'default' : 'filled'}
            leftSection={<IconRefresh size={16} />}
            loading={isRestarting}
            onClick={() => void again()}
          >
            Run again
          </Button>
        </>
      )}
      <RunMenu
        run={run}
        onEdit={canRestart ? editing.open : undefined}
        onRepair={canRepair ? repairing.open : undefined}
        onCompare={comparing.open}
      />
      <ConfirmDialog
        isOpen={isCancelling}
        onClose={cancelling.close}
        title="Cancel this run?"
        confirmLabel="Cancel run"
        onConfirm={() => cancel({ id })}
      >
        Calls in progress are aborted. What they have used is charged.
        {isCancelling && <CancelEffects id={id} />}
      </ConfirmDialog>
      {isEditing && <EditInputDialog run={run} onClose={editing.close} />}
      {isRepairing && <RepairDialog run={run} onClose={repairing.close} />}
      {isComparing && <CompareDialog run={run} onClose={comparing.close} />}
    </>
  );
}

interface RunMenuProps {
  run: RunDetailsFragment;
  onEdit: (() => void) | undefined;
  onRepair: (() => void) | undefined;
  onCompare: () => void;
}

/** The flags are empty for a user without the right to edit the project. */
function RunMenu({ run, onEdit, onRepair, onCompare }: RunMenuProps) {
  const flags = useRunFlags(run);
  return (
    <RowMenu
      label="More actions"
      button={{ size: 34, variant: 'default' }}
      actions={[
        onEdit && { label: 'Edit input and run again', icon: IconPencil, onClick: onEdit },
        onRepair && { label: 'Repair and continue', icon: IconGitFork, onClick: onRepair },
        { label: 'Compare with another run', icon: IconArrowsDiff, onClick: onCompare },
        { label: 'Download as JSON', icon: IconDownload, onClick: () => downloadRun(run) },
        ...flags.map(({ label, isSet, toggle }, index) => ({
          label: isSet ? `No longer ${label}` : `Use as ${label}`,
          icon: isSet ? IconCheck : IconStar,
          isSeparate: index === 0,
          onClick: toggle,
        })),
      ]}
    />
  );
}

function downloadRun({ id, state, createdAt, duration, cost, inputData, result, data }: RunDetailsFragment): void {
  const run = { id, state, createdAt, duration, costUsd: cost.usd, input: inputData, result, graph: data };
  downloadFile(`run-${id}.json`, 'application/json', JSON.stringify(run, null, 2));
}
