import {
  ActionIcon,
  Box,
  Button,
  Group,
  Input,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  TagsInput,
} from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { IconPlus, IconTrash } from '@/icons';
import { isObject, type JsonObject, listOf, textOf } from '@/shared/json/json-value';
import {
  COMBINATIONS,
  isGroup,
  MAX_CONDITIONS,
  MAX_DEPTH,
  NEW_COMPARISON,
  newGroup,
  operatorOptions,
  operatorView,
  withAdded,
  withOperator,
  withRemoved,
} from '../model/conditions';
import { shapeOf } from '../model/fields';
import type { ElementProps } from './field';
import { faultAt, type NodeForm } from './field-context';
import { JsonElement } from './json-element';
import { InsertMenu, TextField } from './text-field';

interface ConditionProps {
  form: NodeForm;
  /** The place of the condition in `data`. */
  path: readonly string[];
  condition: JsonObject;
  operators: readonly string[];
  onChange: (condition: JsonObject) => void;
  /** Its accessible name, for example "Condition 2". */
  name: string;
}

/** One comparison, or nested groups of them. A value of another form is edited as JSON. */
export function ConditionElement(props: ElementProps) {
  const { value, form, path, field, onChange, describedBy } = props;
  if (value !== undefined && value !== null && !isObject(value)) return <JsonElement {...props} />;
  const condition = value ?? NEW_COMPARISON;
  const operators = (shapeOf(form.kind, `${field.path}.operator`).values ?? []).map(textOf);
  const part = { form, path, condition, operators, onChange, name: field.title };
  return (
    <Stack gap={8} role="group" aria-label={field.title} aria-describedby={describedBy}>
      {isGroup(condition) ? <GroupView {...part} depth={1} /> : <ComparisonView {...part} />}
      {!isGroup(condition) && !form.isReadOnly && (
        <AddButton onClick={() => onChange(withAdded(condition, NEW_COMPARISON))}>Add condition</AddButton>
      )}
    </Stack>
  );
}

function GroupView({ depth, ...part }: ConditionProps & { depth: number }) {
  const { form, path, condition, onChange, name } = part;
  const { isReadOnly } = form;
  const conditions = listOf(condition.conditions);
  const fault = faultAt(form.issues, [...path, 'conditions'], false);
  const isFull = conditions.length >= MAX_CONDITIONS;
  return (
    <Stack gap={8}>
      <Group gap="xs" wrap="nowrap" fz="xs" c="dimmed">
        <SegmentedControl
          size="xs"
          aria-label={`Combination of ${name.toLowerCase()}`}
          data={COMBINATIONS}
          value={textOf(condition.combine) || 'and'}
          onChange={combine => onChange({ ...condition, combine })}
          disabled={isReadOnly}
        />
        <span>of these are true</span>
      </Group>
      {fault !== undefined && <Input.Error>{fault}</Input.Error>}
      {conditions.map((inner, index) => {
        const own = {
          ...part,
          path: [...path, 'conditions', String(index)],
          condition: isObject(inner) ? inner : NEW_COMPARISON,
          onChange: (next: JsonObject) => onChange({ ...condition, conditions: conditions.with(index, next) }),
          name: `${isGroup(inner) ? 'Group' : 'Condition'} ${index + 1}`,
        };
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no identity of their own.
          <Box key={index} className="editor-item" p={10} pt={6} role="group" aria-label={own.name}>
            <Group justify="space-between" wrap="nowrap" gap={4} mb={4} fz="xs" c="dimmed" fw={500}>
              <span>{own.name}</span>
              <ActionIcon
                size="sm"
                aria-label={`Remove ${own.name.toLowerCase()}`}
                disabled={isReadOnly}
                onClick={() => onChange(withRemoved(condition, index))}
              >
                <IconTrash size={14} />
              </ActionIcon>
            </Group>
            {isGroup(inner) ? <GroupView {...own} depth={depth + 1} /> : <ComparisonView {...own} />}
          </Box>
        );
      })}
      {!isReadOnly && !isFull && (
        <Group gap="xs">
          <AddButton onClick={() => onChange(withAdded(condition, NEW_COMPARISON))}>Add condition</AddButton>
          {depth < MAX_DEPTH && (
            <AddButton onClick={() => onChange(withAdded(condition, newGroup()))}>Add group</AddButton>
          )}
        </Group>
      )}
    </Stack>
  );
}

function AddButton({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={<IconPlus size={14} />}
      style={{ alignSelf: 'flex-start' }}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}

function ComparisonView(part: ConditionProps) {
  const { form, path, condition, operators, onChange } = part;
  const operator = textOf(condition.operator) || '==';
  const known = operators.includes(operator) ? operators : [...operators, operator];
  const { right, isText } = operatorView(operator);
  return (
    <Stack gap={6}>
      <Side {...part} member="left" title="Left side" />
      <LabelledControl title="Comparison" fault={faultAt(form.issues, [...path, 'operator'], true)}>
        {({ describedBy, isInvalid }) => (
          <Select
            aria-label="Comparison"
            aria-describedby={describedBy}
            error={isInvalid}
            data={operatorOptions(known)}
            value={operator}
            onChange={next => next !== null && onChange(withOperator(condition, next))}
            allowDeselect={false}
            searchable
            maxDropdownHeight={320}
            disabled={form.isReadOnly}
            comboboxProps={{ withinPortal: true }}
          />
        )}
      </LabelledControl>
      {right !== 'none' && <Side {...part} member="right" title={right === 'range' ? 'From and to' : 'Right side'} />}
      {isText && (
        <Switch
          size="sm"
          label="Ignore case"
          checked={condition.ignore_case === true}
          onChange={event => {
            const { ignore_case: _, ...rest } = condition;
            onChange(event.currentTarget.checked ? { ...rest, ignore_case: true } : rest);
          }}
          disabled={form.isReadOnly}
        />
      )}
    </Stack>
  );
}

/** Hints in empty elements, by the form of the right side. */
const HINTS: Partial<Record<string, string>> = {
  date: '2026-01-31 or a placeholder',
  pattern: '^[A-Z]{2}\\d+$',
};

/** The left or the right side of a comparison. */
function Side({
  form,
  path,
  condition,
  onChange,
  member,
  title,
}: ConditionProps & { member: 'left' | 'right'; title: string }) {
  const value = condition[member];
  const set = (next: unknown) => onChange({ ...condition, [member]: next });
  const side = member === 'left' ? 'text' : operatorView(textOf(condition.operator) || '==').right;
  // A placeholder replaces a list or a range as a whole; in a text it is inserted.
  const isWhole = side === 'list' || side === 'range';
  const text = {
    language: 'template',
    isSingleLine: true,
    isReadOnly: form.isReadOnly,
    suggestions: form.suggestions,
    hint: HINTS[side] ?? '',
  } as const;
  return (
    <LabelledControl
      title={title}
      fault={faultAt(form.issues, [...path, member], true)}
      tools={
        !form.isReadOnly && (
          <InsertMenu
            suggestions={form.suggestions}
            onInsert={name => set(isWhole || typeof value !== 'string' ? name : `${value}${name}`)}
          />
        )
      }
    >
      {state => {
        if (side === 'range' && Array.isArray(value)) {
          return (
            <Group gap={6} wrap="nowrap" grow>
              {['From', 'To'].map((label, index) => (
                <TextField
                  key={label}
                  {...text}
                  {...state}
                  label={label}
                  value={textOf(value[index])}
                  onChange={next => set(index === 0 ? [next, value[1] ?? ''] : [value[0] ?? '', next])}
                />
              ))}
            </Group>
          );
        }
        if (side === 'list' && typeof value !== 'string') {
          return (
            <TagsInput
              aria-label={title}
              aria-describedby={state.describedBy}
              error={state.isInvalid}
              value={listOf(value).map(textOf)}
              onChange={set}
              placeholder={listOf(value).length > 0 ? '' : 'Type a value and press Enter'}
              disabled={form.isReadOnly}
            />
          );
        }
        const change = (next: string) => set(isWhole && next === '' ? (side === 'range' ? ['', ''] : []) : next);
        return <TextField {...text} {...state} label={title} value={textOf(value)} onChange={change} />;
      }}
    </LabelledControl>
  );
}

interface LabelledControlProps {
  title: string;
  fault: string | undefined;
  tools?: ReactNode;
  children: (state: { describedBy: string | undefined; isInvalid: boolean }) => ReactNode;
}

function LabelledControl({ title, fault, tools, children }: LabelledControlProps) {
  const faultId = useId();
  return (
    <div>
      <div className="editor-field-label">
        <span>{title}</span>
        <span className="editor-field-tools">{tools}</span>
      </div>
      {children({ describedBy: fault === undefined ? undefined : faultId, isInvalid: fault !== undefined })}
      {fault !== undefined && (
        <Input.Error id={faultId} mt={4}>
          {fault}
        </Input.Error>
      )}
    </div>
  );
}
