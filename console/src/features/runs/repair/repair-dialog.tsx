import { Alert, Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { problemOf } from '@/api/errors';
import { useAction } from '@/shared/forms/use-action';
import { RepairRunDocument, type RepairRunMutationVariables } from './effects.generated';
import { EffectsView } from './effects-view';

type Revision = NonNullable<RepairRunMutationVariables['revision']>;

const REVISIONS: { value: Revision; label: string }[] = [
  { value: 'SAVED', label: 'The version that was saved last' },
  { value: 'PUBLISHED', label: 'The version that new runs use' },
  { value: 'ORIGINAL', label: 'The version of this run' },
];

export interface RepairDialogProps {
  run: { id: string; workflowId: number | null; project: { id: number } };
  onClose: () => void;
}

/** Runs a run again in another version of its workflow and reuses its results. Shows the effects before it starts. */
export function RepairDialog({ run, onClose }: RepairDialogProps) {
  const { id, workflowId } = run;
  const navigate = useNavigate();
  // A run without a workflow has only its own version, the last choice.
  const choices = workflowId === null ? REVISIONS.slice(-1) : REVISIONS;
  const [revision, setRevision] = useState<Revision>(choices[0]?.value ?? 'ORIGINAL');
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { runOrThrow: repair } = useAction(RepairRunDocument, { failure: 'Not started' });
  const submit = async () => {
    setIsBusy(true);
    setProblem(null);
    try {
      const runId = (await repair({ id, revision })).workflowRunFork?.run?.id;
      if (runId === undefined) return;
      onClose();
      await navigate({
        to: '/projects/$projectId/runs/$runId',
        params: { projectId: String(run.project.id), runId },
      });
    } catch (error) {
      setProblem(problemOf(error).message);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title="Repair and continue" size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack>
        <Text fz="sm" c="dimmed">
          Results of nodes whose request is unchanged are reused and not charged again. The others run.
        </Text>
        <Select
          label="Version"
          data={choices}
          value={revision}
          onChange={value => setRevision((value as Revision | null) ?? revision)}
          allowDeselect={false}
        />
        <EffectsView id={id} action="FORK" revision={revision} />
        {problem !== null && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={isBusy} onClick={() => void submit()}>
            Start
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
