import {
  ActionIcon,
  Box,
  Button,
  defaultOptionsFilter,
  Group,
  Input,
  type OptionsFilter,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import type { FormErrors } from '@mantine/form';
import type { ReactNode } from 'react';
import { IconPlus, IconTrash } from '@/icons';
import { MAX_OPTIONS } from '@/shared/lists/whole-list';
import type { Names } from '../names';
import type { ConditionFieldsFragment } from '../scenario-editor.generated';

export type Condition = Omit<ConditionFieldsFragment, '__typename'>;

const MATCHINGS: { value: Condition['matching']; label: string }[] = [
  { value: 'EQUAL', label: 'is equal to' },
  { value: 'NOT_EQUAL', label: 'is not equal to' },
  { value: 'CONTAINS', label: 'contains' },
  { value: 'NOT_CONTAINS', label: 'does not contain' },
  { value: 'EMPTY', label: 'is empty' },
  { value: 'NOT_EMPTY', label: 'is not empty' },
  { value: 'EXISTS', label: 'exists' },
  { value: 'NOT_EXISTS', label: 'does not exist' },
  { value: 'GREATER', label: 'is greater than' },
  { value: 'LESS', label: 'is less than' },
  { value: 'REGEX', label: 'matches the pattern' },
  { value: 'GREATER_OR_EQUAL', label: 'is at least' },
  { value: 'LESS_OR_EQUAL', label: 'is at most' },
  { value: 'STARTS_WITH', label: 'starts with' },
  { value: 'ENDS_WITH', label: 'ends with' },
  { value: 'IN', label: 'is one of' },
  { value: 'NOT_IN', label: 'is none of' },
  { value: 'BETWEEN', label: 'is between' },
  { value: 'BEFORE', label: 'is a date before' },
  { value: 'AFTER', label: 'is a date after' },
  { value: 'ON_DATE', label: 'is on the day' },
  { value: 'IS_TEXT', label: 'is a text' },
  { value: 'IS_NUMBER', label: 'is a number' },
  { value: 'IS_BOOLEAN', label: 'is true or false' },
  { value: 'IS_LIST', label: 'is a list' },
  { value: 'IS_OBJECT', label: 'is an object' },
];
const ACTIONS = [
  { value: 'SKIP', label: 'skip it' },
  { value: 'USE', label: 'send it, otherwise skip it' },
  { value: 'STOP', label: 'stop the run' },
  { value: 'FAIL', label: 'fail the run' },
];
/** Comparisons that ignore the value. */
const WITHOUT_VALUE: readonly Condition['matching'][] = [
  'EMPTY',
  'NOT_EMPTY',
  'EXISTS',
  'NOT_EXISTS',
  'IS_TEXT',
  'IS_NUMBER',
  'IS_BOOLEAN',
  'IS_LIST',
  'IS_OBJECT',
];
/** Comparisons that case matters for. */
const OF_TEXTS: readonly Condition['matching'][] = [
  'EQUAL',
  'NOT_EQUAL',
  'CONTAINS',
  'NOT_CONTAINS',
  'REGEX',
  'STARTS_WITH',
  'ENDS_WITH',
  'IN',
  'NOT_IN',
];
/** The members that the subject of a condition consists of. */
const SUBJECT_MEMBERS = ['type', 'variableId', 'variableNameId', 'messageId'];
/** More values of a variable would make the list of subjects too long. */
const MAX_LISTED_VALUES = 20;
const NEW_CONDITION: Condition = {
  type: 'VARIABLE',
  variableId: null,
  variableNameId: null,
  messageId: null,
  matching: 'EQUAL',
  value: '',
  ignoreCase: false,
  action: 'SKIP',
  isEnabled: true,
};

/** The conditions as input of a mutation, without the members that only the cache has. */
export function toConditionInputs(conditions: readonly Condition[]): Condition[] {
  return conditions.map(
    ({ type, variableId, variableNameId, messageId, matching, value, ignoreCase, action, isEnabled }) => ({
      ...{ type, variableId, variableNameId, messageId },
      ...{ matching, value, ignoreCase, action, isEnabled },
    }),
  );
}

/**
 * The errors of a form without those of its conditions. A changed list needs this, because the errors name conditions by position.
 */
export function withoutErrorsOf(name: string, errors: FormErrors): FormErrors {
  return Object.fromEntries(Object.entries(errors).filter(([path]) => path !== name && !path.startsWith(`${name}.`)));
}

export interface ConditionsEditorProps {
  /** The name of the list in the form, which begins the paths of its errors. */
  name: string;
  /** The errors of the form by path, for example `conditions.0.value`. */
  errors: FormErrors;
  conditions: readonly Condition[];
  onChange: (conditions: Condition[]) => void;
  names: Names;
  isReadOnly?: boolean;
}

/** Rules in the order of their evaluation: the first that matches decides. */
export function ConditionsEditor(props: ConditionsEditorProps) {
  const { name, errors, conditions, onChange, names, isReadOnly = false } = props;
  const replace = (index: number, change: Partial<Condition>) =>
    onChange(conditions.map((one, at) => (at === index ? { ...one, ...change } : one)));
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text component="span" fz="sm" fw={600}>
          Conditions
        </Text>
        {!isReadOnly && (
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<IconPlus size={14} />}
            onClick={() => onChange([...conditions, NEW_CONDITION])}
          >
            Add condition
          </Button>
        )}
      </Group>
      {conditions.length === 0 && (
        <Text fz="sm" c="dimmed">
          None: it is always sent.
        </Text>
      )}
      {conditions.map((condition, index) => (
        <ConditionRow
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no id, and their fields are controlled.
          key={index}
          number={index + 1}
          errorAt={member => errors[member === undefined ? `${name}.${index}` : `${name}.${index}.${member}`]}
          condition={condition}
          names={names}
          isReadOnly={isReadOnly}
          onChange={change => replace(index, change)}
          onRemove={() => onChange(conditions.filter((_, at) => at !== index))}
        />
      ))}
      <ErrorText>{errors[name]}</ErrorText>
    </Stack>
  );
}

function ErrorText({ children }: { children: ReactNode }) {
  return children ? <Input.Error role="alert">{children}</Input.Error> : null;
}

interface ConditionRowProps {
  number: number;
  /** The error of a member. Without a name: of the condition as a whole. */
  errorAt: (member?: string) => ReactNode;
  condition: Condition;
  names: Names;
  isReadOnly: boolean;
  onChange: (change: Partial<Condition>) => void;
  onRemove: () => void;
}

/**
 * The subject of a condition as a value of the list: `VARIABLE`, `VARIABLE:3`, `VARIABLE:3:1`, `MESSAGE`, `MESSAGE:4`,
 * `LANGUAGE`, or `LANGUAGE` with one of the others that has ids.
 */
function subjectOf({ type, variableId, variableNameId, messageId }: Condition): string {
  const ids = [variableId, variableNameId, messageId].filter(id => id !== null);
  if (type !== 'LANGUAGE' || ids.length === 0) return [type, ...ids].join(':');
  return [type, messageId === null ? 'VARIABLE' : 'MESSAGE', ...ids].join(':');
}

/** The members of a condition for a value of the list of subjects. */
function parseSubject(subject: string): Partial<Condition> {
  const [type, ...rest] = subject.split(':');
  if (type === 'LANGUAGE') return { ...parseSubject(rest.join(':')), type };
  const [first = null, second = null] = rest.map(Number);
  return type === 'MESSAGE'
    ? { type, messageId: first, variableId: null, variableNameId: null }
    : { type: 'VARIABLE', variableId: first, variableNameId: second, messageId: null };
}

/** The subjects that a condition can check, in groups. */
function listSubjects({ variables, messages }: Names) {
  const ofVariables = variables.flatMap(({ id, key, variableNames }) => [
    { value: `VARIABLE:${id}`, label: key },
    ...variableNames
      .slice(0, MAX_LISTED_VALUES)
      .map(({ localId, name }) => ({ value: `VARIABLE:${id}:${localId}`, label: `${key} · ${name}` })),
  ]);
  const ofMessages = messages.map(({ id, key }) => ({ value: `MESSAGE:${id}`, label: key }));
  return [
    { group: 'Variables', items: [{ value: 'VARIABLE', label: 'First variable in the text' }, ...ofVariables] },
    { group: 'Results of messages', items: [{ value: 'MESSAGE', label: 'First message in the text' }, ...ofMessages] },
    {
      group: 'Languages',
      items: [
        { value: 'LANGUAGE', label: 'Language of the first variable or message in the text' },
        ...[...ofVariables, ...ofMessages].map(({ value, label }) => ({
          value: `LANGUAGE:${value}`,
          label: `Language of ${label}`,
        })),
      ],
    },
  ];
}

/** Filters each group on its own, so that a limit does not hide a later group. */
const filterGroups: OptionsFilter = ({ options, ...search }) =>
  options.flatMap(group => defaultOptionsFilter({ options: [group], ...search }) as typeof options);

function ConditionRow({ number, errorAt, condition, names, isReadOnly, onChange, onRemove }: ConditionRowProps) {
  const { type, matching, value, ignoreCase, action, isEnabled } = condition;
  const needsValue = !WITHOUT_VALUE.includes(matching);
  const subjectError = SUBJECT_MEMBERS.map(member => errorAt(member)).find(Boolean);
  const selectProps = {
    size: 'xs',
    disabled: isReadOnly,
    allowDeselect: false,
    comboboxProps: { withinPortal: true },
  } as const;
  return (
    <Box p="xs" className="console-card" role="group" aria-label={`Condition ${number}`}>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="xs">
        <Select
          {...selectProps}
          searchable
          label="If"
          data={listSubjects(names)}
          filter={filterGroups}
          limit={MAX_OPTIONS}
          value={subjectOf(condition)}
          error={subjectError}
          onChange={subject => subject !== null && onChange(parseSubject(subject))}
        />
        <Select
          {...selectProps}
          label="Comparison"
          data={MATCHINGS}
          value={matching}
          error={errorAt('matching')}
          onChange={next => next !== null && onChange({ matching: next as Condition['matching'] })}
        />
        <TextInput
          size="xs"
          label="Value"
          placeholder={type === 'LANGUAGE' && needsValue ? 'Code, such as en' : undefined}
          disabled={isReadOnly || !needsValue}
          value={needsValue ? value : ''}
          error={errorAt('value')}
          onChange={event => onChange({ value: event.currentTarget.value })}
        />
        <Select
          {...selectProps}
          label="Then"
          data={ACTIONS}
          value={action}
          error={errorAt('action')}
          onChange={next => next !== null && onChange({ action: next as Condition['action'] })}
        />
      </SimpleGrid>
      <ErrorText>{errorAt() ?? errorAt('isEnabled') ?? errorAt('ignoreCase')}</ErrorText>
      <Group justify="space-between" mt="xs">
        <Group>
          <Switch
            size="xs"
            label="Enabled"
            disabled={isReadOnly}
            checked={isEnabled}
            onChange={event => onChange({ isEnabled: event.currentTarget.checked })}
          />
          {type !== 'LANGUAGE' && OF_TEXTS.includes(matching) && (
            <Switch
              size="xs"
              label="Ignore case"
              disabled={isReadOnly}
              checked={ignoreCase}
              onChange={event => onChange({ ignoreCase: event.currentTarget.checked })}
            />
          )}
        </Group>
        {!isReadOnly && (
          <ActionIcon size="sm" aria-label={`Remove condition ${number}`} onClick={onRemove}>
            <IconTrash size={15} />
          </ActionIcon>
        )}
      </Group>
    </Box>
  );
}
