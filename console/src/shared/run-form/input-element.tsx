import { JsonInput, MultiSelect, NumberInput, PasswordInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { FileElement } from './file-element';
import { type FormValues, hasSecretDefault, type InputField } from './input-fields';

export interface InputElementProps {
  field: InputField;
  value: FormValues[string];
  error: ReactNode;
  onChange: (value: FormValues[string]) => void;
}

/** The element of one field of an input. */
export function InputElement({ field, value, error, onChange }: InputElementProps) {
  const { title, element, isRequired, placeholder, tooltip, options, isInteger } = field;
  const common = {
    label: title,
    description: tooltip || undefined,
    required: isRequired && !hasSecretDefault(field),
    placeholder,
    error,
  };
  const text = typeof value === 'string' ? value : '';
  const data = options.map(option => ({ value: option.value, label: option.title }));
  switch (element) {
    case 'switch':
      return (
        <Switch
          label={title}
          description={tooltip}
          error={error}
          checked={value === true}
          onChange={event => onChange(event.currentTarget.checked)}
        />
      );
    case 'number':
      return (
        <NumberInput
          {...common}
          value={text}
          onChange={next => onChange(String(next))}
          allowDecimal={!isInteger}
          clampBehavior="none"
        />
      );
    case 'select':
      return (
        <Select
          {...common}
          data={data}
          value={text === '' ? null : text}
          onChange={next => onChange(next ?? '')}
          clearable={!isRequired}
          clearButtonProps={{ 'aria-label': `Clear ${title}` }}
          searchable={data.length > 8}
        />
      );
    case 'multiselect':
      return <MultiSelect {...common} data={data} value={Array.isArray(value) ? value : []} onChange={onChange} />;
    case 'secret':
      return (
        <PasswordInput
          {...common}
          placeholder={hasSecretDefault(field) ? 'The stored value' : placeholder}
          value={text}
          onChange={event => onChange(event.currentTarget.value)}
          autoComplete="off"
        />
      );
    case 'textarea':
      return (
        <Textarea
          {...common}
          autosize
          minRows={3}
          maxRows={14}
          value={text}
          onChange={event => onChange(event.currentTarget.value)}
        />
      );
    case 'json':
      return <JsonInput {...common} autosize minRows={4} maxRows={16} formatOnBlur value={text} onChange={onChange} />;
    case 'file':
      return <FileElement {...common} value={text} onChange={onChange} />;
    case 'text':
      return (
        <Textarea
          {...common}
          autosize
          minRows={1}
          maxRows={10}
          value={text}
          onChange={event => onChange(event.currentTarget.value)}
        />
      );
    default:
      return (
        <TextInput
          {...common}
          type={element === 'datetime' && !isLocalTime(text) ? 'text' : (HTML_TYPES[element] ?? 'text')}
          value={text}
          onChange={event => onChange(event.currentTarget.value)}
        />
      );
  }
}

const HTML_TYPES: Record<string, string> = { email: 'email', url: 'url', date: 'date', datetime: 'datetime-local' };

/** Whether the element for times can show a text. It cannot show one with a time zone. */
const isLocalTime = (text: string) => text === '' || /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/.test(text);
