import { useQuery } from '@apollo/client/react';
import { Badge, Button, Group, Loader, Modal, ScrollArea, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { IconApi } from '@/icons';
import { isObject, listOf } from '@/shared/json/json-value';
import { ProblemPanel } from '@/shared/layout/problem-panel';
import { shownData } from '@/shared/lists/shown-data';
import { useWholeList } from '@/shared/lists/whole-list';
import { useProjectId } from '@/shared/project/use-project';
import { useEditorActions } from '../editor-context';
import type { NodeForm } from '../inspector/field-context';
import { updateData } from '../model/graph';
import { EditorApisDocument, EditorOperationsDocument, type EditorOperationsQuery } from './operations.generated';

type Operation = EditorOperationsQuery['apiOperations']['items'][number];

/** The label of the button by the type of the node. Other nodes have none. */
const LABELS: Record<string, string> = {
  'http-node': 'Fill from an operation',
  'agent-node': 'Add an operation as a tool',
};

/** Fills an HTTP node, or adds a tool to an agent, from an imported OpenAPI document. */
export function OperationPicker({ form }: { form: NodeForm }) {
  const { node, kind, isReadOnly, set } = form;
  const { change } = useEditorActions();
  const [isOpen, dialog] = useDisclosure(false);
  const variables = { projectId: useProjectId() };
  const { items: apis } = useWholeList(EditorApisDocument, 'apiDefinitions', { variables });
  const label = LABELS[kind.type];
  if (label === undefined || isReadOnly || apis.length === 0) return null;
  const choose = ({ agentTool, httpNode }: Operation) => {
    if (kind.type === 'agent-node') set(['tools'], [...listOf(node.data.tools), agentTool]);
    else if (isObject(httpNode))
      change(graph => updateData(graph, node.id, data => ({ ...withoutRequest(data), ...httpNode })));
    dialog.close();
  };
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconApi size={14} />}
        style={{ alignSelf: 'flex-start' }}
        onClick={dialog.open}
      >
        {label}
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title={label} size="lg">
        <Operations apis={apis} onChoose={choose} />
      </Modal>
    </>
  );
}

/** The settings of an HTTP node that an operation replaces. */
const REQUEST_SETTINGS = ['method', 'url', 'connection_id', 'headers', 'params', 'body', 'body_file', 'form'];

function withoutRequest(data: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([name]) => !REQUEST_SETTINGS.includes(name)));
}

interface OperationsProps {
  apis: readonly { id: number; name: string }[];
  onChoose: (operation: Operation) => void;
}

function Operations({ apis, onChoose }: OperationsProps) {
  const [id, setId] = useState(apis[0]!.id);
  const [text, setText] = useState('');
  const [contains] = useDebouncedValue(text.trim(), 200);
  const { data, previousData, error, refetch } = useQuery(EditorOperationsDocument, { variables: { id, contains } });
  const list = shownData({ data, previousData, error })?.apiOperations;
  return (
    <Stack>
      <Group grow align="flex-end">
        <Select
          label="API"
          data={apis.map(api => ({ value: String(api.id), label: api.name }))}
          value={String(id)}
          searchable
          allowDeselect={false}
          onChange={next => setId(Number(next))}
        />
        <TextInput
          label="Search"
          placeholder="Name, path or summary"
          maxLength={200}
          value={text}
          data-autofocus
          onChange={event => setText(event.currentTarget.value)}
        />
      </Group>
      {error && !list && <ProblemPanel error={error} onRetry={() => void refetch().catch(() => undefined)} />}
      {!error && !list && <Loader size="sm" />}
      <ScrollArea.Autosize mah={420}>
        <Stack gap={4}>
          {list?.items.map(operation => (
            <Button
              key={operation.id}
              variant="subtle"
              color="gray"
              h="auto"
              py={6}
              justify="flex-start"
              onClick={() => onChoose(operation)}
            >
              <Stack gap={0} align="flex-start">
                <Group gap="xs">
                  <Badge size="sm" variant="light">
                    {operation.method}
                  </Badge>
                  <Text fz="sm" fw={500}>
                    {operation.name}
                  </Text>
                </Group>
                <Text fz="xs" c="dimmed" ta="left" style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
                  {[operation.path, operation.summary].filter(Boolean).join(' · ')}
                </Text>
              </Stack>
            </Button>
          ))}
        </Stack>
      </ScrollArea.Autosize>
      {list && list.total > list.items.length && (
        <Text fz="xs" c="dimmed">
          {list.total - list.items.length} more: search for them.
        </Text>
      )}
      {list?.total === 0 && <Text fz="sm">No operation contains this text.</Text>}
    </Stack>
  );
}
