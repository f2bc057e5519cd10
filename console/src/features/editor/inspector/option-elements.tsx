import { useQuery } from '@apollo/client/react';
import { Autocomplete, Group, MultiSelect, Select, Text } from '@mantine/core';
import { kindLabelOf } from '@/shared/project/connection-kinds';
import { ConnectionChoicesDocument } from '@/shared/project/connections.generated';
import { useProjectId } from '@/shared/project/use-project';
import {
  EditorDocumentsDocument,
  EditorMcpToolsDocument,
  EditorMembersDocument,
  EditorModelsDocument,
  EditorScenariosDocument,
  EditorWorkflowsDocument,
} from '../editor.generated';
import { useEditorView } from '../editor-context';
import { labelOf, nodesOf } from '../model/graph';
import { isMembers, textOf, valueAt } from '../model/json';
import type { ElementProps } from './field';

const PROVIDERS: Record<string, string> = {
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
        group: PROVIDERS[owner] ?? owner,
        items: [...new Set(models.map(({ id }) => id))],
      }))}
      limit={200}
      maxDropdownHeight={280}
      placeholder="Name of a model"
      disabled={form.isReadOnly}
      comboboxProps={{ withinPortal: true }}
    />
  );
}

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
  const workflows = useQuery(EditorWorkflowsDocument, { variables, skip: !isWorkflow });
  const scenarios = useQuery(EditorScenariosDocument, { variables, skip: isWorkflow });
  const items = isWorkflow
    ? (workflows.data?.workflows.items ?? []).filter(({ id }) => id !== workflowId)
    : (scenarios.data?.scenarios.items ?? []).map(({ id, name }) => ({ id, title: name }));
  return <IdSelect {...props} items={items} />;
}

/** A connection of the project. The check of the workflow names the kinds that the node accepts. */
export function ConnectionElement(props: ElementProps) {
  const { data } = useQuery(ConnectionChoicesDocument, { variables: { projectId: useProjectId() } });
  const items = (data?.projectConnections.items ?? []).map(({ id, name, kind }) => ({
    id,
    title: `${name} – ${kindLabelOf(kind)}`,
  }));
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

export function DocumentsElement({ form, value, onChange, label, describedBy, isInvalid }: ElementProps) {
  const { data } = useQuery(EditorDocumentsDocument, { variables: { projectId: useProjectId(), filename: null } });
  const chosen = Array.isArray(value) ? value.map(textOf) : [];
  const items = data?.documents.items ?? [];
  const options = items.map(({ id, filename }) => ({ value: String(id), label: filename }));
  const unknown = chosen.filter(id => !options.some(one => one.value === id));
  return (
    <MultiSelect
      aria-label={label}
      aria-describedby={describedBy}
      error={isInvalid}
      value={chosen}
      onChange={next => onChange(next.length === 0 ? undefined : next.map(Number))}
      data={[...options, ...unknown.map(id => ({ value: id, label: `Document ${id}` }))]}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      placeholder={chosen.length === 0 ? 'All documents of the project' : ''}
      nothingFoundMessage="No document has this name"
      disabled={form.isReadOnly}
    />
  );
}

/** People of the project, by the id of their user. Viewers may not decide. */
export function MembersElement({ form, value, onChange, label, describedBy, isInvalid }: ElementProps) {
  const { data } = useQuery(EditorMembersDocument, { variables: { projectId: useProjectId() } });
  const chosen = Array.isArray(value) ? value.map(textOf) : [];
  const options = (data?.projectMembers.items ?? [])
    .filter(({ userId, role }) => role !== 'VIEWER' || chosen.includes(String(userId)))
    .map(({ userId, name, email }) => ({ value: String(userId), label: name || email }));
  const unknown = chosen.filter(id => !options.some(one => one.value === id));
  return (
    <MultiSelect
      aria-label={label}
      aria-describedby={describedBy}
      error={isInvalid}
      value={chosen}
      onChange={next => onChange(next.length === 0 ? undefined : next.map(Number))}
      data={[...options, ...unknown.map(id => ({ value: id, label: `User ${id}` }))]}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      placeholder={chosen.length === 0 ? 'Choose people of the project' : ''}
      nothingFoundMessage="No member has this name"
      disabled={form.isReadOnly}
    />
  );
}

/** The other agents of the same graph. */
export function AgentsElement({ form, value, onChange, label, describedBy, isInvalid }: ElementProps) {
  const { graph, kinds } = useEditorView();
  const { id: own, type: ownType } = form.node;
  const chosen = Array.isArray(value) ? value.map(textOf) : [];
  const options = nodesOf(graph)
    .filter(({ id, type }) => id !== own && type === ownType)
    .map(node => ({ value: node.id, label: labelOf(node, kinds) }));
  const unknown = chosen.filter(id => !options.some(one => one.value === id));
  return (
    <MultiSelect
      aria-label={label}
      aria-describedby={describedBy}
      error={isInvalid}
      value={chosen}
      onChange={next => onChange(next.length === 0 ? undefined : next)}
      data={[...options, ...unknown.map(id => ({ value: id, label: `Unknown node ${id}` }))]}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      placeholder={chosen.length === 0 ? 'Choose agents of this graph' : ''}
      nothingFoundMessage="No other agent has this name"
      disabled={form.isReadOnly}
    />
  );
}

/** The tools of the server in the same settings. They are listed once the URL has no placeholder. */
export function McpToolElement({ form, path, value, onChange, label, describedBy, isInvalid }: ElementProps) {
  const siblings = valueAt(form.node.data, path.slice(0, -1));
  const url = isMembers(siblings) ? textOf(siblings.endpoint_url) : '';
  const hasNoPlaceholder = /^https?:\/\/[^\s{}]+$/.test(url);
  const { data, loading } = useQuery(EditorMcpToolsDocument, {
    variables: { endpointUrl: url },
    skip: !hasNoPlaceholder || form.isReadOnly,
    fetchPolicy: 'cache-first',
    errorPolicy: 'ignore',
  });
  const names = (data?.mcpTools ?? []).flatMap(tool => (isMembers(tool) ? [textOf(tool.name)] : []));
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
