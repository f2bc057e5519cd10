import { Button, Group, Paper, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { problemOf } from '@/api/errors';
import { IconArrowsDiff, IconPlayerStop, IconRefresh } from '@/icons';
import { ConfirmDialog } from '@/shared/forms/confirm-dialog';
import { useAction } from '@/shared/forms/use-action';
import { countOf } from '@/shared/lists/count';
import { notifySuccess } from '@/shared/notify';
import { CancelRunDocument, RestartRunDocument } from '../view/actions.generated';
import { ACTIVE_STATES } from './run-filter';
import type { RunRowFragment } from './runs.generated';

export interface BulkActionsProps {
  projectId: number;
  /** The selected runs, the newest first. */
  runs: readonly RunRowFragment[];
  canEdit: boolean;
  onDone: () => void;
}

/** The actions for the selected runs. */
export function BulkActions({ projectId, runs, canEdit, onDone }: BulkActionsProps) {
  const navigate = useNavigate();
  const [isCancelling, cancelling] = useDisclosure(false);
  const [isRestarting, restarting] = useDisclosure(false);
  const { runOrThrow: cancel } = useAction(CancelRunDocument, { failure: 'Not cancelled' });
  const { runOrThrow: restart } = useAction(RestartRunDocument, { failure: 'Not started' });
  const active = runs.filter(({ state }) => ACTIVE_STATES.includes(state));
  const startable = runs.filter(({ workflowId, state }) => workflowId !== null && state !== 'DRAFT');
  const [newer, older] = runs;
  const finish = (message: string) => {
    notifySuccess(message);
    onDone();
  };
  return (
    <Paper className="runs-bulk" px="md" py="xs" role="toolbar" aria-label="Selected runs">
      <Group gap="xs">
        <Text fz="sm" fw={500}>
          {runs.length} selected
        </Text>
        {canEdit && (
          <>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPlayerStop size={15} />}
              disabled={active.length === 0}
              onClick={cancelling.open}
            >
              Cancel {active.length > 0 && active.length}
            </Button>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconRefresh size={15} />}
              disabled={startable.length === 0}
              onClick={restarting.open}
            >
              Run again {startable.length > 0 && startable.length}
            </Button>
          </>
        )}
        {newer && older && runs.length === 2 && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconArrowsDiff size={15} />}
            onClick={() =>
              void navigate({
                to: '/projects/$projectId/runs/compare',
                params: { projectId: String(projectId) },
                search: { left: older.id, right: newer.id },
              })
            }
          >
            Compare
          </Button>
        )}
        <Button size="xs" variant="subtle" color="gray" onClick={onDone} ms="auto">
          Clear selection
        </Button>
      </Group>
      <ConfirmDialog
        isOpen={isCancelling}
        onClose={cancelling.close}
        title={`Cancel ${countOf(active.length, 'run')}?`}
        confirmLabel="Cancel runs"
        onConfirm={async () => {
          await processAll(active, run => cancel({ id: run.id }));
          finish(`${countOf(active.length, 'run')} cancelled.`);
        }}
      >
        Calls in progress are aborted. What they have used is charged.
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={isRestarting}
        onClose={restarting.close}
        title={`Run ${startable.length === 1 ? 'it' : countOf(startable.length, 'run')} again?`}
        confirmLabel="Run again"
        isDangerous={false}
        onConfirm={async () => {
          await processAll(startable, run => restart({ id: run.id, workflowId: run.workflowId as number }));
          finish(`${countOf(startable.length, 'run')} started.`);
        }}
      >
        Each starts anew with its input and its version of the workflow, and is charged like any other run.
      </ConfirmDialog>
    </Paper>
  );
}

/** Requests at the same time. */
const CONCURRENCY = 4;

/**
 * Calls `work` for all runs, a few at a time. Continues after failures; then throws one error with their number and the first
 * message.
 */
async function processAll<T extends { id: string }>(items: readonly T[], work: (item: T) => Promise<unknown>) {
  const failures: string[] = [];
  const queue = [...items];
  const drain = async () => {
    for (let item = queue.shift(); item; item = queue.shift())
      await work(item).catch(error => failures.push(problemOf(error).message));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, drain));
  if (failures.length > 0) throw new Error(`${failures.length} of ${items.length} failed: ${failures[0]}`);
}
