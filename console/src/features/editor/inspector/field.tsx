import {
  Input,
  NumberInput,
  Select,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
  Tooltip,
  UnstyledButton,
} from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { IconInfoCircle } from '@/icons';
import { isObject, textOf, valueAt } from '@/shared/json/json-value';
import { isOperator, operatorView } from '../model/conditions';
import { defaultHint, isShown, resolvePath, shapeOf, type ValueShape } from '../model/fields';
import type { Field } from '../model/kinds';
import { ConditionElement } from './condition-element';
import { faultAt, type NodeForm, useNodeForm } from './field-context';
import { GraphElement } from './graph-element';
import { JsonElement } from './json-element';
import { KeyValueElement } from './key-value-element';
import { ListElement } from './list-element';
import {
  AgentsElement,
  ConnectionElement,
  DocumentsElement,
  McpToolElement,
  MembersElement,
  ModelElement,
  ProviderElement,
  ReferenceElement,
} from './option-elements';
import { InsertMenu, TextField } from './text-field';

export interface ElementProps {
  field: Field;
  /** The place of the value in `data`. */
  path: readonly string[];
  value: unknown;
  shape: ValueShape;
  form: NodeForm;
  /** Undefined removes the value. */
  onChange: (value: unknown) => void;
  /** The name of the element for screen readers. */
  label: string;
  describedBy: string | undefined;
  isInvalid: boolean;
}

/** Elements with a label of their own. */
const SELF_LABELLED = new Set<Field['widget']>(['SWITCH', 'LIST', 'CONDITION']);

/** One setting. `items` has the indexes of the items that contain it, outermost first. */
export function FieldView({ field, items = [] }: { field: Field; items?: readonly number[] }) {
  const form = useNodeForm();
  const { node, kind, issues, set } = form;
  const faultId = useId();
  if (!isShown(kind, field, node.data, items)) return null;
  const path = resolvePath(field.path, items);
  const shape = shapeOf(kind, field.path);
  const isNested = field.widget === 'LIST' || field.widget === 'CONDITION';
  const fault = faultAt(issues, path, !isNested);
  const props: ElementProps = {
    field,
    path,
    shape,
    form,
    value: valueAt(node.data, path),
    onChange: value => set(path, value),
    label: field.title,
    describedBy: fault === undefined ? undefined : faultId,
    isInvalid: fault !== undefined,
  };
  return (
    <div data-path={path.join('.')}>
      {!SELF_LABELLED.has(field.widget) && <FieldLabel {...props} />}
      <FieldElement {...props} />
      {fault !== undefined && (
        <Input.Error id={faultId} mt={4}>
          {fault}
        </Input.Error>
      )}
    </div>
  );
}

export function FieldLabel(props: ElementProps) {
  const { field, shape, form, value, onChange } = props;
  return (
    <div className="editor-field-label">
      <span>{field.title}</span>
      {shape.isRequired && (
        <span style={{ color: 'var(--mantine-color-error)' }} aria-hidden>
          *
        </span>
      )}
      <Description text={shape.description} />
      {acceptsPlaceholder(props) && (
        <span className="editor-field-tools">
          <InsertMenu
            suggestions={form.suggestions}
            onInsert={placeholder => onChange(isText(field) ? joinText(textOf(value), placeholder) : placeholder)}
          />
        </span>
      )}
    </div>
  );
}

const isText = ({ widget }: Field) => widget === 'TEXT' || widget === 'TEXTAREA' || widget === 'URL';

const joinText = (text: string, added: string) => (text === '' || /\s$/.test(text) ? text + added : `${text} ${added}`);

/** Triggers have no placeholders: nothing ran before them. */
function replacesPlaceholders({ field, shape, form }: ElementProps): boolean {
  return form.kind.category !== 'START' && field.group !== 'GENERAL' && !shape.isLiteral;
}

function acceptsPlaceholder(props: ElementProps): boolean {
  const { field, shape, form } = props;
  return !form.isReadOnly && replacesPlaceholders(props) && (isText(field) || shape.allowsPlaceholder);
}

export function Description({ text }: { text: string }) {
  if (text === '') return null;
  return (
    <Tooltip label={text.replaceAll('`', '')} multiline w={260} events={{ hover: true, focus: true, touch: true }}>
      <UnstyledButton aria-label={text.replaceAll('`', '')} c="dimmed" className="editor-info">
        <IconInfoCircle size={14} />
      </UnstyledButton>
    </Tooltip>
  );
}

type ElementOf = (props: ElementProps) => ReactNode;

const ELEMENTS: Partial<Record<Field['widget'], ElementOf>> = {
  TEXT: TextElement,
  TEXTAREA: TextElement,
  URL: TextElement,
  CODE: CodeElement,
  NUMBER: NumberElement,
  SELECT: SelectElement,
  SWITCH: SwitchElement,
  STRINGS: StringsElement,
  KEY_VALUE: KeyValueElement,
  LIST: ListElement,
  CONDITION: ConditionElement,
  MODEL: ModelElement,
  PROVIDER: ProviderElement,
  WORKFLOW: ReferenceElement,
  SCENARIO: ReferenceElement,
  CONNECTION: ConnectionElement,
  DOCUMENTS: DocumentsElement,
  GRAPH: GraphElement,
};

/** The element of a widget. An unknown widget is edited as JSON, a value with a placeholder as text. */
function FieldElement(props: ElementProps) {
  const { field, shape, value, form } = props;
  const isPlaceholder = typeof value === 'string' && value.includes('{{') && form.kind.category !== 'START';
  if (isPlaceholder && shape.allowsPlaceholder && !isText(field) && field.widget !== 'CODE') {
    return <TextElement {...props} />;
  }
  if (field.optionsFrom === 'MCP_TOOLS' && field.widget === 'TEXT') return <McpToolElement {...props} />;
  if (field.optionsFrom === 'MEMBERS') return <MembersElement {...props} />;
  if (field.optionsFrom === 'AGENTS') return <AgentsElement {...props} />;
  const Chosen = ELEMENTS[field.widget] ?? JsonElement;
  return <Chosen {...props} />;
}

function TextElement(props: ElementProps) {
  const { field, form, value, onChange, shape, label, describedBy, isInvalid } = props;
  const isLong = field.widget === 'TEXTAREA';
  const change = (text: string) => onChange(text === '' && !shape.isRequired ? undefined : text);
  if (!replacesPlaceholders(props)) {
    const own = {
      'aria-label': label,
      'aria-describedby': describedBy,
      error: isInvalid,
      value: textOf(value),
      disabled: form.isReadOnly,
    };
    if (isLong) return <Textarea {...own} autosize minRows={3} onChange={event => change(event.currentTarget.value)} />;
    const type = field.isSecret ? 'password' : 'text';
    return <TextInput {...own} type={type} onChange={event => change(event.currentTarget.value)} />;
  }
  return (
    <TextField
      value={isObject(value) || Array.isArray(value) ? JSON.stringify(value, null, 2) : textOf(value)}
      onChange={change}
      label={label}
      language="template"
      isSingleLine={!isLong}
      isReadOnly={form.isReadOnly}
      hint={defaultHint(shape.description) || (field.widget === 'URL' ? 'https://…' : '')}
      suggestions={form.suggestions}
      describedBy={describedBy}
      isInvalid={isInvalid}
    />
  );
}

function CodeElement({ form, value, onChange, label, describedBy, isInvalid }: ElementProps) {
  return (
    <TextField
      value={textOf(value)}
      onChange={onChange}
      label={label}
      language="javascript"
      isReadOnly={form.isReadOnly}
      suggestions={form.suggestions}
      describedBy={describedBy}
      isInvalid={isInvalid}
    />
  );
}

function NumberElement({ form, value, onChange, shape, label, describedBy, isInvalid }: ElementProps) {
  return (
    <NumberInput
      aria-label={label}
      aria-describedby={describedBy}
      error={isInvalid}
      value={typeof value === 'number' || typeof value === 'string' ? value : ''}
      // A text such as `-` is not a number yet.
      onChange={next => onChange(next === '' || Number.isNaN(Number(next)) ? undefined : Number(next))}
      min={shape.minimum}
      max={shape.maximum}
      allowDecimal={!shape.types.has('integer') || shape.types.has('number')}
      clampBehavior="none"
      placeholder={defaultHint(shape.description)}
      disabled={form.isReadOnly}
    />
  );
}

/** Titles of values that differ from the value in more than its case. */
const VALUE_TITLES: Record<string, string> = {
  mcp: 'MCP server',
  http: 'HTTP request',
};

function valueTitle(value: string): string {
  const known = VALUE_TITLES[value];
  if (known !== undefined) return known;
  if (isOperator(value)) return operatorView(value).label;
  if (!/^[a-z_]+$/.test(value)) return value;
  return value.charAt(0).toUpperCase() + value.slice(1).replaceAll('_', ' ');
}

function SelectElement({ form, value, onChange, shape, label, describedBy, isInvalid }: ElementProps) {
  const current = textOf(value);
  const proposed = (shape.values ?? shape.examples).map(textOf);
  const known = current === '' || proposed.includes(current) ? proposed : [...proposed, current];
  return (
    <Select
      aria-label={label}
      aria-describedby={describedBy}
      error={isInvalid}
      data={known.map(one => ({ value: one, label: valueTitle(one) }))}
      value={current === '' ? null : current}
      onChange={next => onChange(next ?? undefined)}
      clearable={!shape.isRequired}
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      placeholder={defaultHint(shape.description) || 'Default'}
      allowDeselect={false}
      disabled={form.isReadOnly}
      comboboxProps={{ withinPortal: true }}
    />
  );
}

function SwitchElement({ field, form, value, onChange, shape, describedBy, isInvalid }: ElementProps) {
  const fallback = valueAt(form.kind.defaults, field.path.split('.'));
  return (
    <div style={{ display: 'flex', alignItems: 'center', gap: 4 }}>
      <Switch
        size="sm"
        label={field.title}
        aria-describedby={describedBy}
        error={isInvalid}
        checked={(value ?? fallback) === true}
        onChange={event => onChange(event.currentTarget.checked)}
        disabled={form.isReadOnly}
      />
      <Description text={shape.description} />
    </div>
  );
}

function StringsElement({ form, value, onChange, shape, label, describedBy, isInvalid }: ElementProps) {
  return (
    <TagsInput
      aria-label={label}
      aria-describedby={describedBy}
      error={isInvalid}
      value={Array.isArray(value) ? value.map(textOf) : []}
      onChange={next => onChange(next.length === 0 ? undefined : next)}
      placeholder={
        Array.isArray(value) && value.length > 0 ? '' : defaultHint(shape.description) || 'Type and press Enter'
      }
      disabled={form.isReadOnly}
    />
  );
}
