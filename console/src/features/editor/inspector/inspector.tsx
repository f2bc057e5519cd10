import './inspector.css';
import {
  ActionIcon,
  Alert,
  Box,
  Button,
  Group,
  ScrollArea,
  Stack,
  Tabs,
  Text,
  TextInput,
  Tooltip,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMemo } from 'react';
import { NodeIcon } from '@/canvas/node-icon';
import { IconBook2, IconChevronRight, IconPlayerTrackNext, IconX } from '@/icons';
import { isObject, type JsonObject, withValueAt } from '@/shared/json/json-value';
import { TabBar } from '@/shared/layout/tab-bar';
import { useEditorActions, useEditorView } from '../editor-context';
import { type FieldGroup, fieldsBelow, GROUP_TITLES, groupFields } from '../model/fields';
import { type GraphNode, labelOf, remapOutputs, updateData } from '../model/graph';
import type { Field, Kind } from '../model/kinds';
import { suggestionsFor } from '../model/placeholders';
import { OperationPicker } from '../operations/operation-picker';
import { FieldView } from './field';
import { FormContext, type NodeForm } from './field-context';
import { JsonText } from './json-element';
import { Links } from './links';
import { ResultTab } from './result-tab';

/** The form of the selected node. */
export function Inspector({ node, onClose }: { node: GraphNode; onClose: () => void }) {
  const { kinds, issues, run, results, canEdit, root, scope } = useEditorView();
  const { change } = useEditorActions();
  const kind = kinds.get(node.type);
  const { id } = node;
  const form = useMemo((): NodeForm | null => {
    if (!kind) return null;
    return {
      node,
      kind,
      isReadOnly: !canEdit,
      issues: issues.filter(({ nodeId }) => nodeId === id),
      suggestions: suggestionsFor(root, scope, id, kinds, results),
      set: (path, value) =>
        change(
          graph => updateData(graph, id, data => withValueAt(data, path, value) as JsonObject),
          `${id} ${path.join('.')}`,
        ),
      setList: (path, items, mapping) =>
        change(graph => {
          const next = updateData(graph, id, data => withValueAt(data, path, items) as JsonObject);
          const output = kind.outputs.find(({ list }) => list === path.join('.'));
          return output?.handle ? remapOutputs(next, id, output.handle, mapping) : next;
        }),
    };
  }, [kind, node, id, canEdit, issues, root, scope, kinds, results, change]);
  const hasResult = run?.nodes.has(id) || results.has(id);
  return (
    <section className="editor-inspector" aria-label="Selected node">
      <Head key={id} node={node} kind={kind} onClose={onClose} />
      <Tabs defaultValue="settings" variant="default" className="editor-tabs" keepMounted={false} key={`tabs ${id}`}>
        <TabBar px="sm">
          <Tabs.Tab value="settings">Settings</Tabs.Tab>
          <Tabs.Tab value="result" disabled={!hasResult}>
            Result
          </Tabs.Tab>
          <Tabs.Tab value="json">JSON</Tabs.Tab>
        </TabBar>
        <ScrollArea className="editor-inspector-body" type="auto" scrollbarSize={8}>
          <Tabs.Panel value="settings" p="md">
            {form === null ? (
              <UnknownKind type={node.type} />
            ) : (
              <FormContext value={form}>
                <Settings form={form} />
              </FormContext>
            )}
            <Links node={node} />
          </Tabs.Panel>
          <Tabs.Panel value="result" p="md">
            <ResultTab node={node} />
          </Tabs.Panel>
          <Tabs.Panel value="json" p="md">
            <Text fz="xs" c="dimmed" mb="xs">
              All settings of the node. Members that the form does not show are kept.
            </Text>
            <JsonText
              value={node.data}
              label="Settings as JSON"
              isReadOnly={!canEdit}
              onChange={value => {
                if (isObject(value)) change(graph => updateData(graph, id, () => value), `${id} json`);
              }}
            />
          </Tabs.Panel>
        </ScrollArea>
      </Tabs>
    </section>
  );
}

function Head({ node, kind, onClose }: { node: GraphNode; kind: Kind | undefined; onClose: () => void }) {
  const { kinds, canEdit } = useEditorView();
  const { change, runTo } = useEditorActions();
  const ownLabel = typeof node.data.label === 'string' ? node.data.label : '';
  return (
    <Box p="sm" pb={6}>
      <Group gap="xs" wrap="nowrap">
        <NodeIcon name={kind?.uiHints.icon} color={kind?.uiHints.color} size={30} />
        <TextInput
          variant="unstyled"
          className="editor-label"
          value={ownLabel}
          placeholder={labelOf(node, kinds)}
          onChange={event => {
            const label = event.currentTarget.value;
            change(
              graph =>
                updateData(graph, node.id, data => withValueAt(data, ['label'], label || undefined) as JsonObject),
              `${node.id} label`,
            );
          }}
          aria-label="Label of the node"
          disabled={!canEdit}
          style={{ flex: 1 }}
        />
        {kind && (
          <Tooltip label="Documentation">
            <ActionIcon
              component="a"
              href={helpAddress(kind.documentation)}
              target="_blank"
              rel="noreferrer"
              aria-label="Documentation"
            >
              <IconBook2 size={17} />
            </ActionIcon>
          </Tooltip>
        )}
        {canEdit && kind && kind.category !== 'START' && (
          <Tooltip label="Run to here">
            <ActionIcon aria-label="Run to here" onClick={() => runTo(node.id)}>
              <IconPlayerTrackNext size={17} />
            </ActionIcon>
          </Tooltip>
        )}
        <ActionIcon onClick={onClose} aria-label="Close the settings">
          <IconX size={17} />
        </ActionIcon>
      </Group>
      <Text fz="xs" c="dimmed" mt={4} lineClamp={2}>
        {kind?.description.replaceAll('`', '') ?? ''}
      </Text>
    </Box>
  );
}

/** The page of the console for a path such as `docs/nodes.md#http-node`. */
const helpAddress = (documentation: string) => documentation.replace(/^docs\/(\w+)\.md/, '/help/$1');

function UnknownKind({ type }: { type: string }) {
  return (
    <Alert color="yellow" mb="md" title="Unknown kind of node">
      This service has no kind “{type}”. The node is kept as it is; edit it as JSON.
    </Alert>
  );
}

/** Groups that are always open. The others rarely change. */
const OPEN_GROUPS: readonly FieldGroup[] = ['SETTINGS', 'MODEL', 'REQUEST', 'APPROVAL'];

function Settings({ form }: { form: NodeForm }) {
  const groups = useMemo(
    () => groupFields(fieldsBelow(form.kind, '').filter(({ path }) => path !== 'label')),
    [form.kind],
  );
  const hasOneOpenGroup = groups.filter(({ group }) => OPEN_GROUPS.includes(group)).length === 1;
  return (
    <Stack gap="md">
      <OperationPicker form={form} />
      {groups.map(({ group, fields }) => (
        <GroupView
          key={`${form.node.id} ${group}`}
          group={group}
          fields={fields}
          isAlwaysOpen={OPEN_GROUPS.includes(group)}
          hasTitle={!hasOneOpenGroup}
          hasFault={form.issues.some(({ path }) => fields.some(field => isWithin(path, field)))}
        />
      ))}
    </Stack>
  );
}

const isWithin = (path: string | null, field: Field) =>
  path !== null && (path === field.path || path.startsWith(`${field.path}.`));

interface GroupViewProps {
  group: FieldGroup;
  fields: readonly Field[];
  isAlwaysOpen: boolean;
  hasTitle: boolean;
  hasFault: boolean;
}

/** A group of settings. It is closed at first, and stays open while one of its settings has a fault. */
function GroupView({ group, fields, isAlwaysOpen, hasTitle, hasFault }: GroupViewProps) {
  const [isOpened, { toggle }] = useDisclosure(false);
  const list = fields.map(field => <FieldView key={field.path} field={field} />);
  if (isAlwaysOpen) {
    return (
      <Stack gap="sm" component="section" aria-label={GROUP_TITLES[group]}>
        {hasTitle && <Text className="editor-group-title">{GROUP_TITLES[group]}</Text>}
        {list}
      </Stack>
    );
  }
  const isOpen = isOpened || hasFault;
  return (
    <Box component="section" aria-label={GROUP_TITLES[group]} className="editor-closed-group">
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        // A group with a fault stays open.
        onClick={hasFault ? undefined : toggle}
        aria-expanded={isOpen}
        leftSection={<IconChevronRight size={14} style={{ rotate: isOpen ? '90deg' : undefined }} />}
        ml={-8}
      >
        {GROUP_TITLES[group]}
      </Button>
      {isOpen && (
        <Stack gap="sm" mt="xs">
          {list}
        </Stack>
      )}
    </Box>
  );
}
