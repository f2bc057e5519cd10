import { ActionIcon, Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { IconPlus, IconTrash } from '@/icons';
import { isObject, parseJson, textOf } from '@/shared/json/json-value';
import type { ElementProps } from './field';
import { JsonElement } from './json-element';
import { InsertMenu, TextField } from './text-field';

type Row = { key: number; name: string; value: unknown };

/** An object of names and values. Rows without a name are kept in the form only. */
export function KeyValueElement(props: ElementProps) {
  const { value } = props;
  if (value !== undefined && value !== null && !isObject(value)) return <JsonElement {...props} />;
  return <Rows {...props} />;
}

let nextKey = 0;
const rowsOf = (value: unknown): Row[] =>
  Object.entries(isObject(value) ? value : {}).map(([name, member]) => ({ key: nextKey++, name, value: member }));

function Rows({ value, onChange, form, label, field }: ElementProps) {
  const [rows, setRows] = useState(() => rowsOf(value));
  // The last value of this field, so that only changes from elsewhere replace the rows.
  const ownValue = useRef(value);
  useEffect(() => {
    if (ownValue.current === value) return;
    ownValue.current = value;
    setRows(rowsOf(value));
  }, [value]);
  const update = (next: Row[]) => {
    setRows(next);
    const object = Object.fromEntries(next.filter(({ name }) => name !== '').map(row => [row.name, row.value]));
    ownValue.current = object;
    onChange(object);
  };
  const change = (key: number, changes: Partial<Row>) =>
    update(rows.map(row => (row.key === key ? { ...row, ...changes } : row)));
  return (
    <Stack gap={6}>
      {rows.map(({ key, name, value: member }) => (
        <Group key={key} gap={6} wrap="nowrap" align="flex-start">
          <TextInput
            w="38%"
            value={name}
            onChange={event => change(key, { name: event.currentTarget.value })}
            placeholder="Name"
            aria-label={`${label}: name`}
            disabled={form.isReadOnly}
          />
          <div style={{ flex: 1, minWidth: 0 }}>
            <ValueElement
              value={member}
              onChange={next => change(key, { value: next })}
              label={`${label}: ${name || 'value'}`}
              isSecret={field.isSecret}
              form={form}
            />
          </div>
          {!form.isReadOnly && (
            <>
              <InsertMenu
                suggestions={form.suggestions}
                onInsert={added => change(key, { value: `${textOf(member)}${added}` })}
              />
              <ActionIcon
                mt={5}
                size="sm"
                aria-label={`Remove ${name || 'the row'}`}
                onClick={() => update(rows.filter(row => row.key !== key))}
              >
                <IconTrash size={15} />
              </ActionIcon>
            </>
          )}
        </Group>
      ))}
      {!form.isReadOnly && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() => setRows([...rows, { key: nextKey++, name: '', value: '' }])}
        >
          Add to {label.toLowerCase()}
        </Button>
      )}
    </Stack>
  );
}

interface ValueElementProps {
  value: unknown;
  onChange: (value: unknown) => void;
  label: string;
  isSecret: boolean;
  form: ElementProps['form'];
}

/** Values that are not texts keep their type while they stay valid. */
function ValueElement({ value, onChange, label, isSecret, form }: ValueElementProps) {
  const text = textOf(value);
  const change = (next: string) => {
    const parsed = typeof value === 'string' || value === undefined ? undefined : parseJson(next);
    onChange(parsed ?? next);
  };
  if (isSecret && !text.includes('{{')) {
    return (
      <PasswordInput
        value={text}
        onChange={event => change(event.currentTarget.value)}
        aria-label={label}
        autoComplete="off"
        placeholder="Value"
        disabled={form.isReadOnly}
      />
    );
  }
  return (
    <TextField
      value={text}
      onChange={change}
      label={label}
      language="template"
      isSingleLine
      hint="Value"
      isReadOnly={form.isReadOnly}
      suggestions={form.suggestions}
    />
  );
}
