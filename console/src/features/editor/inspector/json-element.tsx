import { Input } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { parseJson } from '@/shared/json/json-value';
import type { Suggestion } from '../model/placeholders';
import type { ElementProps } from './field';
import { TextField } from './text-field';

const NONE: readonly never[] = [];

/** Any value. It is changed while the text is valid JSON; an empty text removes it. */
export function JsonElement({ form, value, onChange, label, describedBy, isInvalid }: ElementProps) {
  return (
    <JsonText
      value={value}
      onChange={onChange}
      label={label}
      isReadOnly={form.isReadOnly}
      suggestions={form.suggestions}
      describedBy={describedBy}
      isInvalid={isInvalid}
    />
  );
}

interface JsonTextProps {
  value: unknown;
  onChange: (value: unknown) => void;
  label: string;
  isReadOnly: boolean;
  suggestions?: readonly Suggestion[];
  describedBy?: string | undefined;
  isInvalid?: boolean;
}

const format = (value: unknown) => (value === undefined ? '' : JSON.stringify(value, null, 2));

export function JsonText({
  value,
  onChange,
  label,
  isReadOnly,
  suggestions = NONE,
  describedBy,
  isInvalid = false,
}: JsonTextProps) {
  const [text, setText] = useState(() => format(value));
  // The last value of this field, so that only changes from elsewhere replace the text.
  const ownValue = useRef(value);
  useEffect(() => {
    if (ownValue.current === value) return;
    ownValue.current = value;
    setText(format(value));
  }, [value]);
  const isJson = text.trim() === '' || parseJson(text) !== undefined;
  return (
    <>
      <TextField
        value={text}
        onChange={next => {
          setText(next);
          const parsed = next.trim() === '' ? undefined : parseJson(next);
          if (parsed === undefined && next.trim() !== '') return;
          ownValue.current = parsed;
          onChange(parsed);
        }}
        label={label}
        language="json"
        isReadOnly={isReadOnly}
        suggestions={suggestions}
        describedBy={describedBy}
        isInvalid={isInvalid || !isJson}
      />
      {!isJson && <Input.Error mt={4}>This is not valid JSON. The last valid value is kept.</Input.Error>}
    </>
  );
}
