import { ActionIcon, Box, Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
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
  // An object has one member of each name: that of the last row.
  const isReplaced = (row: Row) => row.name !== '' && rows.findLast(({ name }) => name === row.name) !== row;
  return (
    <Stack gap={6}>
      {rows.map(row => (
        <Group key={row.key} gap={6} wrap="nowrap" align="flex-start">
          <TextInput
            w="38%"
            value={row.name}
            onChange={event => change(row.key, { name: event.currentTarget.value })}
            placeholder="Name"
            aria-label={`${label}: name`}
            error={isReplaced(row) ? 'A later row has this name. Only that row is kept.' : undefined}
            disabled={form.isReadOnly}
          />
          <div style={{ flex: 1, minWidth: 0 }}>
            <ValueElement
              value={row.value}
              onChange={value => change(row.key, { value })}
              label={`${label}: ${row.name || 'value'}`}
              isSecret={field.isSecret}
              form={form}
            />
          </div>
          {!form.isReadOnly && (
            <>
              <InsertMenu
                suggestions={form.suggestions}
                onInsert={added => change(row.key, { value: `${textOf(row.value)}${added}` })}
              />
              <ActionIcon
                mt={5}
                size="sm"
                aria-label={`Remove ${row.name || 'the row'}`}
                onClick={() => update(rows.filter(({ key }) => key !== row.key))}
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

/** A placeholder is not secret, nor is the authentication scheme in front of it. Any other text may be. */
const NOT_SECRET = /^(?:(?:Basic|Bearer|Token) )?\{\{[^{}]*\}\}$/i;

/** Values that are not texts keep their type while they stay valid. */
function ValueElement({ value, onChange, label, isSecret, form }: ValueElementProps) {
  const text = textOf(value);
  const isSecretText = isSecret && !NOT_SECRET.test(text);
  const [isMasked, setIsMasked] = useState(isSecretText);
  const place = useRef<HTMLDivElement>(null);
  // The masked element and the other one replace each other only without the focus, which the user would lose while typing.
  useEffect(() => {
    if (!place.current?.contains(document.activeElement)) setIsMasked(isSecretText);
  }, [isSecretText]);
  const change = (next: string) => {
    const parsed = typeof value === 'string' || value === undefined ? undefined : parseJson(next);
    onChange(parsed ?? next);
  };
  return (
    <Box ref={place} onBlur={() => setIsMasked(isSecretText)}>
      {isMasked ? (
        <PasswordInput
          value={text}
          onChange={event => change(event.currentTarget.value)}
          aria-label={label}
          autoComplete="off"
          placeholder="Value"
          disabled={form.isReadOnly}
        />
      ) : (
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
      )}
    </Box>
  );
}
