import { Button, Modal, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { problemOf } from '@/api/errors';
import { useAction } from '@/shared/forms/use-action';
import { parseJson } from '@/shared/json/json-value';
import { editedInputOf, type FormValues, formOfRun, type InputField } from '@/shared/run-form/input-fields';
import { InputForm } from '@/shared/run-form/input-form';
import { EffectsView } from '../repair/effects-view';
import { ForkRunDocument, RestartRunDocument } from './actions.generated';
import type { RunDetailsFragment } from './run.generated';

export interface EditInputDialogProps {
  run: RunDetailsFragment;
  /** Given: the run is forked at this node instead of started again. */
  fork?: { nodeId: string; label: string };
  onClose: () => void;
}

/** The input of a run, to change it and start a new run. Secrets keep their values unless they are replaced. */
export function EditInputDialog({ run, fork, onClose }: EditInputDialogProps) {
  const navigate = useNavigate();
  const { id, workflowId } = run;
  const { fields, values, toInput } = useMemo(() => editFormOf(run), [run]);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  // The input whose effects are shown. Null after a change.
  const [previewedInput, setPreviewedInput] = useState<unknown>(null);
  const { runOrThrow: restart } = useAction(RestartRunDocument, { failure: 'Not started' });
  const { runOrThrow: forkRun } = useAction(ForkRunDocument, { failure: 'Not forked' });
  const submit = async (edited: FormValues) => {
    setIsBusy(true);
    setProblem(null);
    try {
      const input = toInput(edited);
      const next = fork
        ? (await forkRun({ id, nodeId: fork.nodeId, input })).workflowRunFork?.run?.id
        : (await restart({ id, workflowId: workflowId as number, input })).workflowRunRestart?.run?.id;
      if (next === undefined) return;
      onClose();
      await navigate({
        to: '/projects/$projectId/runs/$runId',
        params: { projectId: String(run.project.id), runId: next },
      });
    } catch (error) {
      setProblem(problemOf(error).message);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={fork ? `Fork from “${fork.label}”` : 'Edit input and run again'} size="lg">
      {fork && (
        <Text fz="sm" c="dimmed" mb="md">
          A new run starts at this node. Results of nodes that do not follow it are reused and not charged again.
        </Text>
      )}
      <InputForm
        fields={fields}
        initialValues={values}
        problem={problem}
        onChange={() => setPreviewedInput(null)}
        onSubmit={edited => void submit(edited)}
        actions={form => (
          <>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              variant="default"
              onClick={() => {
                if (form.validate()) setPreviewedInput(toInput(form.values));
              }}
            >
              Show effects
            </Button>
            <Button type="submit" loading={isBusy}>
              {fork ? 'Fork' : 'Run again'}
            </Button>
          </>
        )}
      >
        {previewedInput !== null && (
          <EffectsView
            id={id}
            {...(fork ? { action: 'FORK', nodeId: fork.nodeId } : { action: 'RESTART' })}
            input={previewedInput}
          />
        )}
      </InputForm>
    </Modal>
  );
}

/** Stands for the whole input of a run whose trigger has no fields. */
const WHOLE_INPUT: InputField = {
  key: 'input',
  title: 'Input',
  element: 'json',
  isInteger: false,
  isRequired: true,
  isSecret: false,
  placeholder: '',
  tooltip: '',
  defaultValue: null,
  options: [],
};

interface EditForm {
  fields: readonly InputField[];
  values: FormValues;
  toInput: (values: FormValues) => unknown;
}

function editFormOf({ data, inputData }: RunDetailsFragment): EditForm {
  const { fields, values } = formOfRun(data, inputData);
  if (fields.length > 0) return { fields, values, toInput: edited => editedInputOf(fields, edited, inputData) };
  return {
    fields: [WHOLE_INPUT],
    values: { [WHOLE_INPUT.key]: JSON.stringify(inputData, null, 2) },
    toInput: edited => parseJson(String(edited[WHOLE_INPUT.key])),
  };
}
