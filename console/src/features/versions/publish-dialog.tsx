import { Button, Checkbox, Group, Modal, NumberInput, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { FormProblem } from '@/shared/forms/form-problem';
import { RehearsalView } from './rehearsal-view';
import { StartPublishCheckDocument } from './rehearsals.generated';
import { PublishVersionDocument } from './versions.generated';

interface PublishDialogProps {
  number: number;
  workflowId: number;
  /** The query of the screen that shows whether the version is published. */
  refetchQuery: string;
  onClose: () => void;
}

/** Publishes a version, after a check with recorded runs if the user wants one. */
export function PublishDialog({ number, workflowId, refetchQuery, onClose }: PublishDialogProps) {
  const form = useForm({ initialValues: { note: '' } });
  const { submit, isBusy, problem } = useFormMutation(PublishVersionDocument, {
    form,
    refetchQueries: [refetchQuery],
    onDone: onClose,
  });
  return (
    <Modal opened onClose={onClose} title={`Publish version ${number}`} size="xl">
      <Stack>
        <PublishCheck number={number} workflowId={workflowId} />
        <form onSubmit={form.onSubmit(({ note }) => submit({ id: workflowId, number, note }))}>
          <Stack>
            <Text fz="sm" c="dimmed">
              New runs use it from now on. Runs that have started keep their version.
            </Text>
            <Textarea
              label="Note"
              autosize
              minRows={2}
              maxLength={2000}
              data-autofocus
              {...form.getInputProps('note')}
            />
            <FormProblem problem={problem} />
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" loading={isBusy}>
                Publish version
              </Button>
            </Group>
          </Stack>
        </form>
      </Stack>
    </Modal>
  );
}

function PublishCheck({ number, workflowId }: Pick<PublishDialogProps, 'number' | 'workflowId'>) {
  const [rehearsalId, setRehearsalId] = useState<string | null>(null);
  const form = useForm({ initialValues: { budgetUsd: 1, last: 50, allowsHttp: false } });
  const { submit, isBusy, problem } = useFormMutation(StartPublishCheckDocument, {
    form,
    onDone: data => setRehearsalId(data.workflowPublishCheck?.rehearsal?.id ?? null),
  });
  if (rehearsalId !== null) return <RehearsalView id={rehearsalId} />;
  return (
    <form
      aria-label="Check with recorded runs"
      onSubmit={form.onSubmit(({ budgetUsd, last, allowsHttp }) =>
        submit({ id: workflowId, number, last, budgetUsd: String(budgetUsd), allow: allowsHttp ? ['HTTP'] : [] }),
      )}
    >
      <Stack gap="sm">
        <Text fz="sm">
          The check rehearses recorded runs with this version. Requests that are unchanged take their recorded answers.
        </Text>
        <Group grow align="flex-start">
          <NumberInput label="Last runs" min={1} max={500} allowDecimal={false} {...form.getInputProps('last')} />
          <NumberInput label="Budget in US dollars" min={0} {...form.getInputProps('budgetUsd')} />
        </Group>
        <Checkbox
          label="Make changed HTTP requests that may have effects"
          {...form.getInputProps('allowsHttp', { type: 'checkbox' })}
        />
        <FormProblem problem={problem} />
        <Group justify="flex-end">
          <Button type="submit" variant="light" loading={isBusy}>
            Check with recorded runs
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
