import { Group, JsonInput, NumberInput, SegmentedControl, Select, Stack, Switch, Textarea } from '@mantine/core';
import { useState } from 'react';
import { type ArgumentField, type Arguments, fieldsOf, toArguments, withMember } from './arguments';

export interface ArgumentsFormProps {
  /** JSON Schema of the tool. */
  schema: unknown;
  /** The requested arguments, which decide how members are edited. */
  original: Arguments;
  value: Arguments;
  onChange: (value: Arguments) => void;
  /** Reports whether a text is not valid JSON. */
  onInvalid: (isInvalid: boolean) => void;
  /** Refusals by path, for example `amount`. */
  errors: Readonly<Record<string, string>>;
}

/** Arguments as a form of the schema, or as JSON. */
export function ArgumentsForm(props: ArgumentsFormProps) {
  const { schema, original, value, onChange, onInvalid, errors } = props;
  const fields = fieldsOf(schema, original);
  const [isJson, setIsJson] = useState(fields.length === 0);
  return (
    <Stack gap="sm">
      {fields.length > 0 && (
        <Group justify="flex-end">
          <SegmentedControl
            size="xs"
            aria-label="Edit the arguments as"
            data={[
              { value: 'form', label: 'Form' },
              { value: 'json', label: 'JSON' },
            ]}
            value={isJson ? 'json' : 'form'}
            onChange={next => {
              setIsJson(next === 'json');
              onInvalid(false);
            }}
          />
        </Group>
      )}
      {isJson ? (
        <JsonMember
          label="Arguments as JSON"
          value={value}
          onChange={next => onChange(toArguments(next))}
          onInvalid={onInvalid}
          error={Object.values(errors)[0]}
        />
      ) : (
        fields.map(field => (
          <Member
            key={field.name}
            field={field}
            value={value[field.name]}
            onChange={next => onChange(withMember(value, field.name, next))}
            onInvalid={onInvalid}
            error={errors[field.name]}
          />
        ))
      )}
    </Stack>
  );
}

interface MemberProps {
  field: ArgumentField;
  value: unknown;
  /** undefined: the member is removed. */
  onChange: (value: unknown) => void;
  onInvalid: (isInvalid: boolean) => void;
  error: string | undefined;
}

function Member({ field, value, onChange, onInvalid, error }: MemberProps) {
  const { title, description, isRequired, type, choices } = field;
  const common = { label: title, description, withAsterisk: isRequired, error };
  switch (type) {
    case 'text':
      return (
        <Textarea
          {...common}
          autosize
          maxRows={12}
          value={typeof value === 'string' ? value : ''}
          onChange={({ currentTarget: { value: text } }) => onChange(text === '' && !isRequired ? undefined : text)}
        />
      );
    case 'number':
      return (
        <NumberInput
          {...common}
          value={typeof value === 'number' ? value : ''}
          onChange={next => onChange(typeof next === 'number' ? next : undefined)}
        />
      );
    case 'boolean':
      return (
        <Switch
          label={title}
          description={description}
          error={error}
          checked={value === true}
          onChange={({ currentTarget: { checked } }) => onChange(checked)}
        />
      );
    case 'choice':
      return (
        <Select
          {...common}
          data={[...choices]}
          value={typeof value === 'string' ? value : null}
          clearable={!isRequired}
          onChange={next => onChange(next ?? undefined)}
        />
      );
    case 'json':
      return <JsonMember {...common} value={value} onChange={onChange} onInvalid={onInvalid} />;
  }
}

interface JsonMemberProps extends Omit<MemberProps, 'field'> {
  label: string;
  description?: string | null;
  withAsterisk?: boolean;
}

/** Any JSON value. It changes while the text is valid; an empty text removes it. */
function JsonMember({ value, onChange, onInvalid, error, ...common }: JsonMemberProps) {
  const [text, setText] = useState(() => (value === undefined ? '' : JSON.stringify(value, null, 2)));
  const [isInvalid, setIsInvalid] = useState(false);
  const change = (next: string) => {
    setText(next);
    const parsed = next.trim() === '' ? { value: undefined } : parseJson(next);
    setIsInvalid(parsed === null);
    onInvalid(parsed === null);
    if (parsed) onChange(parsed.value);
  };
  return (
    <JsonInput
      {...common}
      error={isInvalid ? 'This is not valid JSON.' : error}
      autosize
      minRows={2}
      maxRows={16}
      value={text}
      onChange={change}
    />
  );
}

function parseJson(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}
