import { Button, Group, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { FormProblem } from '@/shared/forms/form-problem';
import { UnsavedGuard } from '@/shared/forms/unsaved-guard';
import { useProjectId } from '@/shared/project/use-project';
import { CreatePromptDocument, type PromptDetailQuery, UpdatePromptDocument } from '../library.generated';
import { type Condition, ConditionsEditor, toConditionInputs, withoutErrorsOf } from '../messages/conditions-editor';
import type { Names } from '../names';
import { TemplateEditor } from './template-editor';

export type PromptRole = NonNullable<PromptDetailQuery['prompt']>['role'];

export interface PromptValues {
  key: string;
  role: PromptRole;
  content: string;
  promptConditions: readonly Condition[];
}

export const ROLES: { value: PromptRole; label: string }[] = [
  { value: 'SYSTEM', label: 'System' },
  { value: 'USER', label: 'User' },
  { value: 'ASSISTANT', label: 'Assistant' },
  { value: 'POSITIVE', label: 'Image shows' },
  { value: 'NEGATIVE', label: 'Image does not show' },
];

export interface PromptFormProps {
  /** Absent: a new prompt. */
  id?: number;
  initial: PromptValues;
  names: Names;
  isReadOnly?: boolean;
  /** Names of queries that show the prompt. */
  refetchQueries: string[];
  onSaved?: (id: number) => void | Promise<void>;
  onCancel?: () => void;
  /** Further buttons at the start of the last row. */
  actions?: ReactNode;
}

/** The fields of one prompt with their own save button. */
export function PromptForm(props: PromptFormProps) {
  const { id, initial, names, isReadOnly = false, refetchQueries, onSaved, onCancel, actions } = props;
  const projectId = useProjectId();
  const form = useForm<PromptValues>({ initialValues: initial });
  const create = useFormMutation(CreatePromptDocument, {
    form,
    refetchQueries,
    onDone: async ({ promptCreate }, _variables, markSaved) => {
      markSaved();
      await onSaved?.(promptCreate?.prompt?.id ?? 0);
    },
  });
  const update = useFormMutation(UpdatePromptDocument, {
    form,
    refetchQueries,
    onDone: async (_data, _variables, markSaved) => {
      markSaved();
      await onSaved?.(id ?? 0);
    },
  });
  const isDirty = form.isDirty();
  const send = ({ promptConditions, ...values }: PromptValues) => {
    const input = { ...values, promptConditions: toConditionInputs(promptConditions) };
    return id === undefined ? create.submit({ input: { ...input, projectId } }) : update.submit({ id, input });
  };
  const problem = create.problem ?? update.problem;
  const contentError = form.errors.content;
  return (
    <form onSubmit={form.onSubmit(send)} aria-label={id === undefined ? 'New prompt' : `Prompt ${initial.key}`}>
      <UnsavedGuard
        isDirty={() => form.isDirty()}
        subject={id === undefined ? 'the new prompt' : `the prompt “${initial.key}”`}
      />
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <TextInput
            label="Name"
            required
            maxLength={255}
            readOnly={isReadOnly}
            data-autofocus={id === undefined || undefined}
            {...form.getInputProps('key')}
          />
          <Select
            label="Role"
            data={ROLES}
            allowDeselect={false}
            disabled={isReadOnly}
            {...form.getInputProps('role')}
          />
        </SimpleGrid>
        <TemplateEditor
          label="Text"
          names={names}
          isReadOnly={isReadOnly}
          value={form.values.content}
          onChange={content => form.setFieldValue('content', content)}
          error={typeof contentError === 'string' ? contentError : undefined}
        />
        <ConditionsEditor
          names={names}
          isReadOnly={isReadOnly}
          conditions={form.values.promptConditions}
          name="promptConditions"
          errors={form.errors}
          onChange={conditions => {
            form.setFieldValue('promptConditions', conditions);
            form.setErrors(withoutErrorsOf('promptConditions', form.errors));
          }}
        />
        <FormProblem problem={problem} />
        {!isReadOnly && (
          <Group justify="space-between" gap="xs">
            <Group gap="xs">{actions}</Group>
            <Group gap="xs">
              {onCancel && (
                <Button variant="default" onClick={onCancel}>
                  Cancel
                </Button>
              )}
              <Button type="submit" loading={create.isBusy || update.isBusy} disabled={id !== undefined && !isDirty}>
                {id === undefined ? 'Create prompt' : 'Save prompt'}
              </Button>
            </Group>
          </Group>
        )}
      </Stack>
    </form>
  );
}
