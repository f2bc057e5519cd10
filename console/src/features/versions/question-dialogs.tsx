import { useQuery } from '@apollo/client/react';
import { NumberInput, Select, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { FormDialog } from '@/shared/forms/form-dialog';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { useProjectId } from '@/shared/project/use-project';
import {
  NodesToChangeDocument,
  RunsToBisectDocument,
  StartBisectDocument,
  StartWhatIfDocument,
} from './rehearsals.generated';

interface QuestionDialogProps {
  workflowId: number;
  onClose: () => void;
}

/** Asks what past runs would cost and answer with another model or prompt. */
export function WhatIfDialog({ workflowId, onClose }: QuestionDialogProps) {
  const openRehearsal = useOpenRehearsal(workflowId);
  const { data } = useQuery(NodesToChangeDocument, { variables: { id: workflowId } });
  const form = useForm({ initialValues: { nodeId: '', model: '', prompt: '', last: 50, budgetUsd: 1 } });
  const { submit, isBusy, problem } = useFormMutation(StartWhatIfDocument, {
    form,
    onDone: result => openRehearsal(result.workflowWhatIf?.rehearsal?.id),
  });
  const nodes = data?.workflow?.graph?.nodes ?? [];
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="What if"
      submitLabel="Rehearse the change"
      isBusy={isBusy}
      problem={problem}
      onSubmit={form.onSubmit(({ nodeId, model, prompt, last, budgetUsd }) =>
        submit({
          id: workflowId,
          last,
          budgetUsd: String(budgetUsd),
          change: { nodeId, model: model || null, prompt: prompt || null },
        }),
      )}
    >
      <Text fz="sm" c="dimmed">
        Past runs are rehearsed with another model or prompt of one node.
      </Text>
      <Select
        label="Node"
        required
        searchable
        data={nodes.map(({ nodeId, label, type }) => ({ value: nodeId, label: label || type }))}
        {...form.getInputProps('nodeId')}
      />
      <TextInput label="Model" {...form.getInputProps('model')} />
      <Textarea label="Prompt" autosize minRows={2} {...form.getInputProps('prompt')} />
      <NumberInput label="Last runs" min={1} max={500} allowDecimal={false} {...form.getInputProps('last')} />
      <NumberInput label="Budget in US dollars" min={0} {...form.getInputProps('budgetUsd')} />
    </FormDialog>
  );
}

/** Asks which change made a run end like a bad one. */
export function BisectDialog({ workflowId, onClose }: QuestionDialogProps) {
  const openRehearsal = useOpenRehearsal(workflowId);
  const { data } = useQuery(RunsToBisectDocument, { variables: { id: workflowId }, fetchPolicy: 'cache-and-network' });
  const form = useForm({ initialValues: { goodRunId: '', badRunId: '', budgetUsd: 1 } });
  const { submit, isBusy, problem } = useFormMutation(StartBisectDocument, {
    form,
    onDone: result => openRehearsal(result.workflowBisect?.rehearsal?.id),
  });
  const runs = (data?.workflowRuns?.items ?? [])
    .filter(({ state }) => state === 'SUCCEEDED' || state === 'FAILED')
    .map(({ id, state, createdAt, revision }) => ({
      value: id,
      label: `${new Date(createdAt).toLocaleString()} · version ${revision?.number ?? '–'} · ${state === 'FAILED' ? 'failed' : 'succeeded'}`,
    }));
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Since when"
      submitLabel="Find the change"
      isBusy={isBusy}
      problem={problem}
      onSubmit={form.onSubmit(({ budgetUsd, ...values }) =>
        submit({ ...values, id: workflowId, budgetUsd: String(budgetUsd) }),
      )}
    >
      <Text fz="sm" c="dimmed">
        Versions between the two runs are replayed until the change is found after which the run ends like the bad one.
      </Text>
      <Select label="Good run" required data={runs} {...form.getInputProps('goodRunId')} />
      <Select label="Bad run" required data={runs} {...form.getInputProps('badRunId')} />
      <NumberInput label="Budget in US dollars" min={0} {...form.getInputProps('budgetUsd')} />
    </FormDialog>
  );
}

/** Returns a function that opens the screen of a rehearsal. */
function useOpenRehearsal(workflowId: number): (id: string | undefined) => Promise<void> {
  const projectId = String(useProjectId());
  const navigate = useNavigate();
  return async id => {
    if (id === undefined) return;
    await navigate({
      to: '/projects/$projectId/workflows/$workflowId/versions/rehearsals/$rehearsalId',
      params: { projectId, workflowId: String(workflowId), rehearsalId: id },
    });
  };
}
