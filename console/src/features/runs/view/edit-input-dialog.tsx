import { Alert, Button, Group, JsonInput, Modal, Select, Stack, Switch, Text, Textarea } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { problemOf } from '@/api/errors';
import { useAction } from '@/shared/forms/use-action';
import { EffectsView } from '../repair/effects-view';
import { ForkRunDocument, RestartRunDocument } from './actions.generated';
import type { RunDetailsFragment } from './run.generated';

type InputField = RunDetailsFragment['inputFields'][number];

export interface EditInputDialogProps {
  run: RunDetailsFragment;
  /** Given: the run is forked at this node instead of started again. */
  fork?: { nodeId: string; label: string };
  onClose: () => void;
}

/** The input of a run, to change it and start a new run. Secrets keep their values unless they are replaced. */
export function EditInputDialog({ run, fork, onClose }: EditInputDialogProps) {
  const navigate = useNavigate();
  const [values, setValues] = useState<Record<string, unknown>>(() => ({ ...(run.inputData as object) }));
  const [json, setJson] = useState(() => JSON.stringify(run.inputData, null, 2));
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { runOrThrow: restart } = useAction(RestartRunDocument, { failure: 'Not started' });
  const { runOrThrow: forkRun } = useAction(ForkRunDocument, { failure: 'Not forked' });
  const { id, workflowId, inputFields } = run;
  const hasForm = inputFields.length > 0;
  // The input whose effects are shown. Null after a change.
  const [previewedInput, setPreviewedInput] = useState<unknown>(null);
  const preview = () => {
    setProblem(null);
    try {
      setPreviewedInput(hasForm ? values : JSON.parse(json));
    } catch (error) {
      setProblem(problemOf(error).message);
    }
  };
  const submit = async () => {
    setIsBusy(true);
    setProblem(null);
    try {
      const input: unknown = hasForm ? values : JSON.parse(json);
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
      <form
        onSubmit={event => {
          event.preventDefault();
          void submit();
        }}
      >
        <Stack>
          {fork && (
            <Text fz="sm" c="dimmed">
              A new run starts at this node. Results of nodes that do not follow it are reused and not charged again.
            </Text>
          )}
          {hasForm ? (
            inputFields.map(field => (
              <FieldInput
                key={field.key}
                field={field}
                value={values[field.key]}
                onChange={value => {
                  setValues({ ...values, [field.key]: value });
                  setPreviewedInput(null);
                }}
              />
            ))
          ) : (
            <JsonInput
              label="Input"
              value={json}
              onChange={text => {
                setJson(text);
                setPreviewedInput(null);
              }}
              autosize
              minRows={5}
              maxRows={20}
              formatOnBlur
            />
          )}
          {previewedInput !== null && (
            <EffectsView
              id={id}
              {...(fork ? { action: 'FORK', nodeId: fork.nodeId } : { action: 'RESTART' })}
              input={previewedInput}
            />
          )}
          {problem !== null && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button variant="default" onClick={preview}>
              Show effects
            </Button>
            <Button type="submit" loading={isBusy}>
              {fork ? 'Fork' : 'Run again'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

interface FieldInputProps {
  field: InputField;
  value: unknown;
  onChange: (value: unknown) => void;
}

function FieldInput({ field, value, onChange }: FieldInputProps) {
  const { title, key, type, inputRequirements, placeholder, options, isSecret } = field;
  const shared = { label: title || key, required: inputRequirements, placeholder };
  if (type === 'boolean' || type === 'checkbox' || type === 'switch')
    return (
      <Switch label={shared.label} checked={value === true} onChange={event => onChange(event.currentTarget.checked)} />
    );
  if (options.length > 0)
    return (
      <Select
        {...shared}
        data={options.map(option => ({ value: option.value, label: option.title || option.value }))}
        value={typeof value === 'string' ? value : null}
        onChange={onChange}
      />
    );
  const text = value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  const isNumber = type === 'number' || type === 'integer';
  return (
    <Textarea
      {...shared}
      description={isSecret ? 'Secret. Keep the mask to use the stored value.' : undefined}
      autosize
      minRows={1}
      maxRows={12}
      inputMode={isNumber ? 'decimal' : undefined}
      value={text}
      onChange={event =>
        onChange(toValue(event.currentTarget.value, isNumber, typeof value === 'object' && value !== null))
      }
    />
  );
}

/** A complete number or JSON text is stored as that value, other text as a string. */
function toValue(text: string, isNumber: boolean, isJson: boolean): unknown {
  if (isNumber && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if (!isJson) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
