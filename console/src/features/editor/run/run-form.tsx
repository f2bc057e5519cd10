import { Button, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { IconPlayerPlay } from '@/icons';
import { UnsavedGuard } from '@/shared/forms/unsaved-guard';
import { EnvironmentSelect } from '@/shared/project/environment-select';
import { type FormValues, type InputField, initialValues, inputOf } from '@/shared/run-form/input-fields';
import { InputForm } from '@/shared/run-form/input-form';
import { loadRememberedValues, rememberValues } from '../model/remembered-values';
import { CopyRequestMenu } from './copy-request-menu';

export interface RunFormProps {
  /** The workflow of the remembered values and of the copied requests. */
  workflowId: number;
  fields: readonly InputField[];
  isBusy: boolean;
  /** Why the last start was refused. */
  problem: ReactNode;
  submitLabel?: string;
  /** Whether the person can start runs by requests. */
  showsRequests?: boolean;
  /** Whether the person can select the environment of the project. */
  hasEnvironments?: boolean;
  /** Whether the form is a page, which asks before it is left with changed values. */
  isPage?: boolean;
  onRun: (input: Record<string, unknown>, environment?: string) => void;
}

/** Asks for the input of a run. Values are remembered in this browser, except secrets. */
export function RunForm({
  workflowId,
  fields,
  isBusy,
  problem,
  submitLabel = 'Run',
  showsRequests = true,
  hasEnvironments = true,
  isPage = false,
  onRun,
}: RunFormProps) {
  const [environment, setEnvironment] = useState<string | null>(null);
  const submit = (values: FormValues) => {
    rememberValues(workflowId, fields, values);
    onRun(inputOf(fields, values), environment ?? undefined);
  };
  return (
    <InputForm
      fields={fields}
      initialValues={initialValues(fields, loadRememberedValues(workflowId))}
      problem={problem}
      onSubmit={submit}
      actions={({ values, isDirty }) => (
        <>
          {isPage && <UnsavedGuard isDirty={isDirty} subject="the input of the run" />}
          {showsRequests && <CopyRequestMenu workflowId={workflowId} inputOf={() => inputOf(fields, values)} />}
          <Button type="submit" loading={isBusy} leftSection={<IconPlayerPlay size={16} />} ms="auto">
            {submitLabel}
          </Button>
        </>
      )}
    >
      {fields.length === 0 && (
        <Text fz="sm" c="dimmed">
          This workflow needs no input. To ask for values, add input fields to its trigger.
        </Text>
      )}
      {hasEnvironments && <EnvironmentSelect value={environment} onChange={setEnvironment} />}
    </InputForm>
  );
}
