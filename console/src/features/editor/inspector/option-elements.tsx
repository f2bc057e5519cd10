import { useQuery } from '@apollo/client/react';
import { Autocomplete, Group, MultiSelect, Select, Text } from '@mantine/core';
import { isObject, listOf, textOf, valueAt } from '@/shared/json/json-value';
import { MAX_OPTIONS, useWholeList } from '@/shared/lists/whole-list';
import { kindLabelOf } from '@/shared/project/connection-kinds';
import {
  useConnectionChoices,
  useDocumentChoices,
  useMemberChoices,
  useWorkflowChoices,
} from '@/shared/project/use-choices';
import { useProjectId } from '@/shared/project/use-project';
import { EditorMcpToolsDocument, EditorModelsDocument, EditorScenariosDocument } from '../editor.generated';
import { useEditorView } from '../editor-context';
import { labelOf, nodesOf } from '../model/graph';
import type { ElementProps } from './field';

const PROVIDER_TITLES: Record<string, string> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
  echo: 'Built in',
};

/** Models by provider. Any other name and placeholders may be typed. */
export function ModelElement({ form, value, onChange, label, describedBy, isInvalid }: ElementProps) {
  const { data } = useQuery(EditorModelsDocument, { variables: { projectId: useProjectId() } });
  const groups = Map.groupBy(data?.chatModels.data ?? [], ({ ownedBy }) => ownedBy);
  return (
    <Autocomplete
      aria-label={label}
      aria-describedby={describedBy}
      error={isInvalid}
      value={textOf(value)}
      onChange={onChange}
      data={[...groups].map(([owner, models]) => ({
        group: PROVIDER_TITLES[owner] ?? owner,
        items: [...new Set(models.map(({ id }) => id))],
      }))}
      limit={MAX_OPTIONS}
      maxDropdownHeight={280}
      placeholder="Name of a model"
      disabled={form.isReadOnly}
      comboboxProps={{ withinPortal: true }}
    />
  );
}

/** A provider of models. Without one the name of the model decides. */
export function ProviderElement({ form, value, onChange, label, describedBy, isInvalid }: ElementProps) {
  const { data } = useQuery(EditorModelsDocument, { variables: { projectId: useProjectId() } });
  // The built-in provider is always available, also before the list has arrived.
  const names = new Set([...(data?.chatModels.data.map(({ ownedBy }) => ownedBy) ?? []), 'echo']);
  if (textOf(value) !== '') names.add(textOf(value));
  return (
    <Select
      aria-label={label}
      aria-describedby={describedBy}
      error={isInvalid}
      value={textOf(value) || null}
      onChange={next => onChange(next ?? undefined)}
      data={[...names]}
      clearable
      placeholder="Automatic, from the name of the model"
      disabled={form.isReadOnly}
    />
  );
}

/** A workflow or a scenario of the project. */
export function ReferenceElement(props: ElementProps) {
  const isWorkflow = props.field.widget === 'WORKFLOW';
  const { workflowId } = useEditorView();
  const variables = { projectId: useProjectId() };
  const workflows = useWorkflowChoices({ skip: !isWorkflow });
  const scenarios = useWholeList(EditorScenariosDocument, 'scenarios', { variables, skip: isWorkflow });
  const items = isWorkflow
    ? workflows.filter(({ id }) => id !== workflowId)
    : scenarios.items.map(({ id, name }) => ({ id, title: name }));
  return <IdSelect {...props} items={items} />;
}

/** A connection of the project. The check of the workflow names the kinds that the node accepts. */
export function ConnectionElement(props: ElementProps) {
  const items = useConnectionChoices().map(({ id, name, kind }) => ({ id, title: `${name} – ${kindLabelOf(kind)}` }));
  return (
    <IdSelect {...props} items={items} placeholder={items.length === 0 ? 'No connections in this project' : 'None'} />
  );
}

interface IdSelectProps extends ElementProps {
  items: readonly { id: number; title: string }[];
  placeholder?: string;
}

function IdSelect(props: IdSelectProps) {
  const { items, placeholder = 'Choose one', form, value, onChange, label, describedBy, isInvalid, shape } = props;
  const current = textOf(value);
  const data = items.map(({ id, title }) => ({ value: String(id), label: title }));
  const isKnown = current === '' || data.some(one => one.value === current);
  return (
    <Select
      aria-label={label}
      aria-describedby={describedBy}
      error={isInvalid}
      value={current === '' ? null : current}
      onChange={next => onChange(next === null ? undefined : Number(next))}
      data={isKnown ? data : [...data, { value: current, label: `Id ${current}` }]}
      searchable
      limit={MAX_OPTIONS}
      clearable={!shape.isRequired}
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      placeholder={placeholder}
      nothingFoundMessage="Nothing found in this project"
      disabled={form.isReadOnly}
      renderOption={({ option }) => (
        <Group justify="space-between" wrap="nowrap" w="100%">
          <span>{option.label}</span>
          <Text fz="xs" c="dimmed">
            {option.value}
          </Text>
        </Group>
      )}
    />
  );
}

interface ChoiceElementProps extends ElementProps {
  options: readonly { value: string; label: string }[];
  /** The label of a chosen value that is not among the options, such as a deleted document. */
  unknownLabel: (value: string) => string;
  emptyPlaceholder: string;
  nothingFoundMessage: string;
  /** Converts the chosen texts to the values of the setting. */
  toValues: (chosen: string[]) => unknown[];
}

/** Chooses several items by their ids. No chosen item removes the setting. */
function ChoiceElement(props: ChoiceElementProps) {
  const { options, unknownLabel, emptyPlaceholder, nothingFoundMessage, toValues } = props;
  const { form, value, onChange, label, describedBy, isInvalid } = props;
  const chosen = toTexts(value);
  const unknown = chosen.filter(id => !options.some(option => option.value === id));
  return (
    <MultiSelect
      aria-label={label}
      aria-describedby={describedBy}
      error={isInvalid}
      value={chosen}
      onChange={next => onChange(next.length === 0 ? undefined : toValues(next))}
      data={[...options, ...unknown.map(id => ({ value: id, label: unknownLabel(id) }))]}
      searchable
      limit={MAX_OPTIONS}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      placeholder={chosen.length === 0 ? emptyPlaceholder : ''}
      nothingFoundMessage={nothingFoundMessage}
      disabled={form.isReadOnly}
    />
  );
}

const toTexts = (value: unknown) => listOf(value).map(textOf);
const toNumbers = (chosen: string[]) => chosen.map(Number);

/** Documents of the project. */
export function DocumentsElement(props: ElementProps) {
  const items = useDocumentChoices();
  return (
    <ChoiceElement
      {...props}
      options={items.map(({ id, filename }) => ({ value: String(id), label: filename }))}
      unknownLabel={id => `Document ${id}`}
      emptyPlaceholder="All documents of the project"
      nothingFoundMessage="No document has this name"
      toValues={toNumbers}
    />
  );
}

/** People of the project, by the id of their user. Viewers may not decide. */
export function MembersElement(props: ElementProps) {
  const all = useMemberChoices();
  const chosen = toTexts(props.value);
  const members = all.filter(({ userId, role }) => role !== 'VIEWER' || chosen.includes(String(userId)));
  return (
    <ChoiceElement
      {...props}
      options={members.map(({ userId, name, email }) => ({ value: String(userId), label: name || email }))}
      unknownLabel={id => `User ${id}`}
      emptyPlaceholder="Choose people of the project"
      nothingFoundMessage="No member has this name"
      toValues={toNumbers}
    />
  );
}

/** The other agents of the same graph. */
export function AgentsElement(props: ElementProps) {
  const { graph, kinds } = useEditorView();
  const { id: ownId, type: ownType } = props.form.node;
  const agents = nodesOf(graph).filter(({ id, type }) => id !== ownId && type === ownType);
  return (
    <ChoiceElement
      {...props}
      options={agents.map(node => ({ value: node.id, label: labelOf(node, kinds) }))}
      unknownLabel={id => `Unknown node ${id}`}
      emptyPlaceholder="Choose agents of this graph"
      nothingFoundMessage="No other agent has this name"
      toValues={chosen => chosen}
    />
  );
}

/** The tools of the server in the same settings. They are listed once the URL has no placeholder. */
export function McpToolElement({ form, path, value, onChange, label, describedBy, isInvalid }: ElementProps) {
  const siblings = valueAt(form.node.data, path.slice(0, -1));
  const url = isObject(siblings) ? textOf(siblings.endpoint_url) : '';
  const isPlainUrl = /^https?:\/\/[^\s{}]+$/.test(url);
  const { data, loading } = useQuery(EditorMcpToolsDocument, {
    variables: { endpointUrl: url },
    skip: !isPlainUrl || form.isReadOnly,
    fetchPolicy: 'cache-first',
    errorPolicy: 'ignore',
  });
  const names = (data?.mcpTools ?? []).flatMap(tool => (isObject(tool) ? [textOf(tool.name)] : []));
  return (
    <Autocomplete
      aria-label={label}
      aria-describedby={describedBy}
      error={isInvalid}
      value={textOf(value)}
      onChange={onChange}
      data={[...new Set(names)]}
      placeholder={loading ? 'Asking the server…' : 'Name of the tool'}
      disabled={form.isReadOnly}
    />
  );
}
