import { ActionIcon, Button, Group, Select, SimpleGrid, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { randomId } from '@mantine/hooks';
import { IconPlus, IconTrash } from '@/icons';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { FormProblem } from '@/shared/forms/form-problem';
import { UnsavedGuard } from '@/shared/forms/unsaved-guard';
import { MAX_OPTIONS, useWholeList } from '@/shared/lists/whole-list';
import { useProjectId } from '@/shared/project/use-project';
import {
  CreateVariableDocument,
  UpdateVariableDocument,
  type VariableDetailQuery,
  VariableSourcesDocument,
} from '../library.generated';

type StoredVariable = NonNullable<VariableDetailQuery['variable']>;
type Mode = NonNullable<StoredVariable['keywordRunMode']>;

interface Value {
  /** Identifies the row while it has no id. */
  row: string;
  id: number | null;
  name: string;
  value: string;
  isActive: boolean;
}

interface Values {
  key: string;
  isGlobal: boolean;
  /** An id, or "" for values that are written by hand. */
  keywordRunId: string;
  keywordRunMode: Mode;
  variableNames: Value[];
}

const MODES: { value: Mode; label: string }[] = [
  { value: 'ALL', label: 'One value for each keyword' },
  { value: 'CLUSTERS', label: 'One value for each cluster' },
  { value: 'JOINED', label: 'One value with all keywords' },
];
const newValue = (name: string): Value => ({ row: randomId(), id: null, name, value: '', isActive: true });

function valuesOf(variable: StoredVariable | null): Values {
  if (variable === null)
    return { key: '', isGlobal: false, keywordRunId: '', keywordRunMode: 'ALL', variableNames: [newValue('1')] };
  const { key, isGlobal, keywordRunId, keywordRunMode, variableNames } = variable;
  return {
    key,
    isGlobal,
    keywordRunId: keywordRunId === null ? '' : String(keywordRunId),
    keywordRunMode: keywordRunMode ?? 'ALL',
    variableNames: variableNames.map(({ localId, name, value, isActive }) => ({
      row: randomId(),
      id: localId,
      name,
      value,
      isActive,
    })),
  };
}

function inputOf({ key, isGlobal, keywordRunId, keywordRunMode, variableNames }: Values) {
  const isWrittenByHand = keywordRunId === '';
  return {
    key,
    isGlobal,
    keywordRunId: isWrittenByHand ? null : Number(keywordRunId),
    ...(isWrittenByHand ? {} : { keywordRunMode }),
    variableNames: isWrittenByHand
      ? variableNames.map(({ id, name, value, isActive }) => ({
          ...(id === null ? {} : { id }),
          name,
          value,
          isActive,
        }))
      : [],
  };
}

export interface VariableFormProps {
  /** Null: a new variable. */
  variable: StoredVariable | null;
  isReadOnly?: boolean;
  refetchQueries: string[];
  onSaved: () => void;
  onCancel: () => void;
}

/** The fields of a variable: values that are written by hand, or the keywords of a run. */
export function VariableForm({ variable, isReadOnly = false, refetchQueries, onSaved, onCancel }: VariableFormProps) {
  const projectId = useProjectId();
  const form = useForm<Values>({ initialValues: valuesOf(variable) });
  const onDone = (_data: unknown, _variables: unknown, markSaved: () => void) => {
    markSaved();
    onSaved();
  };
  const options = { form, refetchQueries, onDone };
  const create = useFormMutation(CreateVariableDocument, options);
  const update = useFormMutation(UpdateVariableDocument, options);
  const problem = create.problem ?? update.problem;
  const send = (values: Values) =>
    variable === null
      ? create.submit({ input: { projectId, ...inputOf(values) } })
      : update.submit({ id: variable.id, input: inputOf(values) });
  return (
    <form onSubmit={form.onSubmit(send)}>
      <UnsavedGuard
        isDirty={() => form.isDirty()}
        subject={variable === null ? 'the new variable' : `the variable “${variable.key}”`}
      />
      <Stack>
        <TextInput
          label="Name"
          description="For example the kind of thing that a loop goes through."
          required
          maxLength={255}
          readOnly={isReadOnly}
          data-autofocus
          {...form.getInputProps('key')}
        />
        <SourceFields form={form} isReadOnly={isReadOnly} />
        {form.values.keywordRunId === '' && <ValueFields form={form} isReadOnly={isReadOnly} />}
        <Switch
          label="Copy it into every scenario run of the project"
          disabled={isReadOnly}
          {...form.getInputProps('isGlobal', { type: 'checkbox' })}
        />
        <FormProblem problem={problem} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            {isReadOnly ? 'Close' : 'Cancel'}
          </Button>
          {!isReadOnly && (
            <Button type="submit" loading={create.isBusy || update.isBusy}>
              {variable === null ? 'Create variable' : 'Save variable'}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

interface FieldsProps {
  form: UseFormReturnType<Values>;
  isReadOnly: boolean;
}

function SourceFields({ form, isReadOnly }: FieldsProps) {
  const variables = { projectId: useProjectId() };
  const { items: runs, isWhole } = useWholeList(VariableSourcesDocument, 'keywordRuns', { variables });
  const stored = form.values.keywordRunId;
  if (runs.length === 0 && stored === '') return null;
  const sources = runs.map(({ id, topic, url }) => ({ value: String(id), label: `Keywords: ${topic || url}` }));
  if (stored !== '' && isWhole && !sources.some(({ value }) => value === stored))
    sources.push({ value: stored, label: `Keyword run ${stored}` });
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <Select
        label="Source of the values"
        data={[{ value: '', label: 'Written by hand' }, ...sources]}
        searchable
        limit={MAX_OPTIONS}
        allowDeselect={false}
        disabled={isReadOnly}
        {...form.getInputProps('keywordRunId')}
      />
      {stored !== '' && (
        <Select
          label="Keywords become"
          data={MODES}
          allowDeselect={false}
          disabled={isReadOnly}
          {...form.getInputProps('keywordRunMode')}
        />
      )}
    </SimpleGrid>
  );
}

function ValueFields({ form, isReadOnly }: FieldsProps) {
  const values = form.values.variableNames;
  return (
    <Stack gap="xs" role="group" aria-label="Values">
      <Group justify="space-between">
        <Text component="span" fz="sm" fw={600}>
          Values
        </Text>
        {!isReadOnly && (
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<IconPlus size={14} />}
            onClick={() => form.insertListItem('variableNames', newValue(String(values.length + 1)))}
          >
            Add value
          </Button>
        )}
      </Group>
      {form.errors.variableNames !== undefined && (
        <Text fz="sm" c="red" role="alert">
          {form.errors.variableNames}
        </Text>
      )}
      {values.map(({ row, name }, index) => (
        <Group key={row} gap="xs" align="flex-start" wrap="nowrap">
          <TextInput
            aria-label={`Name of value ${index + 1}`}
            placeholder="Name"
            required
            maxLength={255}
            w={{ base: '5.5rem', xs: '9rem' }}
            readOnly={isReadOnly}
            {...form.getInputProps(`variableNames.${index}.name`)}
          />
          <Textarea
            aria-label={`Value ${index + 1}`}
            placeholder="Value"
            autosize
            minRows={1}
            maxRows={6}
            style={{ flex: 1 }}
            readOnly={isReadOnly}
            {...form.getInputProps(`variableNames.${index}.value`)}
          />
          <Switch
            aria-label={`Use ${name} in loops`}
            title="Loops and placeholders by number use active values only"
            mt={8}
            disabled={isReadOnly}
            {...form.getInputProps(`variableNames.${index}.isActive`, { type: 'checkbox' })}
          />
          {!isReadOnly && (
            <ActionIcon
              mt={5}
              aria-label={`Remove ${name}`}
              onClick={() => form.removeListItem('variableNames', index)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          )}
        </Group>
      ))}
    </Stack>
  );
}
